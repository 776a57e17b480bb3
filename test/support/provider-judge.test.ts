import assert from "node:assert/strict";
import { test } from "node:test";
import { assistant, res, serverRes, serverUse, text, think, use, user } from "./build.ts";
import type { JudgedBlock, JudgedMessage, JudgeTarget } from "./provider-judge.ts";
import { addedFaults, faults } from "./provider-judge.ts";

type Row = readonly [rule: string, bad: readonly JudgedMessage[], good: readonly JudgedMessage[], target?: JudgeTarget];

const image: JudgedBlock = { type: "image" };
const marked = (block: JudgedBlock, ttl?: string): JudgedBlock =>
  ({ ...block, cache_control: { type: "ephemeral", ...(ttl === undefined ? {} : { ttl }) } }) as JudgedBlock;
const compaction = (more: object = {}): JudgedBlock => ({ type: "compaction", content: "Summary.", ...more }) as JudgedBlock;

const system = (content: string | JudgedBlock[]): JudgedMessage => ({ role: "system", content });
const raw = (role: string, content: string | JudgedBlock[]): JudgedMessage => ({ role, content });

const q = user(text("q"));
const round: readonly JudgedMessage[] = [assistant(use("a")), user(res("a"))];

const ROWS: readonly Row[] = [
  ["A1.1:", [], [q]],
  ["A1.2:", [assistant(text("hi")), q], [q, assistant(text("hi")), q]],
  ["A1.2:", [assistant(compaction()), q], [assistant(compaction({ signature: "s" })), q]],
  ["A1.4:user", [raw("user", "")], [raw("user", "x")]],
  ["A1.4:assistant", [q, raw("assistant", []), q], [q, q]],
  ["A1.5:user", [user("q", "")], [user("q", "x")]],
  ["A1.6:assistant", [q, assistant(text(" \n")), q], [q, assistant(text(" x\n")), q]],
  ["A1.6:user", [raw("user", "\t")], [raw("user", "\tx")]],
  ["A1.7:", [q, assistant(text("so "))], [q, assistant(text("so"))], { prefill: true, thinking: "off" }],
  ["A1.8:", [q, assistant(text("so"))], [q, assistant(text("so")), q]],
  ["A1.8:", [q, assistant(text("so"))], [q, assistant(serverUse("s"))]],
  ["A1.9:", [q, assistant(text("so"))], [q, assistant(text("so")), q], { prefill: true }],
  ["A1.10:*", [system("s"), q], [q, system("s")]],
  ["A1.10:*", [q, system("s"), q], [q, system("s"), assistant(text("a")), q]],
  [
    "A1.10:*",
    [q, assistant(text("a")), system("s"), assistant(text("b")), q],
    [q, assistant(serverUse("s"), serverRes("s")), system("s"), assistant(text("b")), q],
  ],
  ["A1.10:*", [q, assistant(use("a")), system("s"), user(res("a"))], [q, assistant(use("a")), user(res("a")), system("s")]],
  [
    "A1.10:*",
    [q, assistant(use("a")), assistant(serverUse("s"), serverRes("s")), system("s"), assistant(text("b")), user(res("a"))],
    [q, assistant(use("a")), assistant(serverUse("s"), serverRes("s"), "b"), user(res("a"))],
  ],
  ["A1.11:*", [q, system([image])], [q, system([text("s")])]],
  ["A1.11:*", [q, system("")], [q, system("s")]],
  [
    "A1.11:*",
    [q, { ...system([marked(text("s"))]), clear_at: "next_user_message" } as JudgedMessage],
    [q, { ...system([text("s")]), clear_at: "next_user_message" } as JudgedMessage],
  ],
  ["A2.1:a", [q, assistant(use("a")), q], [q, ...round]],
  [
    "A2.1:b",
    [q, assistant(use("a"), use("b")), user(res("a")), assistant(text("x")), user(text("y"))],
    [q, assistant(use("a"), use("b")), user(res("a")), user(res("b"), "y")],
  ],
  ["A2.1:a", [q, assistant(use("a"))], [q, ...round], { prefill: true, thinking: "off" }],
  ["A2.2|A2.6:a", [user(res("a", "ok"))], [q, ...round]],
  ["A2.2|A2.6:a", [q, ...round, assistant(text("x")), user(res("a"))], [q, ...round, assistant(text("x")), user(text("y"))]],
  ["A2.2|A2.6:a", [q, assistant(use("a")), user(res("a"), res("a"))], [q, ...round]],
  ["A2.2|A2.6:a", [q, assistant(use("a"), res("a")), user(res("a"))], [q, ...round]],
  ["A2.3:a", [q, assistant(use("a")), user("x", res("a"))], [q, assistant(use("a")), user(res("a"), "x")]],
  ["A2.3:b", [q, assistant(use("a"), use("b")), user(res("a"), "x"), user(res("b"))], [q, assistant(use("a"), use("b")), user(res("a")), user(res("b"), "x")]],
  ["A2.5:a", [q, ...round, ...round], [q, ...round, assistant(use("b")), user(res("b"))]],
  ["A2.7:a b", [q, assistant(use("a b")), user(res("c"))], [q, assistant(use("a_b")), user(res("a_b"))]],
  ["A2.8:a", [q, assistant(use("a", "")), user(res("a"))], [q, ...round]],
  ["A2.8:a", [q, assistant(use("a", "n".repeat(201))), user(res("a"))], [q, assistant(use("a", "n".repeat(200))), user(res("a"))]],
  ["A2.9:a", [q, assistant(use("a", "read", "text")), user(res("a"))], [q, ...round]],
  ["A2.9:a", [q, assistant(use("a", "read", [])), user(res("a"))], [q, ...round]],
  ["A2.12:a", [q, assistant(use("a")), user(res("a", "", { is_error: true }))], [q, assistant(use("a")), user(res("a", "", { is_error: false }))]],
  [
    "A2.12:a",
    [q, assistant(use("a")), user(res("a", "ok", { is_error: true, content: undefined }))],
    [q, assistant(use("a")), user(res("a", "ok", { content: undefined }))],
  ],
  ["A2.13:a", [q, assistant(use("a")), user(res("a", [text("x"), image], { is_error: true }))], [q, assistant(use("a")), user(res("a", [text("x"), image]))]],
  ["A3.1:s", [q, assistant(serverRes("s"), "x"), q], [q, assistant(serverUse("s"), serverRes("s"), "x"), q]],
  ["A3.1:s", [q, assistant(serverRes("s"), serverUse("s")), q], [q, assistant(serverUse("s")), assistant(serverRes("s")), q]],
  ["A3.1:s", [q, assistant(serverUse("s")), user(serverRes("s"))], [q, assistant(serverUse("s"), serverRes("s")), q]],
  ["A3.2:s", [q, assistant(serverUse("s"), "x"), q], [q, assistant(serverUse("s"), serverRes("s"), "x"), q]],
  ["A3.2:s", [q, assistant(serverUse("s"), use("a")), user(res("a"), "x")], [q, assistant(serverUse("s"), use("a")), user(res("a"))]],
  [
    "A3.2:s",
    [q, assistant(serverUse("s"), use("a")), user(res("a")), assistant(text("x")), q],
    [q, assistant(serverUse("s"), use("a")), user(res("a")), assistant(serverRes("s"), "x"), q],
  ],
  [
    "A3.3:a",
    [q, assistant(use("a", "read", {}, { caller: { tool_id: "s" } })), user(res("a"))],
    [q, assistant(serverUse("s"), use("a", "read", {}, { caller: { tool_id: "s" } })), user(res("a"))],
  ],
  [
    "A3.3:b",
    [
      q,
      assistant(serverUse("s"), use("a")),
      user(res("a")),
      assistant(serverRes("s"), "x"),
      q,
      assistant(use("b", "read", {}, { caller: { tool_id: "s" } })),
      user(res("b")),
    ],
    [q, assistant(serverUse("s"), use("a")), user(res("a")), assistant(use("b", "read", {}, { caller: { tool_id: "s" } })), user(res("b"))],
  ],
  ["A4.2:", [q, ...round], [q, assistant(think("1"), use("a")), user(res("a"))], { thinking: "manual" }],
  ["A4.2:", [q, assistant(text("x")), q, ...round], [q, assistant(text("x")), q], { thinking: "manual" }],
  [
    "A4.2:",
    [q, assistant(use("a")), user(res("a")), assistant(think("1"), use("b")), user(res("b"))],
    [q, assistant(think("1"), use("a")), user(res("a")), assistant(use("b")), user(res("b"))],
    { thinking: "manual" },
  ],
  ["A4.4:*", [q, assistant("x", think("1"), "y"), q], [q, assistant(text("x")), assistant(think("1"), "y"), q]],
  ["A4.5:*", [q, assistant(think("1")), q], [q, assistant(think("1")), assistant(text("x")), q]],
  [
    "A4.6:*",
    [q, assistant(think("1"), use("a")), user(res("a"))],
    [q, assistant(think("1"), use("a")), user(res("a")), assistant(text("x")), q],
    { thinking: "off" },
  ],
  ["A4.7:*", [q, assistant({ type: "thinking" }, "x"), q], [q, assistant(think("1"), "x"), q]],
  ["A4.7:*", [q, assistant({ type: "redacted_thinking" }, "x"), q], [q, assistant({ type: "redacted_thinking", data: "d" }, "x"), q]],
  ["A5.empty:*", [q, assistant(compaction({ content: "" }), "x"), q], [q, assistant(compaction({ content: null }), "x"), q]],
  ["A5.misplaced:*", [q, assistant(compaction({ signature: "s" }), "x"), q], [assistant(compaction({ signature: "s" }), "x"), q]],
  ["A6.max:", [user(...["1", "2", "3", "4", "5"].map((word) => marked(text(word))))], [user(...["1", "2", "3", "4"].map((word) => marked(text(word))), "5")]],
  [
    "A6.max:",
    [
      q,
      assistant(use("a")),
      user(
        res(
          "a",
          ["1", "2", "3", "4", "5"].map((word) => marked(text(word))),
        ),
      ),
    ],
    [q, ...round],
  ],
  ["A6.thinking:*", [q, assistant(marked(think("1")), "x"), q], [q, assistant(think("1"), marked(text("x"))), q]],
  ["A6.ttl:", [user(marked(text("a")), marked(text("b"), "1h"))], [user(marked(text("a"), "1h"), marked(text("b"), "5m"))]],
];

