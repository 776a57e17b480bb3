import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { linesOf, loadLines as load, plain } from "../../../test/support/formats/jsonl.ts";
import { PI as SESSION, PI_TIME as timestamp, piText as text } from "../../../test/support/formats/sample-sessions.ts";
import { collapseToolChains } from "../../stateless/collapse-tool-chains.ts";

interface Line {
  readonly id?: string;
  readonly parentId?: string | null;
}

describe("a session of pi", () => {
  test("is the log that the model saw, with times, models, usage and compactions", async () => {
    const { format, trajectories } = await load(SESSION);
    assert.equal(format.name, "pi");
    const [trajectory] = trajectories;
    assert.deepEqual([trajectory?.id, trajectory?.model], ["s-1", "m-1"]);
    assert.deepEqual(plain(trajectory?.log.slice(1, 2)), [
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "sig" },
          { type: "tool_use", id: "a", name: "read", input: { path: "x" } },
          { type: "tool_use", id: "b", name: "read", input: { path: "y" } },
        ],
      },
    ]);
    assert.deepEqual(plain(trajectory?.log.slice(2, 3)), [
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: [text("out a")] },
          { type: "tool_result", tool_use_id: "b", content: [text("no")], is_error: true },
        ],
      },
    ]);
    assert.deepEqual(
      trajectory?.entries.map((entry) =>
        entry.kind === "message" ? [entry.message.role, entry.nativeMessages, entry.model, entry.usage?.inputTokens] : entry,
      ),
      [
        ["user", 1, undefined, undefined],
        ["assistant", 1, "m-2", 33],
        ["user", 2, undefined, undefined],
        { kind: "compaction", by: "compaction", atMs: Date.parse(timestamp), tokensBefore: 500 },
        ["assistant", 1, "m-3", 33],
        ["user", 1, undefined, undefined],
      ],
    );
  });

  test("with a shorter view is a chain again, and reads as the view", async () => {
    const transcript = await load(SESSION);
    const view = collapseToolChains(transcript.trajectories[0]?.log ?? [], { collapseAfterTurns: 0, collapseMultiToolTurns: true }, { bindsThinking: false });
    const again = await load(linesOf(transcript.encode([view])));
    assert.deepEqual(
      again.trajectories[0]?.log.map(({ role, content }) => [role, JSON.stringify(content).includes("[Tool: read")]),
      [
        ["user", false],
        ["assistant", true],
        ["assistant", false],
        ["user", false],
      ],
    );
    let before: unknown = null;
    for (const { id, parentId } of linesOf<Line>(transcript.encode([view])).slice(1)) {
      assert.equal(parentId, before);
      before = id;
    }
  });

  test("of an older version, without ids", async () => {
    const older = SESSION.map((line) =>
      Object.fromEntries(Object.entries(line).filter(([field]) => field !== "parentId" && (field !== "id" || "cwd" in line))),
    );
    const transcript = await load(older);
    const log = transcript.trajectories[0]?.log ?? [];
    const lines = linesOf(transcript.encode([[{ role: "user", content: "Before." }, ...log.slice(3)]]));
    assert.deepEqual(lines[1], { type: "message", message: { role: "user", content: "Before." } });
    assert.deepEqual(plain((await load(lines)).trajectories[0]?.log), plain([{ role: "user", content: "Before." }, ...log.slice(3)]));
  });
});
