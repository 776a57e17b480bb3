import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkMessages, compactThread, type Block, type CompactThreadOptions, type Message, type Replacement } from "../../src/index.ts";

const block = (type: string, fields: object): Block => ({ type, ...fields });
const text = (content: string): Block => block("text", { text: content });
const mark = (id: string): Block => text(`<checkpoint:${id.repeat(6)}>`);
const reminder = text("<system-reminder>Remember the style guide.</system-reminder>");
const think = (signature: string): Block => block("thinking", { thinking: "Let me see.", signature });
const use = (id: string): Block => block("tool_use", { id, name: "read", input: { path: id } });
const res = (id: string): Block => block("tool_result", { tool_use_id: id, content: `content of ${id}` });
const user = (...content: Block[]): Message => ({ role: "user", content });
const model = (...content: Block[]): Message => ({ role: "assistant", content });
const says = (content: string): Message => ({ role: "assistant", content });
const omitted: Message = { role: "user", content: "[Earlier conversation omitted]" };

const [a, b, c] = ["aaaaaa", "bbbbbb", "cccccc"];
const summary = "Read both files.";

type Row = readonly [
  what: string,
  thread: readonly Message[],
  replacements: readonly Replacement[],
  expected: readonly Message[],
  options?: CompactThreadOptions,
];

function check(rows: readonly Row[]): void {
  for (const [what, thread, replacements, expected, options] of rows) {
    test(what, () => {
      assert.deepEqual(compactThread(thread, replacements, options), expected);
      if (checkMessages(thread, { history: true }).length === 0) assert.deepEqual(checkMessages(expected, { history: true }), []);
    });
  }
}

const thread: readonly Message[] = [
  user(text("content"), reminder, mark("a")),
  model(think("1"), text("content 1"), use("1")),
  user(res("1"), reminder, mark("b")),
  model(think("2"), text("content 2"), use("2")),
  user(res("2"), reminder, mark("c")),
  model(think("3"), text("content 3")),
];

describe("compactThread: the examples", () => {
  check([
    ["from aaaaaa to cccccc", thread, [{ from: a, to: c, summary }], [user(text("content"), mark("a")), says(summary), model(text("content 3"))]],
    ["from aaaaaa to the end", thread, [{ from: a, summary }], [user(text("content"), mark("a")), says(summary)]],
    ["from the start to cccccc", thread, [{ to: c, summary }], [omitted, says(summary), model(text("content 3"))]],
  ]);
});

describe("compactThread: borders", () => {
  check([
    [
      "in the middle: what lies around it stays, stripped",
      thread,
      [{ from: a, to: b, summary }],
      [user(text("content"), mark("a")), says(summary), model(text("content 2"), use("2")), user(res("2"), mark("c")), model(text("content 3"))],
    ],
    ["all of it", thread, [{ summary }], [omitted, says(summary)]],
    ["an empty summary deletes", thread, [{ from: a, to: c, summary: "" }], [user(text("content"), mark("a")), model(text("content 3"))]],
    ["a blank summary counts as empty", thread, [{ from: a, to: c, summary: " \n" }], [user(text("content"), mark("a")), model(text("content 3"))]],
    [
      "undefined is as good as left out",
      thread,
      [{ from: undefined, to: c, summary } as unknown as Replacement],
      [omitted, says(summary), model(text("content 3"))],
    ],
    [
      "later blocks of the `to` message stay, as a user message",
      [user(text("q"), mark("a")), model(use("1")), user(res("1"), mark("b"), text("Use tabs!")), says("ok")],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), says(summary), user(text("Use tabs!")), says("ok")],
    ],
    [
      "later blocks of the `from` message go",
      [user(text("q"), mark("a"), text("and this")), says("x"), user(mark("b"))],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), says(summary)],
    ],
    [
      "within one message",
      [user(text("q"), mark("a"), text("gone"), mark("b"), text("stays"))],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), says(summary), user(text("stays"))],
    ],
    [
      "checkpoint blocks count as their text does",
      [user(text("q"), block("checkpoint", { id: a })), says("x"), user(text("y"), block("checkpoint", { id: b })), says("z")],
      [{ from: a, to: b, summary }],
      [user(text("q"), block("checkpoint", { id: a })), says(summary), says("z")],
    ],
    [
      "a string that is a checkpoint",
      [{ role: "user", content: "<checkpoint:aaaaaa>" }, says("x"), user(text("y"), mark("b")), says("z")],
      [{ from: a, to: b, summary }],
      [{ role: "user", content: "<checkpoint:aaaaaa>" }, says(summary), says("z")],
    ],
  ]);
});

describe("compactThread: several replacements", () => {
  const both = [user(text("content"), mark("a")), says("First."), says("Second."), model(text("content 3"))];
  check([
    [
      "a..b and b..c together",
      thread,
      [
        { from: a, to: b, summary: "First." },
        { from: b, to: c, summary: "Second." },
      ],
      both,
    ],
    [
      "in any order",
      thread,
      [
        { from: b, to: c, summary: "Second." },
        { from: a, to: b, summary: "First." },
      ],
      both,
    ],
    [
      "the start and the end, and what lies between them stays",
      thread,
      [
        { to: a, summary: "First." },
        { from: b, summary: "Second." },
      ],
      [omitted, says("First."), model(text("content 1"), use("1")), user(res("1"), mark("b")), says("Second.")],
    ],
    [
      "one deleted, one summarized",
      thread,
      [
        { to: b, summary: "" },
        { from: b, to: c, summary },
      ],
      [omitted, says(summary), model(text("content 3"))],
    ],
  ]);
});

describe("compactThread: a border inside a round", () => {
  const parallel: readonly Message[] = [
    user(text("q"), mark("a")),
    model(use("1"), use("2")),
    user(res("1"), mark("b")),
    user(res("2"), mark("c")),
    says("done"),
  ];
  check([
    [
      "the calls are outside: their results stay, and the summary comes after the last of them",
      parallel,
      [{ from: b, to: c, summary }],
      [user(text("q"), mark("a")), model(use("1"), use("2")), user(res("1"), mark("b")), user(res("2")), says(summary), says("done")],
    ],
    [
      "the calls are inside: their results go, also those behind the border",
      parallel,
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), says(summary), user(mark("c")), says("done")],
    ],
    [
      "the open end: the results stay",
      parallel,
      [{ from: b, summary }],
      [user(text("q"), mark("a")), model(use("1"), use("2")), user(res("1"), mark("b")), user(res("2")), says(summary)],
    ],
    [
      "words beside a result that goes stay",
      [user(text("q"), mark("a")), model(use("1"), use("2")), user(res("1"), mark("b")), user(res("2"), text("Use tabs!")), says("done")],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), says(summary), user(text("Use tabs!")), says("done")],
    ],
  ]);
});

describe("compactThread: system messages", () => {
  const system: Message = { role: "system", content: "be brief" };
  check([
    [
      "go with the user message before them",
      [user(text("q"), mark("a")), says("x"), user(text("y"), mark("b")), system, says("z")],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), says(summary), says("z")],
    ],
    [
      "stay with the user message before them",
      [user(text("q"), mark("a")), system, says("x"), user(text("y"), mark("b")), says("z")],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), system, says(summary), says("z")],
    ],
  ]);
});
