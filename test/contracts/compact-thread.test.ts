import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkMessages, compactThread, type Block, type CompactThreadOptions, type Message, type Replacement } from "../../src/index.ts";
import { assistant, block, res, text, think, use, user } from "../support/build.ts";

const mark = (id: string): Block => text(`<checkpoint:${id.repeat(6)}>`);
const reminder = text("<system-reminder>Remember the style guide.</system-reminder>");
const reads = (id: string): Block => use(id, "read", { path: id });
const contents = (id: string): Block => res(id, `content of ${id}`);
const omitted = user("[Earlier conversation omitted]");

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
  assistant(think("1"), text("content 1"), reads("1")),
  user(contents("1"), reminder, mark("b")),
  assistant(think("2"), text("content 2"), reads("2")),
  user(contents("2"), reminder, mark("c")),
  assistant(think("3"), text("content 3")),
];

describe("compactThread: the examples", () => {
  check([
    ["from aaaaaa to cccccc", thread, [{ from: a, to: c, summary }], [user(text("content"), mark("a")), assistant(summary), assistant(text("content 3"))]],
    ["from aaaaaa to the end", thread, [{ from: a, summary }], [user(text("content"), mark("a")), assistant(summary)]],
    ["from the start to cccccc", thread, [{ to: c, summary }], [omitted, assistant(summary), assistant(text("content 3"))]],
  ]);
});

describe("compactThread: borders", () => {
  check([
    [
      "in the middle: what lies around it stays, stripped",
      thread,
      [{ from: a, to: b, summary }],
      [
        user(text("content"), mark("a")),
        assistant(summary),
        assistant(text("content 2"), reads("2")),
        user(contents("2"), mark("c")),
        assistant(text("content 3")),
      ],
    ],
    ["all of it", thread, [{ summary }], [omitted, assistant(summary)]],
    ["an empty summary deletes", thread, [{ from: a, to: c, summary: "" }], [user(text("content"), mark("a")), assistant(text("content 3"))]],
    ["a blank summary counts as empty", thread, [{ from: a, to: c, summary: " \n" }], [user(text("content"), mark("a")), assistant(text("content 3"))]],
    [
      "undefined is as good as left out",
      thread,
      [{ from: undefined, to: c, summary } as unknown as Replacement],
      [omitted, assistant(summary), assistant(text("content 3"))],
    ],
    [
      "later blocks of the `to` message stay, as a user message",
      [user(text("q"), mark("a")), assistant(reads("1")), user(contents("1"), mark("b"), text("Use tabs!")), assistant("ok")],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), assistant(summary), user(text("Use tabs!")), assistant("ok")],
    ],
    [
      "later blocks of the `from` message go",
      [user(text("q"), mark("a"), text("and this")), assistant("x"), user(mark("b"))],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), assistant(summary)],
    ],
    [
      "within one message",
      [user(text("q"), mark("a"), text("gone"), mark("b"), text("stays"))],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), assistant(summary), user(text("stays"))],
    ],
    [
      "checkpoint blocks count as their text does",
      [user(text("q"), block("checkpoint", { id: a })), assistant("x"), user(text("y"), block("checkpoint", { id: b })), assistant("z")],
      [{ from: a, to: b, summary }],
      [user(text("q"), block("checkpoint", { id: a })), assistant(summary), assistant("z")],
    ],
    [
      "a string that is a checkpoint",
      [user("<checkpoint:aaaaaa>"), assistant("x"), user(text("y"), mark("b")), assistant("z")],
      [{ from: a, to: b, summary }],
      [user("<checkpoint:aaaaaa>"), assistant(summary), assistant("z")],
    ],
  ]);
});

describe("compactThread: several replacements", () => {
  const both = [user(text("content"), mark("a")), assistant("First."), assistant("Second."), assistant(text("content 3"))];
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
      [omitted, assistant("First."), assistant(text("content 1"), reads("1")), user(contents("1"), mark("b")), assistant("Second.")],
    ],
    [
      "one deleted, one summarized",
      thread,
      [
        { to: b, summary: "" },
        { from: b, to: c, summary },
      ],
      [omitted, assistant(summary), assistant(text("content 3"))],
    ],
  ]);
});

describe("compactThread: a border inside a round", () => {
  const parallel: readonly Message[] = [
    user(text("q"), mark("a")),
    assistant(reads("1"), reads("2")),
    user(contents("1"), mark("b")),
    user(contents("2"), mark("c")),
    assistant("done"),
  ];
  check([
    [
      "the calls are outside: their results stay, and the summary comes after the last of them",
      parallel,
      [{ from: b, to: c, summary }],
      [
        user(text("q"), mark("a")),
        assistant(reads("1"), reads("2")),
        user(contents("1"), mark("b")),
        user(contents("2")),
        assistant(summary),
        assistant("done"),
      ],
    ],
    [
      "the calls are inside: their results go, also those behind the border",
      parallel,
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), assistant(summary), user(mark("c")), assistant("done")],
    ],
    [
      "the open end: the results stay",
      parallel,
      [{ from: b, summary }],
      [user(text("q"), mark("a")), assistant(reads("1"), reads("2")), user(contents("1"), mark("b")), user(contents("2")), assistant(summary)],
    ],
    [
      "words beside a result that goes stay",
      [
        user(text("q"), mark("a")),
        assistant(reads("1"), reads("2")),
        user(contents("1"), mark("b")),
        user(contents("2"), text("Use tabs!")),
        assistant("done"),
      ],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), assistant(summary), user(text("Use tabs!")), assistant("done")],
    ],
  ]);
});

describe("compactThread: system messages", () => {
  const system: Message = { role: "system", content: "be brief" };
  check([
    [
      "go with the user message before them",
      [user(text("q"), mark("a")), assistant("x"), user(text("y"), mark("b")), system, assistant("z")],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), assistant(summary), assistant("z")],
    ],
    [
      "stay with the user message before them",
      [user(text("q"), mark("a")), system, assistant("x"), user(text("y"), mark("b")), assistant("z")],
      [{ from: a, to: b, summary }],
      [user(text("q"), mark("a")), system, assistant(summary), assistant("z")],
    ],
  ]);
});
