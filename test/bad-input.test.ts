/** What is not of the documented shape is refused: with a code, the path, what was expected and what was found. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  checkMessages,
  checkpointsIn,
  collapseToolChains,
  compactOldToolResults,
  compactThread,
  compressToolResult,
  inputTokensOf,
  PalimpsestError,
  pruneMessages,
  render,
  report,
  summarizeAndPrune,
  type ErrorCode,
  type Message,
} from "../src/index.ts";
import { assistant, block, calls, res, text, user } from "./support/build.ts";
import { addedFaults } from "./support/provider-judge.ts";
import { deepFreeze } from "./support/transcripts.ts";

/** Asserts a refusal, whether it comes as a throw or as a rejected promise. */
async function assertRefused(attempt: () => unknown, code: ErrorCode, path: string, expected: string, found: unknown): Promise<void> {
  await assert.rejects(
    async () => {
      await attempt();
    },
    (error: unknown) => {
      assert.ok(error instanceof PalimpsestError, String(error));
      assert.ok(PalimpsestError.isInstance(error));
      assert.equal(error.code, code);
      assert.deepEqual(error.data, { path, expected, found });
      assert.ok(error.message.startsWith(`${path}: expected ${expected}, found `), error.message);
      return true;
    },
  );
}

const q = user("q");
const config = { strategy: "sliding-window", maxTurns: 0 } as const;
const silent = () => undefined;
const summarizer = (): Promise<string> => Promise.resolve("S.");

/** Every exported function that takes messages. */
const TAKES_MESSAGES: Readonly<Record<string, (messages: Message[]) => unknown>> = {
  checkMessages: (messages) => checkMessages(messages),
  render: (messages) => render(messages, []),
  report: (messages) => report(messages, []),
  collapseToolChains: (messages) => collapseToolChains(messages, { collapseAfterTurns: 0 }),
  "collapseToolChains without a limit": (messages) => collapseToolChains(messages, {}),
  pruneMessages: (messages) => pruneMessages(messages, config),
  summarizeAndPrune: (messages) => summarizeAndPrune(messages, { strategy: "summarize", maxTurns: 0 }, summarizer),
  compactOldToolResults: (messages) => compactOldToolResults(messages, { inputTokens: 50_000, onCompact: silent }),
  "compactOldToolResults below the budget": (messages) => compactOldToolResults(messages, { inputTokens: 0 }),
  compactThread: (messages) => compactThread(messages, [{ summary: "S." }]),
  checkpointsIn: (messages) => checkpointsIn(messages),
};

const ROLES = '"user", "assistant" or "system"';
const CONTENT = "a string or an array of blocks";
const withBlock = (bad: unknown): unknown => [q, { role: "user", content: [text("x"), bad] }];
const withResult = (content: unknown): unknown => withBlock(block("tool_result", { tool_use_id: "a", content }));

