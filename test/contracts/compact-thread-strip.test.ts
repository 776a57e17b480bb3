import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compactThread, type Block, type Message, type Target } from "../../src/index.ts";

const block = (type: string, fields: object): Block => ({ type, ...fields });
const text = (content: string): Block => block("text", { text: content });
const reminderText = "<system-reminder>Remember.</system-reminder>";
const reminder = text(reminderText);
const think = (signature: string): Block => block("thinking", { thinking: "Hm.", signature });
const redacted = block("redacted_thinking", { data: "xyz" });
const user = (...content: Block[]): Message => ({ role: "user", content });
const model = (...content: Block[]): Message => ({ role: "assistant", content });
const says = (content: string): Message => ({ role: "assistant", content });
const [markA, markB] = [text("<checkpoint:aaaaaa>"), text("<checkpoint:bbbbbb>")];

/** The thread is the message, then a stretch that is replaced. */
function stripped(message: Message, target?: Partial<Target>): Message | undefined {
  const thread = [
    user(text("q")),
    ...(message.role === "user" ? [says("a")] : []),
    message,
    ...(message.role === "user" ? [] : [user(text("r"))]),
    user(markA),
    says("x"),
    user(markB),
    says("end"),
  ];
  const view = compactThread(thread, [{ from: "aaaaaa", to: "bbbbbb", summary: "S." }], { ...(target === undefined ? {} : { target }) });
  const position = message.role === "user" ? 2 : 1;
  return view.length === thread.length - 2 + 1 ? view[position] : undefined;
}

describe("what is stripped of a user message", () => {
  const ROWS: readonly (readonly [what: string, before: Message, after: Message])[] = [
    ["a reminder in its own block", user(text("Fix it."), reminder), user(text("Fix it."))],
    ["with blanks around it", user(text("Fix it."), text(`\n ${reminderText}\n`)), user(text("Fix it."))],
    ["over several lines", user(text("Fix it."), text("<system-reminder>\na\nb\n</system-reminder>")), user(text("Fix it."))],
    ["a reminder block", user(text("Fix it."), block("system_reminder", { text: "Remember." })), user(text("Fix it."))],
    ["a span inside longer text", user(text(`Fix it. ${reminderText} Please.`)), user(text("Fix it.  Please."))],
    ["two spans inside longer text", user(text(`${reminderText}Fix${reminderText} it.`)), user(text("Fix it."))],
    ["a span inside a string", { role: "user", content: `Fix it.${reminderText}` }, { role: "user", content: "Fix it." }],
    ["the checkpoint stays", user(text("Fix it."), reminder, text("<checkpoint:zzzzzz>")), user(text("Fix it."), text("<checkpoint:zzzzzz>"))],
    ["a tag that is never closed is ordinary text", user(text("Write <system-reminder> here.")), user(text("Write <system-reminder> here."))],
    ["a closing tag alone is ordinary text", user(text("Write </system-reminder> here.")), user(text("Write </system-reminder> here."))],
    ["tags of another name stay", user(text("<reminder>Remember.</reminder>")), user(text("<reminder>Remember.</reminder>"))],
    ["thinking of a user is no thinking", user(text("q"), think("1")), user(text("q"), think("1"))],
  ];
  for (const [what, before, after] of ROWS) test(what, () => assert.deepEqual(stripped(before), after));

  test("a message that is left without blocks is not shown", () => {
    const thread = [user(text("q")), says("a"), user(reminder), user(markA), says("x"), user(markB), says("end")];
    assert.deepEqual(compactThread(thread, [{ from: "aaaaaa", to: "bbbbbb", summary: "S." }]), [
      user(text("q")),
      says("a"),
      user(markA),
      says("S."),
      says("end"),
    ]);
  });

  test("a last message that would be left without blocks is kept", () => {
    const thread = [user(markA), says("x"), user(markB), says("y"), user(reminder)];
    assert.deepEqual(compactThread(thread, [{ from: "aaaaaa", to: "bbbbbb", summary: "S." }]), [user(markA), says("S."), says("y"), user(reminder)]);
  });

  test("tool results are not touched", () => {
    const result = block("tool_result", { tool_use_id: "1", content: reminderText });
    const parts = block("tool_result", { tool_use_id: "2", content: [reminder, text(`x ${reminderText}`)] });
    const calls = model(block("tool_use", { id: "1", name: "read", input: {} }), block("tool_use", { id: "2", name: "read", input: {} }));
    const thread = [user(text("q")), calls, user(result, parts, reminder), user(markA), says("x"), user(markB), says("end")];
    const view = compactThread(thread, [{ from: "aaaaaa", to: "bbbbbb", summary: "S." }]);
    assert.deepEqual(view, [user(text("q")), calls, user(result, parts), user(markA), says("S."), says("end")]);
  });
});

describe("what is stripped of an assistant message", () => {
  const ROWS: readonly (readonly [what: string, before: Message, after: Message])[] = [
    ["thinking", model(think("1"), text("x")), model(text("x"))],
    ["redacted thinking", model(redacted, think("1"), text("x")), model(text("x"))],
    ["no reminder", model(reminder, text("x")), model(reminder, text("x"))],
    ["no other block", model(block("fallback", { reason: "r" }), text("x")), model(block("fallback", { reason: "r" }), text("x"))],
  ];
  for (const [what, before, after] of ROWS) {
    test(what, () => {
      assert.deepEqual(stripped(before), after);
      assert.deepEqual(stripped(before, { bindsThinking: false }), after);
    });
  }
});

describe("where it is stripped", () => {
  const thread = [
    user(text("q"), reminder),
    model(think("1"), text("x")),
    user(reminder, markA),
    says("y"),
    user(markB, reminder, text("z")),
    model(think("2"), text("end")),
  ];
  const replacement = { from: "aaaaaa", to: "bbbbbb", summary: "S." };

  test("everywhere, by default", () => {
    const expected = [user(text("q")), model(text("x")), user(markA), says("S."), user(text("z")), model(text("end"))];
    assert.deepEqual(compactThread(thread, [replacement]), expected);
    assert.deepEqual(compactThread(thread, [replacement], { strip: "all" }), expected);
  });

  test("after-edit leaves what lies before the first replacement, as the same objects", () => {
    const view = compactThread(thread, [replacement], { strip: "after-edit" });
    assert.deepEqual(view, [thread[0], thread[1], thread[2], says("S."), user(text("z")), model(text("end"))]);
    assert.equal(view[0], thread[0]);
    assert.equal(view[1], thread[1]);
  });

  test("after-edit with an open start is everywhere", () => {
    const omitted = { role: "user", content: "[Earlier conversation omitted]" };
    assert.deepEqual(compactThread(thread, [{ to: "aaaaaa", summary: "S." }], { strip: "after-edit" }), [
      omitted,
      says("S."),
      says("y"),
      user(markB, text("z")),
      model(text("end")),
    ]);
  });
});