for (const [rule, bad, good, target] of ROWS) {
  const label = `${rule} ${JSON.stringify(bad).slice(0, 90)}`;
  test(`refuses ${label}`, () => {
    const found = faults(bad, target);
    const wanted = rule.replace("*", "");
    assert.ok(
      found.some((fault) => fault.startsWith(wanted) && (rule.endsWith("*") || fault === wanted)),
      JSON.stringify(found),
    );
  });
  test(`accepts the twin of ${label}`, () => {
    assert.deepEqual(faults(good, target), []);
  });
}

const ALONE: readonly [string, readonly JudgedMessage[]][] = [
  ["A2.1:a", [q, assistant(use("a")), q]],
  ["A2.5:a", [q, ...round, ...round]],
  ["A2.3:a", [q, assistant(use("a")), user("x", res("a"))]],
  ["A1.2:", [assistant(text("hi")), q]],
  ["A3.2:s", [q, assistant(serverUse("s"), "x"), q]],
];

for (const [fault, bad] of ALONE) {
  test(`reports ${fault} once and nothing else`, () => {
    assert.deepEqual(faults(bad), [fault]);
  });
}

test("an empty text with a cache marker breaks two rules", () => {
  assert.deepEqual(faults([user("q", marked(text("")))]), ["A1.5:user", "A6.empty:"]);
});

