/** Messages in, messages out: the functions of `palimpsest`, in the order in which an agent calls them. */
import assert from "node:assert/strict";
import { checkMessages, type Message, type ToolResultBlock } from "palimpsest";
// #region functions
import { collapseToolChains, compactOldToolResults, compressToolResult, inputTokensOf, pruneMessages } from "palimpsest";

// #endregion
const usage = { input_tokens: 12, cache_read_input_tokens: 45_000, cache_creation_input_tokens: 219 };
const messages: Message[] = [{ role: "user", content: "Which tests fail?" }];
for (let turn = 0; turn < 40; turn++) {
  const toolResult: ToolResultBlock = { type: "tool_result", tool_use_id: `toolu_${turn}`, content: `${turn}: ok\n`.repeat(3_000) };
  // #region functions
  // When a tool result arrives: cap it.
  const block = compressToolResult(toolResult, { maxToolResultTokens: 2_000 });
  // #endregion
  messages.push({ role: "assistant", content: [{ type: "tool_use", id: `toolu_${turn}`, name: "bash", input: { command: `test ${turn}` } }] });
  messages.push({ role: "user", content: [block] });
}
// #region functions

// Before a call: rounds that are more than 40 messages old become one line each.
const collapsed = collapseToolChains(messages, { collapseAfterTurns: 40 });

// When the last response read more than 40,000 tokens: old results keep their first 500 characters.
const { messages: view } = compactOldToolResults(collapsed, { inputTokens: inputTokensOf(usage), inputTokenBudget: 40_000 });

// Or a window: the last 60 messages, moved so that no call loses its result.
const window = pruneMessages(messages, { strategy: "sliding-window", maxTurns: 60 });
// #endregion
console.log(JSON.stringify(messages).length, JSON.stringify(view).length, window.length);
assert.ok(JSON.stringify(view).length * 10 < JSON.stringify(messages).length && window.length < messages.length);
assert.deepEqual([...checkMessages(view), ...checkMessages(window)], []);
