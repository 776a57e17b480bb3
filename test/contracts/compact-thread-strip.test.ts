import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compactThread, type Message, type Target } from "../../src/index.ts";
import { assistant, block, res, text, think, use, user } from "../support/build.ts";

const reminderText = "<system-reminder>Remember.</system-reminder>";
const reminder = text(reminderText);
const redacted = block("redacted_thinking", { data: "xyz" });
const [markA, markB] = [text("<checkpoint:aaaaaa>"), text("<checkpoint:bbbbbb>")];

/** The thread is the message, then a stretch that is replaced. */
function stripped(message: Message, target?: Partial<Target>): Message | undefined {
  const thread = [
    user(text("q")),
    ...(message.role === "user" ? [assistant("a")] : []),
    message,
    ...(message.role === "user" ? [] : [user(text("r"))]),
    user(markA),
    assistant("x"),
    user(markB),
    assistant("end"),
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
    ["a span inside a string", user(`Fix it.${reminderText}`), user("Fix it.")],
    ["the checkpoint stays", user(text("Fix it."), reminder, text("<checkpoint:zzzzzz>")), user(text("Fix it."), text("<checkpoint:zzzzzz>"))],
    ["a tag that is never closed is ordinary text", user(text("Write <system-reminder> here.")), user(text("Write <system-reminder> here."))],
    ["a closing tag alone is ordinary text", user(text("Write </system-reminder> here.")), user(text("Write </system-reminder> here."))],
    ["tags of another name stay", user(text("<reminder>Remember.</reminder>")), user(text("<reminder>Remember.</reminder>"))],
    ["thinking of a user is no thinking", user(text("q"), think("1")), user(text("q"), think("1"))],
  ];
  for (const [what, before, after] of ROWS) test(what, () => assert.deepEqual(stripped(before), after));

  test("a message that is left without blocks is not shown", () => {
    const thread = [user(text("q")), assistant("a"), user(reminder), user(markA), assistant("x"), user(markB), assistant("end")];
    assert.deepEqual(compactThread(thread, [{ from: "aaaaaa", to: "bbbbbb", summary: "S." }]), [
      user(text("q")),
      assistant("a"),
      user(markA),
      assistant("S."),
      assistant("end"),
    ]);
  });

  test("a last message that would be left without blocks is kept", () => {
    const thread = [user(markA), assistant("x"), user(markB), assistant("y"), user(reminder)];
    assert.deepEqual(compactThread(thread, [{ from: "aaaaaa", to: "bbbbbb", summary: "S." }]), [user(markA), assistant("S."), assistant("y"), user(reminder)]);
  });

  test("tool results are not touched", () => {
    const result = res("1", reminderText);
    const parts = res("2", [reminder, text(`x ${reminderText}`)]);
    const calls = assistant(use("1"), use("2"));
    const thread = [user(text("q")), calls, user(result, parts, reminder), user(markA), assistant("x"), user(markB), assistant("end")];
    const view = compactThread(thread, [{ from: "aaaaaa", to: "bbbbbb", summary: "S." }]);
    assert.deepEqual(view, [user(text("q")), calls, user(result, parts), user(markA), assistant("S."), assistant("end")]);
  });
});

describe("what is stripped of an assistant message", () => {
  const ROWS: readonly (readonly [what: string, before: Message, after: Message])[] = [
    ["thinking", assistant(think("1"), text("x")), assistant(text("x"))],
    ["redacted thinking", assistant(redacted, think("1"), text("x")), assistant(text("x"))],
    ["no reminder", assistant(reminder, text("x")), assistant(reminder, text("x"))],
    ["no other block", assistant(block("fallback", { reason: "r" }), text("x")), assistant(block("fallback", { reason: "r" }), text("x"))],
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
    assistant(think("1"), text("x")),
    user(reminder, markA),
    assistant("y"),
    user(markB, reminder, text("z")),
    assistant(think("2"), text("end")),
  ];
  const replacement = { from: "aaaaaa", to: "bbbbbb", summary: "S." };

  test("everywhere, by default", () => {
    const expected = [user(text("q")), assistant(text("x")), user(markA), assistant("S."), user(text("z")), assistant(text("end"))];
    assert.deepEqual(compactThread(thread, [replacement]), expected);
    assert.deepEqual(compactThread(thread, [replacement], { strip: "all" }), expected);
  });

  test("after-edit leaves what lies before the first replacement, as the same objects", () => {
    const view = compactThread(thread, [replacement], { strip: "after-edit" });
    assert.deepEqual(view, [thread[0], thread[1], thread[2], assistant("S."), user(text("z")), assistant(text("end"))]);
    assert.equal(view[0], thread[0]);
    assert.equal(view[1], thread[1]);
  });

  test("after-edit with an open start is everywhere", () => {
    const omitted = user("[Earlier conversation omitted]");
    assert.deepEqual(compactThread(thread, [{ to: "aaaaaa", summary: "S." }], { strip: "after-edit" }), [
      omitted,
      assistant("S."),
      assistant("y"),
      user(markB, text("z")),
      assistant(text("end")),
    ]);
  });
});
