import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { linesOf, loadLines as load } from "../../../test/support/formats/jsonl.ts";
import {
  CODEX as ROLLOUT,
  codexCall as call,
  codexItem as item,
  codexOutput as output,
  codexTime as at,
  codexWords as words,
} from "../../../test/support/formats/sample-sessions.ts";
import { isToolResult, type Message } from "../../messages/message.ts";
import { collapseToolChains } from "../../stateless/collapse-tool-chains.ts";

interface Line {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

describe("a Codex rollout", () => {
  test("is the log that the model saw, with times, models, usage and compactions", async () => {
    const { format, trajectories } = await load(ROLLOUT);
    assert.equal(format.name, "codex");
    const [trajectory] = trajectories;
    assert.deepEqual([trajectory?.id, trajectory?.system, trajectory?.model], ["run-1", "Be brief.", "gpt-x"]);
    const told = trajectory?.entries.map((entry) => {
      if (entry.kind !== "message") return entry;
      const { message, nativeMessages, atMs, model, usage } = entry;
      return [message.role, nativeMessages, atMs === undefined ? undefined : new Date(atMs).getUTCSeconds(), model, usage?.inputTokens];
    });
    assert.deepEqual(told, [
      ["system", 1, 1, undefined, undefined],
      ["user", 1, 2, undefined, undefined],
      ["assistant", 3, 3, "gpt-x", 100],
      ["user", 2, 5, undefined, undefined],
      ["assistant", 1, 7, "gpt-x", 200],
      ["user", 1, 8, undefined, undefined],
      { kind: "compaction", by: "compacted", atMs: Date.parse(at(9)) },
      ["assistant", 1, 10, "gpt-y", undefined],
    ]);
    const usage = trajectory?.entries.flatMap((entry) => (entry.kind === "message" && entry.usage !== undefined ? [entry.usage] : []))[0];
    assert.deepEqual(usage, { inputTokens: 100, cacheReadTokens: 10, cacheWriteTokens: 0, outputTokens: 5 });
  });

  test("holds a cut result in the line of the result", async () => {
    const transcript = await load(ROLLOUT);
    const log = transcript.trajectories[0]?.log ?? [];
    const view = log.map((message): Message => {
      if (typeof message.content === "string" || message.role !== "user") return message;
      const content = message.content.map((block) => (isToolResult(block) && block.tool_use_id === "a" ? { ...block, content: "cut" } : block));
      return content.some((block, number) => block !== message.content[number]) ? { ...message, content } : message;
    });
    const written = linesOf<Line>(transcript.encode([view]));
    assert.deepEqual(written, [...ROLLOUT.slice(0, 10), { ...ROLLOUT[10], payload: output("a", "cut") }, ...ROLLOUT.slice(11)]);
  });

  test("holds new messages as Codex writes them, and keeps what is no message", async () => {
    const transcript = await load(ROLLOUT);
    const [system, question, ...rest] = transcript.trajectories[0]?.log ?? [];
    assert.ok(system !== undefined && question !== undefined);
    const view = [system, ...collapseToolChains([question, ...rest], { collapseAfterTurns: 0, collapseMultiToolTurns: true }, { bindsThinking: false })];
    const written = transcript.encode([view]);
    const messages = linesOf<Line>(written).filter(({ type, payload }) => type === "response_item" && payload["role"] === "assistant");
    assert.deepEqual(
      messages.map(({ payload }) => (payload["content"] as { type: string; text: string }[]).map((part) => [part.type, part.text.slice(0, 12)])),
      [[["output_text", "I look."]], [["output_text", "[Tool: shell"]], [["output_text", "[Tool: patch"]], [["output_text", "There are tw"]]],
    );
    assert.ok(messages.every(({ payload }) => payload["type"] === "message"));
    assert.equal(
      linesOf<Line>(written).filter(({ type }) => type !== "response_item").length,
      ROLLOUT.filter((line) => (line as { type: string }).type !== "response_item").length,
    );
    const again = await load(linesOf(written));
    // What the assistant says without a break is one message; the compaction is a break.
    assert.deepEqual(
      again.trajectories[0]?.log.map(({ role }) => role),
      ["system", "user", "assistant", "assistant"],
    );
  });

  test("an item without its id or name is a damaged line", async () => {
    const { damaged, trajectories } = await load([...ROLLOUT, item({ type: "function_call", name: "shell" }), item(words("user", "go on"))]);
    assert.deepEqual(
      damaged.map(({ line }) => line),
      [ROLLOUT.length + 1],
    );
    assert.equal(trajectories[0]?.log.at(-1)?.role, "user");
  });

  test("an id is shown only after the reasoning that it came from", async () => {
    const transcript = await load([
      item(words("user", "q")),
      item({ type: "reasoning", id: "rs_1", summary: [] }),
      item(call("a", { id: "fc_a" })),
      item(output("a")),
      item(call("b", { id: "fc_b" })),
      item(output("b")),
    ]);
    const [question, , , second, answer] = transcript.trajectories[0]?.log ?? [];
    assert.ok(question !== undefined && second !== undefined && answer !== undefined);
    const [, kept] = linesOf<Line>(transcript.encode([[question, second, answer]]));
    assert.deepEqual([kept?.payload["call_id"], kept?.payload["id"]], ["b", undefined]);
  });
});
