import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, calls, res, round, serverRes, serverUse, text, use, user } from "../../test/support/build.ts";
import { blocksOf, isText, isToolResult, isToolUse, resultText, type Message } from "../messages/message.ts";
import type { Change } from "./change.ts";
import { makeEdit, type Edit } from "./edit.ts";
import { render } from "./render.ts";
import { report } from "./report.ts";

function editsOf(log: readonly Message[], changes: readonly Change[]): Edit[] {
  return changes.map((change) => makeEdit({ pass: "test", reason: "because", tokensBefore: 0, tokensAfter: 0, madeAt: log.length, ...change }));
}

/** A view in a few words: `a?` is a call, `a=1` its result. */
function shown(log: readonly Message[], ...changes: readonly Change[]): string[] {
  return render(log, editsOf(log, changes), { bindsThinking: false }).map((message) =>
    blocksOf(message)
      .map((block) => {
        if (isToolUse(block)) return `${block.id}?`;
        if (isToolResult(block)) return `${block.tool_use_id}=${resultText(block)}`;
        return isText(block) ? block.text : block.type;
      })
      .join(" "),
  );
}

const at = (position: number, number = 0): { position: number; block: number } => ({ position, block: number });
const range = (from: [number, number], to: [number, number]): Change => ({
  kind: "replace-range",
  from: at(...from),
  to: at(...to),
  role: "user",
  summary: "S.",
});
const asText = (position: number, number = 0): Change => ({ kind: "replace-block", at: at(position, number), text: "T." });

const GO = user("Go.");
const END = user("End.");

interface Case {
  readonly name: string;
  readonly log: readonly Message[];
  readonly changes: readonly Change[];
  readonly view: readonly string[];
}

/** Calls of one message with one id, as some gateways write them (B1): a result answers all of them, and stays as long as one does. */
const TWICE = [GO, calls("a", "a"), user(res("a", "1")), END];
const BOTH = [GO, calls("a", "a"), user(res("a", "1"), res("a", "2")), END];
const THRICE = [GO, calls("a", "a", "a"), user(res("a", "1"), res("a", "2")), END];
const FAR = [GO, calls("a", "a"), user(res("a", "near")), calls("a"), user(res("a", "own")), user(res("a", "far")), END];
const LATER = [GO, calls("a", "a"), user("Wait."), assistant("Yes."), user(res("a", "1")), assistant("Hm."), user(res("a", "2")), END];
const LATER_BOTH = [GO, calls("a", "a"), user("Wait."), assistant("Yes."), user(res("a", "1"), res("a", "2")), END];

const ONE_ID: readonly Case[] = [
  { name: "the second goes, which has the result", log: TWICE, changes: [range([1, 1], [3, 0])], view: ["Go.", "a?", "a=1", "S.", "End."] },
  { name: "the second goes, its result is outside of the range", log: TWICE, changes: [range([1, 1], [2, 0])], view: ["Go.", "a?", "a=1", "S.", "End."] },
  { name: "the first goes, which has none", log: TWICE, changes: [range([1, 0], [1, 1])], view: ["Go.", "S.", "a?", "a=1", "End."] },
  { name: "the second is shown as text", log: TWICE, changes: [asText(1, 1)], view: ["Go.", "a? T.", "a=1", "End."] },
  { name: "the first is shown as text", log: TWICE, changes: [asText(1, 0)], view: ["Go.", "T. a?", "a=1", "End."] },
  { name: "both are shown as text", log: TWICE, changes: [asText(1, 0), asText(1, 1)], view: ["Go.", "T. T.", "End."] },
  { name: "both go", log: TWICE, changes: [range([1, 0], [3, 0])], view: ["Go.", "S.", "End."] },
  { name: "each has its own, and the second goes", log: BOTH, changes: [asText(1, 1)], view: ["Go.", "a? T.", "a=2", "End."] },
  { name: "each has its own, and the first goes", log: BOTH, changes: [asText(1, 0)], view: ["Go.", "T. a?", "a=1", "End."] },
  { name: "the one between two that stay goes, and the first of them has its result", log: THRICE, changes: [asText(1, 1)], view: ["Go.", "a? T. a?", "a=1 a=2", "End."] },
  { name: "the nearer result stays, not the one after another response", log: FAR, changes: [asText(1, 1)], view: ["Go.", "a? T.", "a=near", "a?", "a=own", "End."] },
  { name: "the nearer one in a range stays", log: FAR, changes: [range([1, 1], [3, 0])], view: ["Go.", "a?", "a=near", "S.", "a?", "a=own", "End."] },
  { name: "the one outside of the range goes", log: FAR, changes: [range([1, 1], [5, 0])], view: ["Go.", "a?", "a=near", "S.", "End."] },
  { name: "the one that stays keeps its own late result, which comes first", log: LATER, changes: [asText(1, 0)], view: ["Go.", "T. a?", "Wait.", "Yes.", "a=1", "Hm.", "End."] },
  { name: "the one that stays keeps its own late result beside the other", log: LATER_BOTH, changes: [asText(1, 0)], view: ["Go.", "T. a?", "Wait.", "Yes.", "a=1", "End."] },
  { name: "another call with the id, of another message, is no heir", log: [GO, calls("a"), user(res("a", "1")), calls("a"), END], changes: [asText(1)], view: ["Go.", "T.", "a?", "End."] },
]; // prettier-ignore

