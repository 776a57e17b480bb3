import assert from "node:assert/strict";
import { test } from "node:test";
import type { JudgedBlock, JudgedMessage, JudgeTarget } from "./provider-judge.ts";
import { addedFaults, faults } from "./provider-judge.ts";

type Row = readonly [rule: string, bad: readonly JudgedMessage[], good: readonly JudgedMessage[], target?: JudgeTarget];

const t = (text: string): JudgedBlock => ({ type: "text", text }) as JudgedBlock;
const use = (id: string, more: object = {}): JudgedBlock => ({ type: "tool_use", id, name: "bash", input: {}, ...more }) as JudgedBlock;
const res = (id: string, more: object = {}): JudgedBlock => ({ type: "tool_result", tool_use_id: id, content: "ok", ...more }) as JudgedBlock;
const search = (id: string): JudgedBlock => ({ type: "server_tool_use", id, name: "web_search", input: {} }) as JudgedBlock;
const hits = (id: string): JudgedBlock => ({ type: "web_search_tool_result", tool_use_id: id, content: [] }) as JudgedBlock;
const think = (signature: string): JudgedBlock => ({ type: "thinking", thinking: "…", signature }) as JudgedBlock;
const image: JudgedBlock = { type: "image" };
const marked = (block: JudgedBlock, ttl?: string): JudgedBlock =>
  ({ ...block, cache_control: { type: "ephemeral", ...(ttl === undefined ? {} : { ttl }) } }) as JudgedBlock;
const compaction = (more: object = {}): JudgedBlock => ({ type: "compaction", content: "Summary.", ...more }) as JudgedBlock;

const user = (...content: (string | JudgedBlock)[]): JudgedMessage => ({
  role: "user",
  content: content.map((part) => (typeof part === "string" ? t(part) : part)),
});
const model = (...content: (string | JudgedBlock)[]): JudgedMessage => ({ ...user(...content), role: "assistant" });
const system = (content: string | JudgedBlock[]): JudgedMessage => ({ role: "system", content });
const raw = (role: string, content: string | JudgedBlock[]): JudgedMessage => ({ role, content });

const q = user("q");
const round: readonly JudgedMessage[] = [model(use("a")), user(res("a"))];