const BAD_MESSAGES: readonly (readonly [what: string, value: unknown, path: string, expected: string, found: string])[] = [
  ["undefined", undefined, "messages", "an array of messages", "undefined"],
  ["null", null, "messages", "an array of messages", "null"],
  ["a string", "hello", "messages", "an array of messages", '"hello"'],
  ["a long string", "x".repeat(41), "messages", "an array of messages", "a string of 41 characters"],
  ["one message", q, "messages", "an array of messages", "an object with the keys role, content"],
  ["a null message", [q, null], "messages.1", "a message { role, content }", "null"],
  ["a hole", new Array(1), "messages.0", "a message { role, content }", "undefined"],
  ["a list of lists", [[q]], "messages.0", "a message { role, content }", "an array of 1"],
  ["no role", [{ content: "x" }], "messages.0.role", ROLES, "undefined"],
  ["an unknown role", [q, { role: "tool", content: "x" }], "messages.1.role", ROLES, '"tool"'],
  ["no content", [{ role: "user" }], "messages.0.content", CONTENT, "undefined"],
  ["null content", [{ role: "assistant", content: null }], "messages.0.content", CONTENT, "null"],
  ["content that is one block", [{ role: "user", content: block("text", { text: "x" }) }], "messages.0.content", CONTENT, "an object with the keys type, text"],
  ["a block that is a string", withBlock("x"), "messages.1.content.1", "a block with a type", '"x"'],
  ["a null block", withBlock(null), "messages.1.content.1", "a block with a type", "null"],
  ["a block without a type", withBlock({ text: "x" }), "messages.1.content.1", "a block with a type", "an object with the keys text"],
  ["a block whose type is no string", withBlock({ type: 7 }), "messages.1.content.1", "a block with a type", "an object with the keys type"],
  ["a text block without text", withBlock(block("text")), "messages.1.content.1.text", "a string", "undefined"],
  ["a call without an id", withBlock(block("tool_use", { name: "x" })), "messages.1.content.1.id", "the id of the call", "undefined"],
  ["a call without a name", withBlock(block("tool_use", { id: "a" })), "messages.1.content.1.name", "the name of the tool", "undefined"],
  [
    "a result without an id",
    withBlock(block("tool_result", { content: "x" })),
    "messages.1.content.1.tool_use_id",
    "the id of the call that it answers",
    "undefined",
  ],
  ["a result with a number as content", withResult(7), "messages.1.content.1.content", CONTENT, "7"],
  ["a result with null content", withResult(null), "messages.1.content.1.content", CONTENT, "null"],
  ["a result with a bad block", withResult([block("text", { text: "x" }), block("text")]), "messages.1.content.1.content.1.text", "a string", "undefined"],
  ["a result with a block without a type", withResult([{}]), "messages.1.content.1.content.0", "a block with a type", "an object with the keys (none)"],
];

for (const [name, run] of Object.entries(TAKES_MESSAGES)) {
  describe(`${name} refuses`, () => {
    for (const [what, value, path, expected, found] of BAD_MESSAGES) {
      test(what, () => assertRefused(() => run(value as Message[]), "INVALID_INPUT", path, expected, found));
    }
  });
}

