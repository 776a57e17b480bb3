import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { linesOf, loadLines as load, plain } from "../../../test/support/formats/jsonl.ts";
import { COPILOT_CLI as EVENTS } from "../../../test/support/formats/sample-sessions.ts";
import type { Message } from "../../messages/message.ts";

describe("a Copilot CLI session", () => {
  test("is the log that the model saw", async () => {
    const { format, trajectories } = await load(EVENTS);
    assert.equal(format.name, "copilot-cli");
    const [trajectory] = trajectories;
    assert.deepEqual([trajectory?.id, trajectory?.model], ["s-1", "m"]);
    assert.deepEqual(plain(trajectory?.log), [
      { role: "system", content: "You are an agent." },
      { role: "user", content: "<now/>hello" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "I try." },
          { type: "tool_use", id: "a", name: "bash", input: { command: "a" } },
          { type: "tool_use", id: "b", name: "bash", input: { command: "b" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "out a" },
          { type: "tool_result", tool_use_id: "b", content: "it failed", is_error: true },
        ],
      },
      { role: "assistant", content: "Done." },
    ]);
    assert.deepEqual(
      trajectory?.entries.map((entry) => (entry.kind === "message" ? entry.nativeMessages : entry.kind === "compaction" ? entry.tokensBefore : entry.kind)),
      [1, 1, 1, 0, 900, 1],
    );
  });

  test("with a shorter view names no event that is gone, and holds nothing that is not shown", async () => {
    const transcript = await load(EVENTS);
    const [system, , , results, done] = transcript.trajectories[0]?.log ?? [];
    assert.ok(system !== undefined && results !== undefined && done !== undefined);
    const summary: Message = { role: "user", content: "What came before." };
    const lines = linesOf<(typeof EVENTS)[number]>(transcript.encode([[system, summary, done]]));
    assert.deepEqual(
      lines.map(({ id, parentId }) => [id.length > 8 ? "new" : id, parentId !== null && parentId.length > 8 ? "new" : parentId]),
      [
        ["1", null],
        ["2", "1"],
        ["new", "2"],
        ["5", "new"],
        ["6", "5"],
        ["7", "6"],
        ["8", "7"],
      ],
    );
    const again = await load(lines);
    assert.deepEqual(plain(again.trajectories[0]?.log), [{ role: "system", content: "You are an agent." }, summary, { role: "assistant", content: "Done." }]);
  });

  test("with cut results and words has no second copy of them", async () => {
    const transcript = await load(EVENTS);
    const view = (transcript.trajectories[0]?.log ?? []).map((message): Message => {
      if (typeof message.content === "string") return { ...message, content: "short" };
      return {
        ...message,
        content: message.content
          .filter(({ type }) => type !== "thinking")
          .map((block) => (block.type === "tool_result" ? { ...block, content: "cut" } : block)),
      };
    });
    const text = String(transcript.encode([view]));
    for (const gone of ["out a", "it failed", "hello", "hm", "xx"]) assert.ok(!text.includes(gone), gone);
    assert.deepEqual(plain((await load(linesOf(text))).trajectories[0]?.log), plain(view));
  });
});