test("two signed compaction blocks are ambiguous", () => {
  assert.ok(faults([assistant(compaction({ signature: "s" }), compaction({ signature: "s" })), q]).includes("A5.ambiguous:"));
});

test("a history may end in open calls, in some of their results and in an assistant message; a request may not", () => {
  const ends: (readonly JudgedMessage[])[] = [
    [q, assistant(use("a"))],
    [q, assistant(use("a"), use("b")), user(res("a"))],
    [q, assistant(text("done"))],
  ];
  for (const messages of ends) {
    assert.deepEqual(faults(messages, { history: true }), []);
    assert.notDeepEqual(faults(messages), []);
  }
  assert.deepEqual(faults([q, assistant(use("a"), use("b")), user(res("a"), "and now?")], { history: true }), ["A2.1:b"]);
});

test("subjects do not depend on where a fault stands", () => {
  const bad = [assistant(use("a")), user(text("x")), assistant(think("1"))];
  const later = [q, assistant(text("x")), q, ...bad, q];
  assert.deepEqual(faults([q, ...bad, q]), faults(later));
});

test("addedFaults compares how often each fault occurs", () => {
  const once = [q, ...round, ...round];
  const twice = [...once, ...round];
  assert.deepEqual(addedFaults(once, twice), ["A2.5:a"]);
  assert.deepEqual(addedFaults(twice, once), []);
  assert.deepEqual(addedFaults([q], [q, assistant(text("x"))]), ["A1.8:"]);
});
