import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { creditIn, type Credit } from "../../bench/quality/measure/credit.ts";
import { ViewIndex } from "../../bench/quality/measure/view-index.ts";
import type { Message } from "../../src/index.ts";
import type { Recoverable } from "../../src/replay/replay-policy.ts";
import { assistant, calls, res, use, user } from "../support/build.ts";
import { idle, prepareOne } from "./synthetic.ts";

const TEXT = "Flights to Boston\nthe cheapest carrier has flight HAT4711 departing before noon today\nthe other one is later";
const JSON_TEXT = '[{"flight_number":"HAT4711","price":{"amount":120},"seats":{"economy":9}},{"flight_number":"HAT1","price":{"amount":7}}]';
const logWith = (text: string): Message[] => [
  user("go"),
  calls("a"),
  user(res("a", text)),
  ...idle(4, "i"),
  assistant(use("last", "read", { flight: "HAT4711" })),
];

function creditOf(text: string, view: readonly Message[], recoverable: readonly Recoverable[] = []): Credit {
  const { table, tokensOf } = prepareOne(logWith(text));
  const index = new ViewIndex(table, tokensOf);
  const number = table.values.findIndex(({ value }) => value === "HAT4711");
  return creditIn(view.map((message) => index.get(message)), recoverable, number, table).credit; // prettier-ignore
}

describe("what a view gives of a value", () => {
  const rows: Readonly<Record<string, readonly [text: string, shown: string, credit: Credit]>> = {
    "as it was": [TEXT, TEXT, "bound"],
    "its line": [TEXT, "the cheapest carrier has flight HAT4711 departing before noon today", "bound"],
    "with two of the four nearest words": [TEXT, "flight: HAT4711 (departing)", "bound"],
    "with one of them": [TEXT, "flight: HAT4711", "bare"],
    "with words that are too far away": [TEXT, `flight departing${" x".repeat(70)} HAT4711`, "bare"],
    "alone": [TEXT, "HAT4711", "bare"],
    "in a list of other tokens": [TEXT, "ABC123 HAT4711 DEF456", "bare"],
    "as part of a longer word": [TEXT, "flight HAT47112 departing before noon", "lost"],
    "in other case": [TEXT, "flight hat4711 departing before noon", "lost"],
    "not at all": [TEXT, "[cleared]", "lost"],
    "JSON: with its key": [JSON_TEXT, "flight_number HAT4711", "bound"],
    "JSON: with a key beside it": [JSON_TEXT, "HAT4711 seats", "bound"],
    "JSON: alone": [JSON_TEXT, "HAT4711 and HAT1", "bare"],
    "JSON: with a key of a deeper object": [JSON_TEXT, "HAT4711 economy", "bare"],
  }; // prettier-ignore
  for (const [name, [text, shown, credit]] of Object.entries(rows)) {
    test(`${name}: ${credit}`, () => assert.equal(creditOf(text, [user("go"), calls("a"), user(res("a", shown))]), credit));
  }
  test("no word around it where it was read: the value alone must do", () => assert.equal(creditOf("HAT4711", [user("list: HAT4711")]), "bound"));
});

describe("recoverable", () => {
  const cut = [user("go"), calls("a"), user(res("a", "[cut, recall r1]"))];
  test("the view names a handle to bytes that have it", () => assert.equal(creditOf(TEXT, cut, [{ handle: "r1", text: TEXT }]), "recoverable"));
  test("not if the bytes lack it", () => assert.equal(creditOf(TEXT, cut, [{ handle: "r1", text: "something else" }]), "lost"));
  test("not if the view does not name the handle", () => assert.equal(creditOf(TEXT, cut, [{ handle: "r2", text: TEXT }]), "lost"));
  test("not if it is visible anyway", () => assert.equal(creditOf(TEXT, [user("HAT4711, see r1")], [{ handle: "r1", text: TEXT }]), "bare"));
});
