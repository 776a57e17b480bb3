import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pruneMessages, type Message } from "../../src/index.ts";
import { assistant, res, serverRes, serverUse, text, use, user } from "../support/build.ts";

const greps = (id: string, said = ""): Message => assistant(...(said === "" ? [] : [text(said)]), use(id, "grep", { pattern: "x".repeat(5000) }));

/** The positions that are left out, one group after the other, as `maxTurns` gets smaller. */
function orderOfLeaving(messages: readonly Message[]): number[][] {
  const order: number[][] = [];
  let before = messages.map((_, position) => position);
  for (let maxTurns = messages.length - 1; maxTurns >= 0; maxTurns--) {
    const view = pruneMessages(messages, { strategy: "importance", maxTurns });
    const left = messages.flatMap((message, position) => (view.includes(message) ? [position] : []));
    const gone = before.filter((position) => !left.includes(position));
    if (gone.length > 0) order.push(gone);
    before = left;
  }
  return order;
}

type Row = readonly [what: string, scores: string, messages: readonly Message[], order: readonly (readonly number[])[]];

const ROWS: readonly Row[] = [
  ["older goes first", "0 · 0.125 · 0.25 · 0.375 · protected", [user("a"), user("b"), user("c"), user("d"), user("e")], [[0], [1], [2], [3]]],
  [
    "a long answer of 1,000 characters outweighs one step in time",
    "0 · 0.125 + 0.2 = 0.325 · 0.25 · 0.375 · protected",
    [user("a"), assistant("x".repeat(1000)), user("c"), user("d"), user("e")],
    [[0], [2], [1], [3]],
  ],
  [
    "length counts up to 1,000 characters: 0.2 and no more",
    "0 · 0.1 + 0.2 = 0.3 · 0.2 · 0.3 + 0.0002 = 0.3002 · 0.4 · protected",
    [user("a"), assistant("x".repeat(100_000)), user("c"), assistant("x"), user("e"), user("f")],
    [[0], [2], [1], [3], [4]],
  ],
  [
    "a long message of the user does not count",
    "0 · 0.125 · 0.25 · 0.375",
    [user("x".repeat(9000)), user("b"), user("c"), user("d"), user("e")],
    [[0], [1], [2], [3]],
  ],
  [
    "a call counts 0.3, and its round goes whole",
    "0 · max(0.0833 + 0.3, 0.1667) = 0.3833 · 0.25 · 0.3333 · 0.4167 · protected",
    [user("a"), greps("1"), user(res("1")), user("d"), user("e"), user("f"), user("g")],
    [[0], [3], [4], [1, 2], [5]],
  ],
  [
    "neither a call's input nor a result's length counts",
    "round 1: 0.3714 · round 2: 0.3 + 0.2143 = 0.5143",
    [user("a"), greps("1"), user(res("1", "x".repeat(9000))), greps("2"), user(res("2")), user("f"), user("g"), user("h")],
    [[0], [5], [1, 2], [6], [3, 4]],
  ],
  [
    "of equal scores the oldest goes first",
    "max(0 + 0.3, 0.1) = 0.3 · 0.2 · 0.3 · 0.4 · protected",
    [greps("1"), user(res("1")), user("c"), user("d"), user("e"), user("f")],
    [[2], [0, 1], [3], [4]],
  ],
  [
    "a call that the provider runs does not count",
    "0 · 0.125 + 0.0002 · 0.25 · 0.375 · protected",
    [user("a"), assistant(serverUse("s"), serverRes("s"), "b"), user("c"), user("d"), user("e")],
    [[0], [1], [2], [3]],
  ],
  [
    "text beside a call counts as well",
    "0 · 0.3714 + 0.2 = 0.5714 · 0.5143 · 0.3571 · 0.4286 · protected",
    [user("a"), greps("1", "x".repeat(1000)), user(res("1")), greps("2"), user(res("2")), user("f"), user("g"), user("h")],
    [[0], [5], [6], [3, 4], [1, 2]],
  ],
  [
    "on a tie the older goes first",
    "0 · 0.125 + 0.125 (625 characters) = 0.25 · 0.25 · 0.375 · protected",
    [user("a"), assistant("x".repeat(625)), user("c"), user("d"), user("e")],
    [[0], [1], [2], [3]],
  ],
];

describe("importance: what leaves first", () => {
  for (const [what, scores, messages, order] of ROWS) {
    test(`${what} (${scores})`, () => assert.deepEqual(orderOfLeaving(messages), order));
  }
});

test("one message has the score 0 and stays", () => {
  assert.deepEqual(pruneMessages([user("a")], { strategy: "importance", maxTurns: 0 }), [user("a")]);
});

test("only protected messages remain, though maxTurns asks for fewer", () => {
  const messages = [user("q"), greps("1"), user(res("1")), greps("2"), user(res("2"))];
  assert.deepEqual(pruneMessages(messages, { strategy: "importance", maxTurns: 1 }), [messages[0], messages[3], messages[4]]);
});

test("a hole in the middle leaves no note", () => {
  const messages = [user("a"), assistant("b"), user("c"), assistant("x".repeat(1000)), user("e")];
  assert.deepEqual(pruneMessages(messages, { strategy: "importance", maxTurns: 2 }), [user("[Earlier conversation omitted]"), messages[3], messages[4]]);
});
