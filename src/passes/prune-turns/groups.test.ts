import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { indexLog } from "../../messages/index-log.ts";
import type { Block, Message } from "../../messages/message.ts";
import { Groups } from "./groups.ts";

const block = (type: string, fields: object): Block => ({ type, ...fields });
const says = (content = "a"): Message => ({ role: "assistant", content });
const user: Message = { role: "user", content: "q" };
const system: Message = { role: "system", content: "s" };
const calls = (...ids: string[]): Message => ({ role: "assistant", content: ids.map((id) => block("tool_use", { id, name: "x", input: {} })) });
const answers = (...ids: string[]): Message => ({ role: "user", content: ids.map((id) => block("tool_result", { tool_use_id: id, content: "r" })) });
const search = (id: string): Block => block("server_tool_use", { id, name: "web_search", input: {} });
const hits = (id: string): Block => block("web_search_tool_result", { tool_use_id: id, content: [] });
const searches = (id: string, ...ids: string[]): Message => ({
  role: "assistant",
  content: [search(id), ...ids.map((call) => block("tool_use", { id: call, name: "x", input: {} }))],
});
const found = (id: string): Message => ({ role: "assistant", content: [hits(id), block("text", { text: "t" })] });

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
    ["none of those that only speak", [user, says(), says(), user], [0, 1, 2, 3]],
    ["a call and its result", [user, calls("1"), answers("1"), says()], [0, 1, 1, 3]],
    ["calls of one turn, answered in several messages", [user, calls("1", "2"), answers("2"), answers("1"), user], [0, 1, 1, 1, 4]],
    [
      "chains of them, from wherever they are joined",
      [calls("1"), calls("2"), calls("3"), answers("3", "2"), answers("2", "1"), answers("1")],
      [0, 1, 1, 1, 0, 5],
    ],
    ["a system message and its neighbours", [user, says(), user, system, says(), user], [0, 1, 2, 2, 2, 5]],
    ["a system message at either end", [system, user, says(), user, system], [0, 0, 2, 3, 3]],
    ["a provider-run call that is answered at once, with nothing", [user, { role: "assistant", content: [search("s"), hits("s")] }, user], [0, 1, 2]],
    ["all up to a late result of the provider's", [user, searches("s", "1"), answers("1"), found("s"), says(), user], [0, 1, 1, 1, 4, 5]],
    [
      "all behind a call that the provider never answered, up to the user's next words",
      [user, searches("s", "1"), answers("1"), calls("2"), answers("2"), user, says()],
      [0, 1, 1, 1, 1, 5, 6],
    ],
    ["all of it where it is the end", [user, says(), user, searches("s", "1"), answers("1"), calls("2")], [0, 1, 2, 3, 3, 3]],
    [
      "two of them, with what lies between left alone",
      [searches("s", "1"), answers("1"), found("s"), user, says(), user, searches("t", "2"), answers("2"), found("t")],
      [0, 0, 0, 3, 4, 5, 6, 6, 6],
    ],
  ];
  check(rows, (log) => new Groups(log, indexLog(log)));
});

describe("in manual mode also", () => {
  const rows: readonly Row[] = [
    ["a whole tool loop with its answer", [user, calls("1"), answers("1"), calls("2"), answers("2"), says(), user, says()], [0, 1, 1, 1, 1, 1, 6, 7]],
    ["a response in several messages", [user, says(), says("b"), user, says()], [0, 1, 1, 3, 4]],
  ];
  check(rows, (log) => Groups.ofLoops(log, indexLog(log)));
});
