import assert from "node:assert/strict";
import { test } from "node:test";
import { comparable, logOf, messagesOf, recordsWith } from "../../../test/support/formats/document-transcript.ts";
import { blocksOf, isToolUse } from "../../messages/message.ts";
import { inspect } from "./inspect.ts";

function sample(messages: readonly object[], more: object = {}): object {
  return { id: "a", epoch: 2, messages, ...more };
}

test("what is kept elsewhere is read from there, wherever a message refers to it", () => {
  const call = { id: "c", function: "run", arguments: { code: "attachment://x" }, type: "function" };
  const messages = [
    { role: "assistant", content: [{ type: "text", text: "attachment://y" }], tool_calls: [call] },
    { role: "tool", tool_call_id: "c", content: "attachment://unknown" },
  ];
  const document = sample(messages, { attachments: { x: "print(1)", y: "I run it." } });
  assert.deepEqual(comparable(logOf(inspect, document)), [
    { role: "assistant", shown: [{ type: "text", text: "I run it." }, { call: 0, name: "run", input: { code: "print(1)" } }] }, // prettier-ignore
    { role: "user", shown: [{ answers: 0, text: "attachment://unknown", error: false }] },
  ]);
  const [changed, same] = recordsWith(inspect, document, (log) =>
    log.map((message) => (message.role === "assistant" ? { ...message, content: blocksOf(message).filter(isToolUse) } : message)),
  );
  assert.equal(same, messages[1]);
  assert.deepEqual(changed, { role: "assistant", content: [], tool_calls: [{ ...call, arguments: { code: "print(1)" } }] });
});

test("the model is told an error instead of the content", () => {
  const document = sample([{ role: "tool", tool_call_id: "c", content: "", error: { type: "timeout", message: "Timed out." } }]);
  assert.deepEqual(comparable(logOf(inspect, document)), [{ role: "user", shown: [{ answers: undefined, text: "Timed out.", error: true }] }]);
});

const asked = (output: object): object => ({ event: "model", timestamp: "2026-01-01T00:00:01+00:00", tools: [{ name: "run" }], output });

test("times and usage come from the calls of the model, in their order", () => {
  const usage = { input_tokens: 5, input_tokens_cache_read: 90, output_tokens: 7, total_tokens: 102 };
  const answers = [{ role: "assistant", content: "One." }, { role: "assistant", content: "Two." }]; // prettier-ignore
  const events = [asked({ model: "m", usage }), { event: "tool" }, asked({ model: "n" })];
  const [first, second] = messagesOf(inspect, sample(answers, { events }));
  assert.deepEqual(first?.usage, { inputTokens: 95, cacheReadTokens: 90, cacheWriteTokens: 0, outputTokens: 7 });
  assert.deepEqual([first?.atMs, first?.model, second?.model, second?.usage], [Date.UTC(2026, 0, 1, 0, 0, 1), "m", "n", undefined]);
  assert.deepEqual(inspect.sections(sample(answers, { events }))[0]?.tools, [{ name: "run" }]);
});

test("where more calls were made than answers are there, only those that name their answer say anything", () => {
  const answers = [{ id: "x", role: "assistant", content: "One." }, { role: "assistant", content: "Two." }]; // prettier-ignore
  const events = [asked({ model: "scorer" }), asked({ model: "m", choices: [{ message: { id: "x" } }] }), asked({ model: "n" })];
  assert.deepEqual(messagesOf(inspect, sample(answers, { events })).map(({ model }) => model), ["m", undefined]); // prettier-ignore
});

test("a whole log in one document has a trajectory for each sample", () => {
  const log = { version: 2, eval: { model: "m" }, samples: [sample([]), { ...sample([]), epoch: 3 }] };
  assert.ok(inspect.detect(log));
  assert.deepEqual(inspect.sections(log).map(({ id }) => id), ["a/2", "a/3"]); // prettier-ignore
  const added = [{ role: "user", content: "Hi." }];
  assert.deepEqual(inspect.assemble(log, [[], added]), { ...log, samples: [sample([]), { ...sample(added), epoch: 3 }] });
});

test("reasoning is thinking, and is written as it was; arguments that changed have no view for people", () => {
  const reasoning = { type: "reasoning", reasoning: "Hm.", signature: "s" };
  const call = { id: "c", function: "run", arguments: { code: "long" }, view: { content: "long" }, type: "function" };
  const document = sample([{ role: "assistant", content: [reasoning], tool_calls: [call] }]);
  const written = recordsWith(inspect, document, (log) =>
    log.map((message) => ({ ...message, content: blocksOf(message).map((block) => (isToolUse(block) ? { ...block, input: { code: "" } } : block)) })),
  );
  const { view: _, ...rest } = call;
  assert.deepEqual(written, [{ role: "assistant", content: [reasoning], tool_calls: [{ ...rest, arguments: { code: "" } }] }]);
});

test("a new message has an id where the others have one", () => {
  const add = (messages: readonly object[]): unknown => recordsWith(inspect, sample(messages), (log) => [...log, { role: "user", content: "So far." }]).at(-1);
  assert.deepEqual(add([{ role: "user", content: "Hi." }]), { role: "user", content: "So far." });
  assert.match((add([{ id: "x", role: "user", content: "Hi." }]) as { id: string }).id, /^[0-9a-f-]{36}$/);
});
