import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compactOldToolResults, inputTokensOf, type Block, type BudgetConfig, type CompactionNotice, type Message, type Target } from "../../src/index.ts";
import { assistant, block, calls, res, text, think, use, user } from "../support/build.ts";

const MARK = "\n\n[truncated for context management]";
const q = user("q");
const done = assistant("done");
const newest = [calls("new"), user(res("new", "n".repeat(9000)))];

const silent = { onCompact: () => undefined };
const over: BudgetConfig = { inputTokens: 40_001, ...silent };

/** What is shown of one old result. */
function shown(content: string | Block[], config: BudgetConfig = over): unknown {
  const { messages } = compactOldToolResults([q, calls("a"), user(res("a", content)), ...newest], config);
  const [first] = messages[2]?.content ?? [];
  return (first as { content?: unknown } | undefined)?.content;
}

describe("compactOldToolResults: when", () => {
  const ROWS: readonly (readonly [what: string, config: BudgetConfig, compacted: number])[] = [
    ["below the default budget", { inputTokens: 39_999 }, 0],
    ["at the default budget", { inputTokens: 40_000 }, 0],
    ["above the default budget", { inputTokens: 40_001 }, 1],
    ["at a given budget", { inputTokens: 100, inputTokenBudget: 100 }, 0],
    ["above a given budget", { inputTokens: 101, inputTokenBudget: 100 }, 1],
    ["never with a budget of 0", { inputTokens: 1_000_000, inputTokenBudget: 0 }, 0],
  ];
  for (const [what, config, compacted] of ROWS) {
    test(what, () => {
      const messages = [q, calls("a"), user(res("a", "x".repeat(9000))), ...newest];
      const outcome = compactOldToolResults(messages, { ...config, ...silent });
      assert.equal(outcome.compacted, compacted);
      if (compacted === 0) assert.deepEqual(outcome.messages, messages);
      else assert.deepEqual(outcome.messages, messages.with(2, user(res("a", "x".repeat(500) + MARK))));
    });
  }
});

describe("compactOldToolResults: what is cut", () => {
  const ROWS: readonly (readonly [what: string, content: string | Block[], expected: unknown, config?: BudgetConfig])[] = [
    ["500 characters stay", "x".repeat(500), "x".repeat(500)],
    ["501 characters stay: they would grow", "x".repeat(501), "x".repeat(501)],
    ["535 characters stay: they would grow", "x".repeat(535), "x".repeat(535)],
    ["536 characters stay: they would not shrink", "x".repeat(536), "x".repeat(536)],
    ["537 characters are cut to 536", "x".repeat(537), "x".repeat(500) + MARK],
    ["content that ends in the marker stays", "x".repeat(5000) + MARK, "x".repeat(5000) + MARK],
    ["content that has the marker inside is cut", MARK + "x".repeat(600), MARK + "x".repeat(464) + MARK],
    ["content that is not a string stays", [text("x".repeat(5000))], [text("x".repeat(5000))]],
    ["no split surrogate", `${"x".repeat(499)}\u{1f600}${"y".repeat(100)}`, "x".repeat(499) + MARK],
    [
      "a pair across the limit goes as a whole, which makes 39 characters shorter",
      `xx\u{1f600}${"y".repeat(35)}`,
      `xx${MARK}`,
      { ...over, toolResultRetentionChars: 3 },
    ],
    ["a given number of characters", "x".repeat(100), `xxx${MARK}`, { ...over, toolResultRetentionChars: 3 }],
    ["none, with a retention of 0", "x".repeat(37), MARK, { ...over, toolResultRetentionChars: 0 }],
    ["36 characters stay with a retention of 0", "x".repeat(36), "x".repeat(36), { ...over, toolResultRetentionChars: 0 }],
  ];
  for (const [what, content, expected, config] of ROWS) {
    test(what, () => assert.deepEqual(shown(content, config), expected));
  }

  test("a result without content stays", () => {
    const messages: Message[] = [q, calls("a"), user(block("tool_result", { tool_use_id: "a" })), ...newest];
    assert.deepEqual(compactOldToolResults(messages, over), { messages, compacted: 0 });
  });

  test("an error result is cut like others, and its other fields stay", () => {
    const failed = (content: string): Message => user(res("a", content, { is_error: true }));
    const { messages } = compactOldToolResults([q, calls("a"), failed("x".repeat(900)), ...newest], over);
    assert.deepEqual(messages[2], failed("x".repeat(500) + MARK));
  });

  test("the second time there is nothing to do", () => {
    const once = compactOldToolResults([q, calls("a"), user(res("a", "x".repeat(900))), ...newest], over);
    assert.deepEqual(compactOldToolResults(once.messages, over), { messages: once.messages, compacted: 0 });
  });
});

