/** What is part of a prompt, as the cache sees it, and what is not. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, text, think, use, user } from "../../../test/support/build.ts";
import type { Block } from "../../messages/message.ts";
import { contentTokens } from "../../tokens/message-tokens.ts";
import { costOf, type BilledRequest } from "../index.ts";

const SONNET = "claude-sonnet-4-5";
const SOL = "gpt-5.6-sol";

/** Sizes are written into the content: `2000`, `2000 b`. Calls have 7 tokens. */
const tokensOf = (value: unknown): number => {
  const { type, text: said, name, content } = value as Readonly<Record<string, unknown>>;
  if (type === "tool_use") return 7;
  if (Array.isArray(content)) return content.reduce((sum: number, part) => sum + tokensOf(part), 0);
  return Number(/\d+/.exec(String(said ?? content ?? name))?.[0]);
};

const mark: object = { cache_control: { type: "ephemeral" } };
const sized = (tokens: number, name = "", more: object = {}): Block => text(`${tokens} ${name}`, more);
const marked = (tokens: number): Block => sized(tokens, "", mark);
const sizedRes = (tokens: number, more: object = {}): Block => res("a", `${tokens}`, more);

describe("what does not change a prompt", () => {
  const reads = (before: BilledRequest, after: BilledRequest, id = SONNET): number | undefined =>
    costOf([before, after], id, { tokensOf }).requests[1]?.cacheRead;

  test("equal content in other objects", () => {
    const request: BilledRequest = { tools: [{ name: "50" }], system: "30", messages: [user(marked(2000)), assistant(use("a")), user(sizedRes(5, mark))] };
    assert.equal(reads(request, structuredClone(request)), 2092);
  });
  test("a string instead of a text block", () => {
    const block = user(text("2000", mark));
    assert.equal(reads({ messages: [block] }, { messages: [user("2000"), user(marked(5))] }), 2000);
  });
  test("two messages of one role instead of one (A1.3)", () =>
    assert.equal(reads({ messages: [user(sized(1500), marked(500))] }, { messages: [user(sized(1500)), user(marked(500))] }), 2000));
  test("a marker that moves", () =>
    assert.equal(reads({ messages: [user(sized(1500), marked(500))] }, { messages: [user(marked(1500), sized(500)), user(marked(1))] }), 2000));
  test("a breakpoint of GPT-5.6 that moves", () => {
    const breakpoint = { prompt_cache_breakpoint: { mode: "explicit" } };
    const sent = [user(sized(1500, "", breakpoint), sized(500))];
    assert.equal(reads({ messages: sent }, { messages: [user(sized(1500), sized(500)), user(sized(1))] }, SOL), 2000);
  });
  test("a marker inside a tool result, which takes effect at its end", () => {
    const nested = (more: object): Block => res("a", [sized(900, "", more), sized(700)]);
    const start = [user(sized(10)), assistant(use("a"))];
    // 10 + 7 + 900 + 700
    assert.equal(reads({ messages: [...start, user(nested(mark))] }, { messages: [...start, user(nested({}), marked(5))] }), 1617);
  });
  test("an empty system prompt", () => assert.equal(reads({ system: "", messages: [user(marked(2000))] }, { messages: [user(marked(2000))] }), 2000));
});

describe("what changes it", () => {
  const pair = (input: object): BilledRequest => ({ messages: [user(sized(1500)), assistant(use("a", "read", input)), user(sizedRes(5, mark))] });
  const misses = (before: BilledRequest, after: BilledRequest): void => {
    const bills = costOf([before, after, after], SONNET, { tokensOf }).requests;
    assert.deepEqual(
      bills.map(({ cacheRead }) => cacheRead > 0),
      [false, false, true],
    );
  };

  test("the order of the keys in the input of a call (F)", () => misses(pair({ a: 1, b: 2 }), pair({ b: 2, a: 1 })));
  test("a field of a call's input that is named like a marker", () => misses(pair({ cache_control: 1 }), pair({ cache_control: 2 })));
  test("the role of a block", () => misses({ messages: [user(marked(2000))] }, { messages: [assistant(marked(2000))] }));
  test("a block that moves from the system prompt to a message", () => misses({ system: [marked(2000)], messages: [] }, { messages: [user(marked(2000))] }));
  test("the order of two blocks", () => misses({ messages: [user(sized(1500), marked(600))] }, { messages: [user(sized(600), marked(1500))] }));
});

test("whoever counts is told where each block stands, also after thinking that the model forgets", () => {
  const thought = think("s", "3");
  const places: string[] = [];
  costOf(
    [
      {
        tools: [{ name: "1" }],
        system: [sized(1), sized(2)],
        messages: [user(sized(1)), assistant(thought, sized(2)), user(sized(3), sized(4))],
      },
    ],
    SONNET,
    {
      tokensOf: (_block, { part, position, block }) => places.push(`${part} ${position} ${block}`),
    },
  );
  assert.deepEqual(places, ["tools 0 0", "system 0 0", "system 0 1", "messages 0 0", "messages 1 1", "messages 2 0", "messages 2 1"]);
});

describe("without counts, lengths are estimated and scaled to the tokens of the model", () => {
  const block = sized(1, "the quick brown fox jumps over the lazy dog, ".repeat(40));
  const tool = { name: "read", description: "reads a file ".repeat(30), type: "image" };
  for (const [id, factor] of [
    ["gpt-5", 1],
    ["claude-opus-4-6", 1.1],
    ["claude-opus-4-7", 1.1 * 1.325],
  ] as const) {
    test(id, () => {
      const { total } = costOf([{ tools: [tool], messages: [user(block)] }], id);
      // A tool counts as its JSON, whatever its type is.
      assert.equal(total.inputTokens, Math.round(contentTokens([block]) * factor) + Math.round(contentTokens(JSON.stringify(tool)) * factor));
    });
  }
});
