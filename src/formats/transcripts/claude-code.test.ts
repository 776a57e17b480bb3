import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { linesOf, loadLines as load, plain } from "../../../test/support/formats/jsonl.ts";
import { CLAUDE_CODE } from "../../../test/support/formats/sample-sessions.ts";
import { isThinking, type Message } from "../../messages/message.ts";

interface Line {
  readonly uuid?: string;
  readonly parentUuid?: string | null;
}

describe("a Claude Code session", () => {
  test("is the log that the model saw: one message per response, with the results after it", async () => {
    const { format, trajectories } = await load(CLAUDE_CODE);
    assert.equal(format.name, "claude-code");
    assert.deepEqual(
      trajectories[0]?.entries.map((entry) =>
        entry.kind === "message"
          ? [entry.message.role, typeof entry.message.content === "string" ? 1 : entry.message.content.length, entry.nativeMessages]
          : entry.kind,
      ),
      [["user", 1, 1], ["assistant", 3, 1], ["user", 2, 2], "compaction", ["assistant", 1, 1]],
    );
  });

  test("without the thinking that opened a response still has its calls before their results", async () => {
    const [opening, , , thinking, call, result, ...rest] = CLAUDE_CODE;
    // Written while the response was still coming: the result lies before its call.
    const transcript = await load([opening, thinking, result, call, ...rest].filter((line) => line !== undefined));
    const view = (transcript.trajectories[0]?.log ?? []).map((message): Message =>
      typeof message.content !== "string" && message.content.some(isThinking)
        ? { ...message, content: message.content.filter((block) => !isThinking(block)) }
        : message,
    );
    const again = await load(linesOf<Line>(transcript.encode([view])));
    assert.deepEqual(plain(again.trajectories[0]?.log), plain(view));
  });

  test("shows a message in two parts as two lines, and a summary between them in the chain", async () => {
    const transcript = await load(CLAUDE_CODE);
    const [question, calls, results, done] = transcript.trajectories[0]?.log ?? [];
    assert.ok(question !== undefined && calls !== undefined && results !== undefined && done !== undefined);
    const view: Message[] = [{ ...question, content: "first half" }, { role: "assistant", content: "Summary." }, { ...question, content: "second half" }, done];
    const lines = linesOf<Line>(transcript.encode([view]));
    assert.deepEqual(plain((await load(lines)).trajectories[0]?.log), plain(view));
    const linked = lines.filter(({ uuid }) => uuid !== undefined);
    assert.equal(new Set(linked.map(({ uuid }) => uuid)).size, linked.length, "every line has an id of its own");
    const chain: (string | null | undefined)[] = [];
    for (let at = linked.find(({ uuid }) => uuid === "8"); at !== undefined; at = linked.find(({ uuid }) => uuid === at?.parentUuid)) chain.push(at.uuid);
    assert.equal(chain.length, 5, `the chain from the last line: ${chain.join(" ")}`);
  });

  test("with a cut result holds no second copy of it", async () => {
    const transcript = await load(CLAUDE_CODE);
    const log = transcript.trajectories[0]?.log ?? [];
    const view = log.map((message, position): Message => {
      if (position !== 2 || typeof message.content === "string") return message;
      return { ...message, content: message.content.map((block) => ({ ...block, content: "cut" })) };
    });
    assert.ok(!String(transcript.encode([view])).includes("out a"));
  });
});
