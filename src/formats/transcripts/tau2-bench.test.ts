import assert from "node:assert/strict";
import { test } from "node:test";
import { logOf, messagesOf, recordsWith } from "../../../test/support/formats/document-transcript.ts";
import { tau2Bench } from "./tau2-bench.ts";

function results(messages: readonly object[], info: object = {}): object {
  return { info, simulations: [{ id: "s", messages }] };
}

test("what the simulated user does with tools of its own is not seen by the agent, and stays", () => {
  const messages = [
    { role: "assistant", content: "Is the light on?" },
    { role: "user", content: null, tool_calls: [{ id: "u", name: "look", arguments: {}, requestor: "user" }] },
    { id: "u", role: "tool", content: "On.", requestor: "user" },
    { role: "user", content: "Yes." },
  ];
  assert.deepEqual(logOf(tau2Bench, results(messages)).map(({ content }) => content), ["Is the light on?", "Yes."]); // prettier-ignore
  assert.deepEqual(recordsWith(tau2Bench, results(messages), (log) => log.slice(1)), messages.slice(1)); // prettier-ignore
});

test("model, policy and tools are those of the run; times and usage those of the message", () => {
  const info = { agent_info: { llm: "m" }, environment_info: { policy: "Be kind.", tool_defs: [{}] } };
  const message = { role: "assistant", content: "Hi.", timestamp: "2026-01-01T00:00:00Z", usage: { prompt_tokens: 5, completion_tokens: 1 } };
  const document = results([message], info);
  const { records: _, ...head } = tau2Bench.sections(document)[0] ?? {};
  assert.deepEqual(head, { id: "s", model: "m", system: "Be kind.", tools: [{}] });
  const [entry] = messagesOf(tau2Bench, document);
  assert.deepEqual([entry?.atMs, entry?.usage?.inputTokens, entry?.usage?.outputTokens], [Date.UTC(2026, 0, 1), 5, 1]);
});

test("times have no zone, and are the same wherever they are read", () => {
  const before = process.env["TZ"];
  process.env["TZ"] = "America/New_York";
  try {
    const [entry] = messagesOf(tau2Bench, results([{ role: "user", content: "Hi.", timestamp: "2026-01-01T00:00:00.250000" }]));
    assert.equal(entry?.atMs, Date.UTC(2026, 0, 1, 0, 0, 0, 250));
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
});

test("a changed message has no copy in the provider's words", () => {
  const message = { role: "assistant", content: "Long.", tool_calls: null, raw_data: { content: "Long." }, turn_idx: 3 };
  const written = recordsWith(tau2Bench, results([message]), (log) => log.map((each) => ({ ...each, content: "Short." })));
  assert.deepEqual(written, [{ role: "assistant", content: "Short.", tool_calls: null, turn_idx: 3 }]);
});
