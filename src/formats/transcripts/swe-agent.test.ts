import assert from "node:assert/strict";
import { test } from "node:test";
import { comparable, logOf, recordsWith } from "../../../test/support/formats/document-transcript.ts";
import { blocksOf, isToolUse } from "../../messages/message.ts";
import { sweAgent } from "./swe-agent.ts";

function trajectory(...history: readonly object[]): object {
  return { trajectory: [], history };
}

const ACTION = { role: "assistant", content: "DISCUSSION\nI look.\n```\nls\n```", thought: "DISCUSSION\nI look.", action: "ls", agent: "main" };

test("a thought and its action are a text and a call; what follows is the result", () => {
  const document = trajectory({ role: "user", content: "Fix it." }, ACTION, { role: "user", content: "a.py" });
  assert.deepEqual(comparable(logOf(sweAgent, document)), [
    { role: "user", shown: [{ type: "text", text: "Fix it." }] },
    { role: "assistant", shown: [{ type: "text", text: "DISCUSSION\nI look." }, { call: 0, name: "bash", input: { command: "ls" } }] }, // prettier-ignore
    { role: "user", shown: [{ answers: 0, text: "a.py", error: false }] },
  ]);
});

test("where messages say what they are, only an observation is a result", () => {
  const document = trajectory(ACTION, { role: "user", content: "Stop.", message_type: "user" });
  assert.deepEqual(logOf(sweAgent, document).map((message) => blocksOf(message).map(({ type }) => type)), [["text", "tool_use"], ["text"]]); // prettier-ignore
});

test("a changed action is changed in the text and beside it", () => {
  const written = recordsWith(sweAgent, trajectory(ACTION), (log) =>
    log.map((message) => ({ ...message, content: blocksOf(message).map((block) => (isToolUse(block) ? { ...block, input: { command: "pwd" } } : block)) })),
  );
  assert.deepEqual(written, [{ ...ACTION, content: "DISCUSSION\nI look.\n\n```\npwd\n```", action: "pwd" }]);
});

test("an action that is gone is neither in the text nor beside it", () => {
  const written = recordsWith(sweAgent, trajectory(ACTION), (log) => log.map((message) => ({ ...message, content: "[Tool: bash]" })));
  assert.deepEqual(written, [{ role: "assistant", content: "[Tool: bash]", thought: "[Tool: bash]", agent: "main" }]);
});

test("thinking goes with its blocks", () => {
  const thinking = [{ type: "thinking", thinking: "Hm.", signature: "s" }];
  const document = trajectory({ role: "assistant", content: "I look.", thinking_blocks: thinking });
  assert.deepEqual(comparable(logOf(sweAgent, document)), [{ role: "assistant", shown: [thinking[0], { type: "text", text: "I look." }] }]);
  const written = recordsWith(sweAgent, document, (log) => log.map((message) => ({ ...message, content: blocksOf(message).slice(1) })));
  assert.deepEqual(written, [{ role: "assistant", content: "I look.", thought: "I look." }]);
});

test("the model is the one of the configuration", () => {
  const config = JSON.stringify({ agent: { model: { name: "m" } } });
  const [section] = sweAgent.sections({ ...trajectory(), replay_config: config, environment: "e" });
  assert.deepEqual([section?.id, section?.model], ["e", "m"]);
});