describe("bad options", () => {
  const COUNT = "a whole number, 0 or more";
  const KEYS = "maxToolResultTokens, collapseAfterTurns, collapseMultiToolTurns, collapseGistChars";
  const TARGET_KEYS = "bindsThinking, thinking, dropBlock, prefill, windowTokens";
  const NOT_COUNTS: readonly (readonly [value: unknown, found: string])[] = [
    [-1, "-1"],
    [1.5, "1.5"],
    [NaN, "NaN"],
    [Infinity, "Infinity"],
    ["3", '"3"'],
    [null, "null"],
    [2 ** 53, "9007199254740992"],
  ];
  const any = (value: unknown): never => value as never;
  const tool = { type: "tool_result", tool_use_id: "a", content: "x" } as const;
  const messages = [q];

  /** Every option that is a limit, with a way to give it. */
  const LIMITS: Readonly<Record<string, (value: unknown) => unknown>> = {
    "config.maxToolResultTokens": (value) => compressToolResult(tool, { maxToolResultTokens: any(value) }),
    "config.collapseAfterTurns": (value) => collapseToolChains(messages, { collapseAfterTurns: any(value) }),
    "config.collapseGistChars": (value) => collapseToolChains(messages, { collapseGistChars: any(value) }),
    "config.maxTurns": (value) => pruneMessages(messages, { strategy: "importance", maxTurns: any(value) }),
    "config.inputTokens": (value) => compactOldToolResults(messages, { inputTokens: any(value) }),
    "config.inputTokenBudget": (value) => compactOldToolResults(messages, { inputTokens: 1, inputTokenBudget: any(value) }),
    "config.toolResultRetentionChars": (value) => compactOldToolResults(messages, { inputTokens: 1, toolResultRetentionChars: any(value) }),
    "target.seenFrom": (value) => render(messages, [], { seenFrom: any(value) }),
  };
  for (const [path, give] of Object.entries(LIMITS)) {
    for (const [value, found] of NOT_COUNTS) test(`${path} of ${found}`, () => assertRefused(() => give(value), "INVALID_OPTION", path, COUNT, found));
  }

  const ROWS: readonly (readonly [attempt: () => unknown, path: string, expected: string, found: string])[] = [
    [() => compressToolResult(tool, any(null)), "config", "an object", "null"],
    [() => compressToolResult(tool, any({ maxTokens: 3 })), "config.maxTokens", `one of ${KEYS}`, '"maxTokens"'],
    [() => collapseToolChains(messages, any({ collapseMultiToolTurns: "yes" })), "config.collapseMultiToolTurns", "true or false", '"yes"'],
    [() => collapseToolChains(messages, any(undefined)), "config", "an object", "undefined"],
    [() => collapseToolChains(messages, any({ toString: 1 })), "config.toString", `one of ${KEYS}`, '"toString"'],
    [() => pruneMessages(messages, any({ strategy: "random" })), "config.strategy", '"sliding-window", "summarize", "importance"', '"random"'],
    [() => pruneMessages(messages, any({ maxTurns: 3 })), "config.strategy", '"sliding-window", "summarize", "importance"', "undefined"],
    [() => pruneMessages(messages, any({ strategy: "summarize", summaryModel: "x" })), "config.summaryModel", "one of strategy, maxTurns", '"summaryModel"'],
    [() => summarizeAndPrune(messages, any({ strategy: "summarize", summaryModel: 3 }), summarizer), "config.summaryModel", "a string", "3"],
    [
      () => summarizeAndPrune(messages, any({ strategy: "summarize", model: "x" }), summarizer),
      "config.model",
      "one of strategy, maxTurns, summaryModel",
      '"model"',
    ],
    [() => summarizeAndPrune(messages, { strategy: "summarize" }, any(undefined)), "summarizer", "a summarizer", "undefined"],
    [() => compactOldToolResults(messages, any({})), "config.inputTokens", COUNT, "undefined"],
    [() => compactOldToolResults(messages, any({ inputTokens: 1, onCompact: true })), "config.onCompact", "a function", "true"],
    [
      () => compactOldToolResults(messages, any({ inputTokens: 1, budget: 3 })),
      "config.budget",
      "one of inputTokens, inputTokenBudget, toolResultRetentionChars, onCompact",
      '"budget"',
    ],
    [() => compactThread(messages, [{ summary: "S." }], any({ strip: "none" })), "options.strip", '"all", "after-edit"', '"none"'],
    [() => compactThread(messages, [{ summary: "S." }], any({ stripped: true })), "options.stripped", "one of strip, target", '"stripped"'],
    [() => compactThread(messages, [{ summary: "S." }], any({ target: "claude" })), "options.target", "a target", '"claude"'],
    [() => checkMessages(messages, any({ history: 1 })), "target.history", "true or false", "1"],
    [() => checkMessages(messages, any({ model: "claude" })), "target.model", `one of ${TARGET_KEYS}, history`, '"model"'],
    [() => render(messages, [], any({ model: "claude" })), "target.model", `one of ${TARGET_KEYS}, seenFrom, sendable`, '"model"'],
    [() => report(messages, [], any([])), "target", "an object", "an array of 0"],
    [() => pruneMessages(messages, config, any({ bindsThinking: "no" })), "target.bindsThinking", "true or false", '"no"'],
    [() => collapseToolChains(messages, {}, any({ thinking: "on" })), "target.thinking", '"adaptive", "manual", "off"', '"on"'],
    [() => compactOldToolResults(messages, { inputTokens: 0 }, any({ dropBlock: 0 })), "target.dropBlock", "true or false", "0"],
    [() => compactThread(messages, [{ summary: "S." }], { target: any({ prefill: null }) }), "options.target.prefill", "true or false", "null"],
    [() => summarizeAndPrune(messages, config, summarizer, any({ windowTokens: 0 })), "target.windowTokens", "a whole number, 1 or more", "0"],
    [() => checkMessages(messages, { windowTokens: 1.5 }), "target.windowTokens", "a whole number, 1 or more", "1.5"],
  ];
  for (const [attempt, path, expected, found] of ROWS) test(`${path}: ${found}`, () => assertRefused(attempt, "INVALID_OPTION", path, expected, found));

  test("an option that is undefined is as good as left out", () => {
    assert.deepEqual(pruneMessages(messages, any({ strategy: "importance", maxTurns: undefined }), any({ thinking: undefined })), messages);
  });
});

