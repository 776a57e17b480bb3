import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { linesOf, loadLines as load, plain } from "../../../test/support/formats/jsonl.ts";
import { OPENHANDS_HISTORY as HISTORY } from "../../../test/support/formats/sample-sessions.ts";
import { isToolUse, type Message } from "../../messages/message.ts";
import { collapseToolChains } from "../../stateless/collapse-tool-chains.ts";

const line = (id: string): object => ({ instance_id: id, history: HISTORY, metrics: { cost: 1 } });
const said = (message: Message | undefined): string => JSON.stringify(message?.content);

describe("OpenHands events", () => {
  test("are the log that the model saw, a run per line", async () => {
    const { format, trajectories } = await load([line("one"), line("two")]);
    assert.equal(format.name, "openhands-events");
    assert.deepEqual(
      trajectories.map(({ id, model, tools }) => [id, model, tools?.length]),
      [
        ["one", "m", 1],
        ["two", "m", 1],
      ],
    );
    assert.deepEqual(plain(trajectories[0]?.log), [
      { role: "system", content: "Be an agent." },
      { role: "user", content: "fix it" },
      { role: "user", content: "Found\n\nAbout git." },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Two at once." },
          { type: "tool_use", id: "a", name: "bash", input: { command: "a" } },
          { type: "tool_use", id: "b", name: "bash", input: { command: "b" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "out a" },
          { type: "tool_result", tool_use_id: "b", content: "out b" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "The older way." },
          { type: "tool_use", id: "event-10", name: "browse", input: { url: "u" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "event-10", content: "a page", is_error: true }] },
      { role: "user", content: "Malformed call." },
      { role: "assistant", content: "I stop." },
    ]);
    const entries = trajectories[0]?.entries ?? [];
    assert.deepEqual(
      entries.map((entry) => (entry.kind === "message" ? entry.nativeMessages : entry.kind)),
      [1, 1, 2, 2, 2, "compaction", 1, 1, 1, 1],
    );
    const [response] = entries.filter((entry) => entry.kind === "message" && entry.usage !== undefined);
    assert.ok(response?.kind === "message" && response.usage?.inputTokens === 50 && response.atMs === Date.UTC(2026, 0, 1, 0, 0, 1, 500));
  });

  test("of one run may change while the other stays as it was", async () => {
    const transcript = await load([line("one"), line("two")]);
    const [first = [], second = []] = transcript.trajectories.map(({ log }) => log);
    const view = [...first.slice(0, 1), ...collapseToolChains(first.slice(1), { collapseAfterTurns: 0, collapseMultiToolTurns: true })];
    const [changed, kept] = linesOf(transcript.encode([view, second]));
    assert.deepEqual(kept, line("two"));
    assert.deepEqual({ ...changed, history: HISTORY }, line("one"));
    const again = await load([changed ?? {}]);
    assert.deepEqual(
      again.trajectories[0]?.log.map((message) => [message.role, said(message).includes("[Tool: ")]),
      [
        ["system", false],
        ["user", false],
        ["user", false],
        ["assistant", true],
        ["assistant", true],
        ["user", false],
        ["assistant", false],
      ],
    );
  });

  test("with cut results and words hold no second copy of them", async () => {
    const transcript = await load([line("one")]);
    const view = (transcript.trajectories[0]?.log ?? []).map((message): Message => {
      if (message.role !== "user") return message;
      if (typeof message.content === "string") return { ...message, content: "short" };
      return { ...message, content: message.content.map((block) => ({ ...block, content: "cut" })) };
    });
    const text = String(transcript.encode([view]));
    for (const gone of ["out a", "out b", "a page", "About git.", "Malformed"]) assert.ok(!text.includes(gone), gone);
    assert.deepEqual(plain((await load(linesOf(text))).trajectories[0]?.log), plain(view));
  });

  test("with a changed call change the action and the response", async () => {
    const transcript = await load([line("one")]);
    const log = transcript.trajectories[0]?.log ?? [];
    const view = log.map((message): Message => {
      if (message.role !== "assistant" || typeof message.content === "string") return message;
      return { ...message, content: message.content.map((block) => (isToolUse(block) && block.id === "a" ? { ...block, input: { command: "cut" } } : block)) };
    });
    const [changed] = linesOf<{ history: { args: { command: string } }[] }>(transcript.encode([view]));
    assert.equal(changed?.history[4]?.args.command, "cut");
    assert.deepEqual(plain((await load([changed ?? {}])).trajectories[0]?.log), plain(view));
  });
});