const ROWS: readonly Row[] = [
  ["A1.1:", [], [q]],
  ["A1.2:", [model("hi"), q], [q, model("hi"), q]],
  ["A1.2:", [model(compaction()), q], [model(compaction({ signature: "s" })), q]],
  ["A1.4:user", [raw("user", "")], [raw("user", "x")]],
  ["A1.4:assistant", [q, raw("assistant", []), q], [q, q]],
  ["A1.5:user", [user("q", "")], [user("q", "x")]],
  ["A1.6:assistant", [q, model(" \n"), q], [q, model(" x\n"), q]],
  ["A1.6:user", [raw("user", "\t")], [raw("user", "\tx")]],
  ["A1.7:", [q, model("so ")], [q, model("so")], { prefill: true, thinking: "off" }],
  ["A1.8:", [q, model("so")], [q, model("so"), q]],
  ["A1.8:", [q, model("so")], [q, model(search("s"))]],
  ["A1.9:", [q, model("so")], [q, model("so"), q], { prefill: true }],
  ["A1.10:*", [system("s"), q], [q, system("s")]],
  ["A1.10:*", [q, system("s"), q], [q, system("s"), model("a"), q]],
  ["A1.10:*", [q, model("a"), system("s"), model("b"), q], [q, model(search("s"), hits("s")), system("s"), model("b"), q]],
  ["A1.10:*", [q, model(use("a")), system("s"), user(res("a"))], [q, model(use("a")), user(res("a")), system("s")]],
  [
    "A1.10:*",
    [q, model(use("a")), model(search("s"), hits("s")), system("s"), model("b"), user(res("a"))],
    [q, model(use("a")), model(search("s"), hits("s"), "b"), user(res("a"))],
  ],
  ["A1.11:*", [q, system([image])], [q, system([t("s")])]],
  ["A1.11:*", [q, system("")], [q, system("s")]],
  [
    "A1.11:*",
    [q, { ...system([marked(t("s"))]), clear_at: "next_user_message" } as JudgedMessage],
    [q, { ...system([t("s")]), clear_at: "next_user_message" } as JudgedMessage],
  ],
  ["A2.1:a", [q, model(use("a")), q], [q, ...round]],
  ["A2.1:b", [q, model(use("a"), use("b")), user(res("a")), model("x"), user("y")], [q, model(use("a"), use("b")), user(res("a")), user(res("b"), "y")]],
  ["A2.1:a", [q, model(use("a"))], [q, ...round], { prefill: true, thinking: "off" }],
  ["A2.2|A2.6:a", [user(res("a"))], [q, ...round]],
  ["A2.2|A2.6:a", [q, ...round, model("x"), user(res("a"))], [q, ...round, model("x"), user("y")]],
  ["A2.2|A2.6:a", [q, model(use("a")), user(res("a"), res("a"))], [q, ...round]],
  ["A2.2|A2.6:a", [q, model(use("a"), res("a")), user(res("a"))], [q, ...round]],
  ["A2.3:a", [q, model(use("a")), user("x", res("a"))], [q, model(use("a")), user(res("a"), "x")]],
  ["A2.3:b", [q, model(use("a"), use("b")), user(res("a"), "x"), user(res("b"))], [q, model(use("a"), use("b")), user(res("a")), user(res("b"), "x")]],
  ["A2.5:a", [q, ...round, ...round], [q, ...round, model(use("b")), user(res("b"))]],
  ["A2.7:a b", [q, model(use("a b")), user(res("c"))], [q, model(use("a_b")), user(res("a_b"))]],
  ["A2.8:a", [q, model(use("a", { name: "" })), user(res("a"))], [q, ...round]],
  ["A2.8:a", [q, model(use("a", { name: "n".repeat(201) })), user(res("a"))], [q, model(use("a", { name: "n".repeat(200) })), user(res("a"))]],
  ["A2.9:a", [q, model(use("a", { input: "text" })), user(res("a"))], [q, ...round]],
  ["A2.9:a", [q, model(use("a", { input: [] })), user(res("a"))], [q, ...round]],
  ["A2.12:a", [q, model(use("a")), user(res("a", { is_error: true, content: "" }))], [q, model(use("a")), user(res("a", { is_error: false, content: "" }))]],
  ["A2.12:a", [q, model(use("a")), user(res("a", { is_error: true, content: undefined }))], [q, model(use("a")), user(res("a", { content: undefined }))]],
  [
    "A2.13:a",
    [q, model(use("a")), user(res("a", { is_error: true, content: [t("x"), image] }))],
    [q, model(use("a")), user(res("a", { content: [t("x"), image] }))],
  ],
  ["A3.1:s", [q, model(hits("s"), "x"), q], [q, model(search("s"), hits("s"), "x"), q]],
  ["A3.1:s", [q, model(hits("s"), search("s")), q], [q, model(search("s")), model(hits("s")), q]],
  ["A3.1:s", [q, model(search("s")), user(hits("s"))], [q, model(search("s"), hits("s")), q]],
  ["A3.2:s", [q, model(search("s"), "x"), q], [q, model(search("s"), hits("s"), "x"), q]],
  ["A3.2:s", [q, model(search("s"), use("a")), user(res("a"), "x")], [q, model(search("s"), use("a")), user(res("a"))]],
  ["A3.2:s", [q, model(search("s"), use("a")), user(res("a")), model("x"), q], [q, model(search("s"), use("a")), user(res("a")), model(hits("s"), "x"), q]],
  [
    "A3.3:a",
    [q, model(use("a", { caller: { tool_id: "s" } })), user(res("a"))],
    [q, model(search("s"), use("a", { caller: { tool_id: "s" } })), user(res("a"))],
  ],
  [
    "A3.3:b",
    [q, model(search("s"), use("a")), user(res("a")), model(hits("s"), "x"), q, model(use("b", { caller: { tool_id: "s" } })), user(res("b"))],
    [q, model(search("s"), use("a")), user(res("a")), model(use("b", { caller: { tool_id: "s" } })), user(res("b"))],
  ],
  ["A4.2:", [q, ...round], [q, model(think("1"), use("a")), user(res("a"))], { thinking: "manual" }],
  ["A4.2:", [q, model("x"), q, ...round], [q, model("x"), q], { thinking: "manual" }],
  [
    "A4.2:",
    [q, model(use("a")), user(res("a")), model(think("1"), use("b")), user(res("b"))],
    [q, model(think("1"), use("a")), user(res("a")), model(use("b")), user(res("b"))],
    { thinking: "manual" },
  ],
  ["A4.4:*", [q, model("x", think("1"), "y"), q], [q, model("x"), model(think("1"), "y"), q]],
  ["A4.5:*", [q, model(think("1")), q], [q, model(think("1")), model("x"), q]],
  ["A4.6:*", [q, model(think("1"), use("a")), user(res("a"))], [q, model(think("1"), use("a")), user(res("a")), model("x"), q], { thinking: "off" }],
  ["A4.7:*", [q, model({ type: "thinking" }, "x"), q], [q, model(think("1"), "x"), q]],
  ["A4.7:*", [q, model({ type: "redacted_thinking" }, "x"), q], [q, model({ type: "redacted_thinking", data: "d" } as JudgedBlock, "x"), q]],
  ["A5.empty:*", [q, model(compaction({ content: "" }), "x"), q], [q, model(compaction({ content: null }), "x"), q]],
  ["A5.misplaced:*", [q, model(compaction({ signature: "s" }), "x"), q], [model(compaction({ signature: "s" }), "x"), q]],
  ["A6.max:", [user(...["1", "2", "3", "4", "5"].map((text) => marked(t(text))))], [user(...["1", "2", "3", "4"].map((text) => marked(t(text))), "5")]],
  ["A6.max:", [q, model(use("a")), user(res("a", { content: ["1", "2", "3", "4", "5"].map((text) => marked(t(text))) }))], [q, ...round]],
  ["A6.thinking:*", [q, model(marked(think("1")), "x"), q], [q, model(think("1"), marked(t("x"))), q]],
  ["A6.ttl:", [user(marked(t("a")), marked(t("b"), "1h"))], [user(marked(t("a"), "1h"), marked(t("b"), "5m"))]],
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
  ["A2.1:a", [q, model(use("a")), q]],
  ["A2.5:a", [q, ...round, ...round]],
  ["A2.3:a", [q, model(use("a")), user("x", res("a"))]],
  ["A1.2:", [model("hi"), q]],
  ["A3.2:s", [q, model(search("s"), "x"), q]],
];