describe("bad blocks, usage and replacements", () => {
  const any = (value: unknown): never => value as never;
  const REPLACEMENT = "a replacement { from?, to?, summary }";
  const ROWS: readonly (readonly [attempt: () => unknown, path: string, expected: string, found: string])[] = [
    [() => compressToolResult(any(null)), "block", "a block with a type", "null"],
    [() => compressToolResult(any(undefined)), "block", "a block with a type", "undefined"],
    [() => compressToolResult(any({ type: "server_result", tool_use_id: "a", content: "x" })), "block.type", '"tool_result"', '"server_result"'],
    [() => compressToolResult(any({ type: "tool_result" })), "block.tool_use_id", "the id of the call that it answers", "undefined"],
    [() => compressToolResult(any({ type: "tool_result", tool_use_id: "a", content: 3 })), "block.content", CONTENT, "3"],
    [() => compressToolResult(any({ type: "text", text: "x" })), "block.type", '"tool_result"', '"text"'],
    [() => inputTokensOf(any(undefined)), "usage", "a usage object with input_tokens", "undefined"],
    [() => inputTokensOf(any({ input_tokens: -1 })), "usage.input_tokens", "a number of tokens, 0 or more", "-1"],
    [() => inputTokensOf(any({ input_tokens: 1, cache_read_input_tokens: "9" })), "usage.cache_read_input_tokens", "a number of tokens, 0 or more", '"9"'],
    [
      () => inputTokensOf(any({ input_tokens: 1, cache_creation_input_tokens: NaN })),
      "usage.cache_creation_input_tokens",
      "a number of tokens, 0 or more",
      "NaN",
    ],
    [() => compactThread([q], any(undefined)), "replacements", `at least one ${REPLACEMENT.slice(2)}`, "undefined"],
    [() => compactThread([q], any({ summary: "S." })), "replacements", `at least one ${REPLACEMENT.slice(2)}`, "an object with the keys summary"],
    [() => compactThread([q], [any("S.")]), "replacements.0", REPLACEMENT, '"S."'],
    [() => compactThread([q], [{ summary: "S." }, any({ from: "aaaaaa" })]), "replacements.1.summary", "a string", "undefined"],
    [() => compactThread([q], [any({ summary: null })]), "replacements.0.summary", "a string", "null"],
    [() => compactThread([q], [any({ from: 3, summary: "S." })]), "replacements.0.from", "a string", "3"],
    [() => compactThread([q], [any({ value: "S.", summary: "S." })]), "replacements.0.value", "one of from, to, summary", '"value"'],
    [() => render([q], any(undefined)), "edits", "an array of edits", "undefined"],
    [() => report([q], any({})), "edits", "an array of edits", "an object with the keys (none)"],
  ];
  for (const [attempt, path, expected, found] of ROWS) test(`${path}: ${found}`, () => assertRefused(attempt, "INVALID_INPUT", path, expected, found));
});

describe("orphans that are in the input already", () => {
  const answers = (id: string): Message => user(res(id, "y".repeat(900)), text("words"));
  const says = assistant("a");
  const HISTORIES: Readonly<Record<string, readonly Message[]>> = {
    "a call without a result": [q, calls("a"), q, says, q],
    "a result without a call": [q, says, answers("a"), says, q],
    "a result first": [answers("a"), says, q],
    "a call last": [q, says, q, calls("a")],
    "a result before its call": [q, answers("a"), calls("a"), q],
    "two results for one call": [q, calls("a"), answers("a"), answers("a"), says, q],
    "a result of the assistant's": [q, calls("a"), { role: "assistant", content: answers("a").content }, q],
    "an id twice": [q, calls("a"), answers("a"), calls("a"), answers("a"), says, q],
    "an assistant message first": [says, q, calls("a"), answers("a"), says, q],
    "a server result without its call": [q, assistant(block("web_search_tool_result", { tool_use_id: "s" })), q],
  };
  for (const [what, messages] of Object.entries(HISTORIES)) {
    for (const [name, run] of Object.entries(TAKES_MESSAGES)) {
      test(`${what}: ${name} does not throw, and adds no fault`, async () => {
        deepFreeze(messages);
        const outcome: unknown = await run(messages as Message[]);
        const view =
          Array.isArray(outcome) && name !== "checkMessages" && name !== "checkpointsIn"
            ? (outcome as Message[])
            : (outcome as { messages?: Message[] }).messages;
        if (view !== undefined) assert.deepEqual(addedFaults(messages, view, { history: true }), []);
      });
    }
  }
});