/** A border inside a round: a result follows its call, and a call the provider-run one that it belongs to. */
const ROUND = [GO, calls("a", "b"), user(res("a", "1"), res("b", "2"), text("Words.")), END];
const LATE = [GO, calls("a"), user("Wait."), assistant("Yes."), user(res("a", "late")), END];
const CALLER = { caller: { type: "code_execution_20250825", tool_id: "s" } };
const OWNED = [GO, assistant(serverUse("s"), use("a", "read", {}, CALLER)), user(res("a", "1")), assistant(serverRes("s"), "Said."), END];
const APART = [GO, assistant(serverUse("s")), assistant(use("a", "read", {}, CALLER)), user(res("a", "1")), assistant(serverRes("s"), "Said."), END];

const BORDERS: readonly Case[] = [
  { name: "a result whose call goes goes too", log: ROUND, changes: [range([1, 0], [1, 1])], view: ["Go.", "S.", "b?", "b=2 Words.", "End."] },
  { name: "a result whose call stays stays too", log: ROUND, changes: [range([1, 1], [3, 0])], view: ["Go.", "a?", "a=1", "S.", "End."] },
  { name: "of a range over results alone, all stay", log: ROUND, changes: [range([2, 0], [2, 2])], view: ["Go.", "a? b?", "a=1 b=2", "S.", "Words.", "End."] },
  { name: "a result that comes late stays in the range for its call", log: LATE, changes: [range([2, 0], [5, 0])], view: ["Go.", "a?", "a=late", "S.", "End."] },
  { name: "a late result goes with its call", log: LATE, changes: [range([1, 0], [2, 0])], view: ["Go.", "S.", "Wait.", "Yes.", "End."] },
  { name: "a call that code made goes with that code", log: OWNED, changes: [range([1, 0], [1, 1])], view: ["Go.", "S.", "Said.", "End."] },
  { name: "and stays with it", log: OWNED, changes: [range([1, 1], [3, 0])], view: ["Go.", "server_tool_use a?", "a=1", "web_search_tool_result", "S.", "Said.", "End."] },
  { name: "and stays with it where it stands in a message of its own", log: APART, changes: [range([2, 0], [4, 0])], view: ["Go.", "server_tool_use", "a?", "a=1", "web_search_tool_result", "S.", "Said.", "End."] },
  { name: "a collapsed round of several calls goes whole", log: ROUND, changes: [{ kind: "collapse-round", call: 1, lastResult: 2, note: "N." }], view: ["Go.", "N.", "Words.", "End."] },
  { name: "a call after every range is as it was", log: [...ROUND, calls("c"), user(res("c", "3")), END], changes: [range([1, 0], [3, 0])], view: ["Go.", "S.", "End.", "c?", "c=3", "End."] },
]; // prettier-ignore

const SEVERAL = [GO, ...round("a"), ...round("b"), ...round("c"), END];

const TEXTS: readonly Case[] = [
  { name: "the first and the last of several", log: SEVERAL, changes: [asText(1), asText(5)], view: ["Go.", "T.", "b?", "b=found", "T.", "End."] },
  { name: "after one that a range covers", log: SEVERAL, changes: [asText(1), asText(5), range([1, 0], [3, 0])], view: ["Go.", "S.", "b?", "b=found", "T.", "End."] },
  { name: "before a range, and beside text that is replaced", log: [user("Go.", "On."), ...SEVERAL.slice(1)], changes: [asText(0, 1), asText(1), range([3, 0], [7, 0])], view: ["Go. T.", "T.", "S.", "End."] },
  { name: "one that has no result yet", log: [GO, calls("a", "b"), user(res("b", "2")), END], changes: [asText(1, 0)], view: ["Go.", "T. b?", "b=2", "End."] },
]; // prettier-ignore

test("a result in a range is reported as the range's, even if its call takes the result of another", () => {
  const edits = editsOf(FAR, [asText(1, 1), range([5, 0], [6, 0])]);
  assert.deepEqual(shown(FAR, asText(1, 1), range([5, 0], [6, 0])), ["Go.", "a? T.", "a=near", "a?", "a=own", "S.", "End."]);
  assert.deepEqual(report(FAR, edits).positions[5], { position: 5, state: "swallowed", editId: edits[1]?.id });
});

test("results of a collapsed round and of a call shown as text, in one message, are reported as the text's", () => {
  const log = [GO, calls("a"), calls("b"), user(res("a", "1"), res("b", "2")), END];
  const changes: readonly Change[] = [asText(1), { kind: "collapse-round", call: 2, lastResult: 3, note: "N." }];
  const edits = editsOf(log, changes);
  assert.deepEqual(shown(log, ...changes), ["Go.", "T.", "N.", "End."]);
  assert.deepEqual(report(log, edits).positions[3], { position: 3, state: "dropped", editId: edits[0]?.id });
});

for (const [what, cases] of Object.entries({ "calls of one message with one id": ONE_ID, "a border inside a round": BORDERS, "calls shown as text": TEXTS }))
  describe(what, () => {
    for (const { name, log, changes, view } of cases)
      test(name, () => {
        assert.deepEqual(shown(log, ...changes), view);
        assert.deepEqual(render(log, [], { bindsThinking: false }), log);
      });
  });
