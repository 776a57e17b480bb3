import assert from "node:assert/strict";
import { test } from "node:test";
import { comparable, logOf, messagesOf, recordsWith } from "../../../test/support/formats/document-transcript.ts";
import { blocksOf, isToolUse } from "../../messages/message.ts";
import { miniSweAgent } from "./mini-swe-agent.ts";

function trajectory(...messages: readonly object[]): { readonly messages: readonly object[] } {
  return { messages, ...{ trajectory_format: "mini-swe-agent-1.1" } };
}

const acts = (content: string): object => ({ role: "assistant", content });
const heard = (content: string): object => ({ role: "user", content });

test("whatever follows an action is what came of it, and what follows that is the user's", () => {
  const document = trajectory(
    heard("Fix it."),
    acts("```bash\nls\n```"),
    heard("The last command timed out."),
    acts("```bash\nsubmit\n```"),
    heard("diff"),
    heard("Limits exceeded."),
  );
  assert.deepEqual(
    logOf(miniSweAgent, document).map((message) => blocksOf(message).map(({ type }) => type)),
    [["text"], ["tool_use"], ["tool_result"], ["tool_use"], ["tool_result"], ["text"]],
  );
});

test("several fences are one attempt, which is turned down as a whole", () => {
  const document = trajectory(acts("THOUGHT: two.\n```bash\nls\n```\nand\n```bash \npwd\n```"), heard("Please always provide EXACTLY ONE action"));
  const [calls, results] = comparable(logOf(miniSweAgent, document));
  assert.deepEqual(calls, {
    role: "assistant",
    shown: [
      { type: "text", text: "THOUGHT: two." },
      { call: 0, name: "bash", input: { command: "ls\n```\nand\n```bash \npwd" } },
    ],
  });
  assert.deepEqual(results, { role: "user", shown: [{ answers: 0, text: "Please always provide EXACTLY ONE action", error: false }] });
});

test("other fences, and what comes after the action, are text", () => {
  const [message] = logOf(miniSweAgent, trajectory(acts("```python\nx\n```\n```bash\nls\n```\nThen we see.")));
  assert.deepEqual(comparable(message === undefined ? [] : [message]), [
    {
      role: "assistant",
      shown: [
        { type: "text", text: "```python\nx\n```" },
        { call: 0, name: "bash", input: { command: "ls" } },
        { type: "text", text: "Then we see." },
      ],
    },
  ]);
});

test("a changed action keeps the word behind its backticks, and loses the provider's copy of it", () => {
  const extra = { cost: 1, response: { usage: { prompt_tokens: 9 }, choices: [{ message: { content: "cat long" } }] } };
  const document = trajectory({ role: "assistant", content: "Go.\n\n```mswea_bash_command\ncat long\n```\n\nSo.", extra });
  const written = recordsWith(miniSweAgent, document, (log) =>
    log.map((message) => ({ ...message, content: blocksOf(message).map((block) => (isToolUse(block) ? { ...block, input: { command: "cat" } } : block)) })),
  );
  const content = "Go.\n\n```mswea_bash_command\ncat\n```\n\nSo.";
  assert.deepEqual(written, [{ role: "assistant", content, extra: { cost: 1, response: { usage: { prompt_tokens: 9 }, choices: [] } } }]);
});

test("times, models and usage come from the provider's response", () => {
  const response = { created: 10, model: "m", usage: { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } } };
  const [entry] = messagesOf(miniSweAgent, trajectory({ role: "assistant", content: "Hi.", extra: { response } }));
  const { message: _, ...facts } = entry ?? {};
  const usage = { inputTokens: 9, cacheReadTokens: 4, cacheWriteTokens: 0, outputTokens: 2 };
  assert.deepEqual(facts, { kind: "message", nativeMessages: 1, atMs: 10_000, model: "m", usage });
});

test("newer files, in which the model calls a function, are chats; their exit is no message and stays last", () => {
  const exit = { role: "exit", content: "diff", extra: { exit_status: "Submitted" } };
  const call = { id: "c", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } };
  const document = trajectory(
    heard("Fix it."),
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "c", content: "a" },
    exit,
  );
  assert.equal(messagesOf(miniSweAgent, document).length, 3);
  assert.deepEqual(recordsWith(miniSweAgent, document, (log) => log), document.messages); // prettier-ignore
  assert.deepEqual(recordsWith(miniSweAgent, document, (log) => [...log.slice(0, 1), { role: "user", content: "So far." }]), [heard("Fix it."), heard("So far."), exit]); // prettier-ignore
});