describe("compactOldToolResults: the newest round stays", () => {
  const long = "x".repeat(900);
  const cut = "x".repeat(500) + MARK;
  const ROWS: readonly (readonly [what: string, messages: readonly Message[], compactedAt: readonly number[], target?: Partial<Target>])[] = [
    ["the only round", [q, calls("a"), user(res("a", long))], []],
    ["though the assistant has answered it", [q, calls("a"), user(res("a", long)), done, q], []],
    ["parallel results in two messages", [q, calls("a"), user(res("a", long)), calls("b", "c"), user(res("b", long)), user(res("c", long))], [2]],
    ["calls in two messages of one turn", [q, calls("a"), user(res("a", long)), calls("b"), calls("c"), user(res("b", long)), user(res("c", long))], [2]],
    [
      "user messages with several parts are no results",
      [q, calls("a"), user(res("a", long)), calls("b"), user(res("b", long)), done, user(text("x"), text("y"))],
      [2],
    ],
    [
      "all rounds before it are old",
      [q, calls("a"), user(res("a", long)), calls("b"), user(res("b", long)), calls("c"), user(res("c", long)), done, q],
      [2, 4],
    ],
    ["an orphaned result is cut, too", [q, user(res("z", long)), done, q, calls("a"), user(res("a", long))], [1]],
    [
      "in manual mode nothing before the thinking of an open loop",
      [q, calls("a"), user(res("a", long)), assistant(think("s", ""), use("b", "grep")), user(res("b", long))],
      [],
      { thinking: "manual" },
    ],
  ];
  for (const [what, messages, compactedAt, target] of ROWS) {
    test(what, () => {
      const expected = messages.map((message, position) =>
        compactedAt.includes(position) ? user({ ...(message.content[0] as Block), content: cut }) : message,
      );
      assert.deepEqual(compactOldToolResults(messages, over, target), { messages: expected, compacted: compactedAt.length });
    });
  }
});

describe("compactOldToolResults: the notice", () => {
  const three = [q, ...["a", "b", "c"].flatMap((id) => [calls(id), user(res(id, "x".repeat(900)))]), ...newest];

  test("onCompact gets the numbers, once", () => {
    const notices: CompactionNotice[] = [];
    compactOldToolResults(three, { inputTokens: 45_231, onCompact: (notice) => notices.push(notice) });
    assert.deepEqual(notices, [{ compacted: 3, inputTokens: 45_231, inputTokenBudget: 40_000 }]);
  });

  test("onCompact is not called if nothing was compacted", () => {
    const onCompact = (): never => assert.fail("called");
    compactOldToolResults(three, { inputTokens: 40_000, onCompact });
    compactOldToolResults([q, ...newest], { inputTokens: 45_231, onCompact });
  });

  test("by default a line on standard error", (t) => {
    const print = t.mock.method(console, "error", () => undefined);
    compactOldToolResults(three, { inputTokens: 45_231 });
    assert.deepEqual(
      print.mock.calls.map((call) => call.arguments),
      [["Note: Compacted 3 old tool result(s) — input tokens (45,231) exceeded budget (40,000)"]],
    );
  });
});

describe("inputTokensOf", () => {
  const ROWS: readonly (readonly [usage: Parameters<typeof inputTokensOf>[0], tokens: number])[] = [
    [{ input_tokens: 7 }, 7],
    [{ input_tokens: 7, cache_read_input_tokens: 40_000 }, 40_007],
    [{ input_tokens: 7, cache_creation_input_tokens: 500 }, 507],
    [{ input_tokens: 7, cache_read_input_tokens: 40_000, cache_creation_input_tokens: 500 }, 40_507],
    [{ input_tokens: 7, cache_read_input_tokens: null, cache_creation_input_tokens: null }, 7],
    [{ input_tokens: 0 }, 0],
  ];
  for (const [usage, tokens] of ROWS) test(JSON.stringify(usage), () => assert.equal(inputTokensOf(usage), tokens));

  test("the provider's other fields are left alone", () => {
    const usage = { input_tokens: 1, output_tokens: 9, cache_creation: { ephemeral_5m_input_tokens: 3 }, service_tier: "standard" };
    assert.equal(inputTokensOf(usage), 1);
  });
});
