import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text } from "../../test/support/build.ts";
import { isReminder, withoutReminders } from "./reminder.ts";

const reminder = (inside: string): string => `<system-reminder>${inside}</system-reminder>`;

const CASES: readonly (readonly [name: string, text: string, rest: string])[] = [
  ["one inside another", reminder(`a ${reminder("b")} c`), ""],
  ["two inside another, with white space around it", ` ${reminder(`${reminder("a")} b ${reminder("c")}`)}\n`, " \n"],
  ["words around nested ones", `Fix it. ${reminder(`a ${reminder("b")} c`)} Now.`, "Fix it.  Now."],
  ["words between two", `${reminder("a")} Fix it. ${reminder("b")}`, " Fix it. "],
  ["one that mentions the tag that opens it", reminder("about <system-reminder> tags"), ""],
  ["one that mentions it, words and another one", `${reminder("about <system-reminder> tags")} Fix it. ${reminder("b")}`, " Fix it. "],
  ["a tag that is never closed", "Fix <system-reminder> it.", "Fix <system-reminder> it."],
  ["a tag that was never opened", "Fix </system-reminder> it.", "Fix </system-reminder> it."],
];

describe("nothing of a reminder is left, and all of the words around it:", () => {
  for (const [name, all, rest] of CASES) test(name, () => assert.equal(withoutReminders(all), rest));
});

test("a block that is one reminder with another inside is a reminder", () => {
  assert.ok(isReminder(text(`\n${reminder(`a ${reminder("b")} c`)}\n`)));
  assert.ok(!isReminder(text(`${reminder("a")} Fix it. ${reminder("b")}`)));
});