for (const [fault, bad] of ALONE) {
  test(`reports ${fault} once and nothing else`, () => {
    assert.deepEqual(faults(bad), [fault]);
  });
}

test("an empty text with a cache marker breaks two rules", () => {
  assert.deepEqual(faults([user("q", marked(t("")))]), ["A1.5:user", "A6.empty:"]);
});

test("two signed compaction blocks are ambiguous", () => {
  assert.ok(faults([model(compaction({ signature: "s" }), compaction({ signature: "s" })), q]).includes("A5.ambiguous:"));
});

test("a history may end in open calls, in some of their results and in an assistant message; a request may not", () => {
  const ends: (readonly JudgedMessage[])[] = [
    [q, model(use("a"))],
    [q, model(use("a"), use("b")), user(res("a"))],
    [q, model("done")],
  ];
  for (const messages of ends) {
    assert.deepEqual(faults(messages, { history: true }), []);
    assert.notDeepEqual(faults(messages), []);
  }
  assert.deepEqual(faults([q, model(use("a"), use("b")), user(res("a"), "and now?")], { history: true }), ["A2.1:b"]);
});

test("subjects do not depend on where a fault stands", () => {
  const bad = [model(use("a")), user("x"), model(think("1"))];
  const later = [q, model("x"), q, ...bad, q];
  assert.deepEqual(faults([q, ...bad, q]), faults(later));
});

test("addedFaults compares how often each fault occurs", () => {
  const once = [q, ...round, ...round];
  const twice = [...once, ...round];
  assert.deepEqual(addedFaults(once, twice), ["A2.5:a"]);
  assert.deepEqual(addedFaults(twice, once), []);
  assert.deepEqual(addedFaults([q], [q, model("x")]), ["A1.8:"]);
});
