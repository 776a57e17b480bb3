import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, calls, results, serverRes, serverUse, text, use, user } from "../../../test/support/build.ts";
import { indexLog } from "../../messages/index-log.ts";
import type { Message } from "../../messages/message.ts";
import { Groups } from "./groups.ts";

const says = (content = "a"): Message => ({ role: "assistant", content });
const q = user("q");
const system: Message = { role: "system", content: "s" };
const searches = (id: string, ...ids: string[]): Message => assistant(serverUse(id), ...ids.map((call) => use(call, "x")));
const found = (id: string): Message => assistant(serverRes(id), text("t"));

type Row = readonly [what: string, log: readonly Message[], firsts: readonly number[]];

function check(rows: readonly Row[], groupsOf: (log: readonly Message[]) => Groups): void {
  for (const [what, log, firsts] of rows) {
    test(what, () => {
      const groups = groupsOf(log);
      assert.deepEqual(
        log.map((_, position) => groups.firstOf(position)),
        firsts,
      );
    });
  }
}

describe("messages that stay or go together", () => {
  const rows: readonly Row[] = [
    ["none of those that only speak", [q, says(), says(), q], [0, 1, 2, 3]],
    ["a call and its result", [q, calls("1"), results("1"), says()], [0, 1, 1, 3]],
    ["calls of one turn, answered in several messages", [q, calls("1", "2"), results("2"), results("1"), q], [0, 1, 1, 1, 4]],
    [
      "chains of them, from wherever they are joined",
      [calls("1"), calls("2"), calls("3"), results("3", "2"), results("2", "1"), results("1")],
      [0, 1, 1, 1, 0, 5],
    ],
    ["a system message and its neighbours", [q, says(), q, system, says(), q], [0, 1, 2, 2, 2, 5]],
    ["a round that a system message joins to what comes before it", [q, q, system, calls("1"), results("1"), says()], [0, 1, 1, 1, 1, 5]],
    ["a system message at either end", [system, q, says(), q, system], [0, 0, 2, 3, 3]],
    ["a provider-run call that is answered at once, with nothing", [q, assistant(serverUse("s"), serverRes("s")), q], [0, 1, 2]],
    ["all up to a late result of the provider's", [q, searches("s", "1"), results("1"), found("s"), says(), q], [0, 1, 1, 1, 4, 5]],
    [
      "all behind a call that the provider never answered, up to the user's next words",
      [q, searches("s", "1"), results("1"), calls("2"), results("2"), q, says()],
      [0, 1, 1, 1, 1, 5, 6],
    ],
    ["all of it where it is the end", [q, says(), q, searches("s", "1"), results("1"), calls("2")], [0, 1, 2, 3, 3, 3]],
    [
      "two of them, the second inside the first",
      [q, searches("s", "1"), results("1"), searches("t", "2"), results("2"), found("t"), results("3"), found("s"), q],
      [0, 1, 1, 1, 1, 1, 1, 1, 8],
    ],
    [
      "two of them, with what lies between left alone",
      [searches("s", "1"), results("1"), found("s"), q, says(), q, searches("t", "2"), results("2"), found("t")],
      [0, 0, 0, 3, 4, 5, 6, 6, 6],
    ],
  ];
  check(rows, (log) => new Groups(log, indexLog(log)));
});

describe("in manual mode also", () => {
  const rows: readonly Row[] = [
    ["a whole tool loop with its answer", [q, calls("1"), results("1"), calls("2"), results("2"), says(), q, says()], [0, 1, 1, 1, 1, 1, 6, 7]],
    ["a response in several messages", [q, says(), says("b"), q, says()], [0, 1, 1, 3, 4]],
  ];
  check(rows, (log) => Groups.ofLoops(log, indexLog(log)));
});
