import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text, use } from "../../../test/support/build.ts";
import { faults } from "../../../test/support/provider-judge.ts";
import { idOf, outline } from "../../../test/support/threads/outline.ts";
import { CONTINUE, example, replacementsOf, result, round, says, thought, type Wish } from "../../../test/support/threads/speak.ts";
import { createThread, type Thread, type ThreadOptions } from "../index.ts";

describe("compacted by the caller", () => {
  const cases: Readonly<Record<string, { readonly ask: readonly Wish[]; readonly view: readonly string[] }>> = {
    "a..b": {
      ask: [["A", "B", "S."]],
      view: ["user: q <A>", "assistant: S.", "assistant: [read 2]", "user: {2: found 2} <C>", "assistant: done", "user: next <D>"],
    },
    "start..b": {
      ask: [[undefined, "B", "S."]],
      view: ["user: [Earlier conversation omitted]", "assistant: S.", "assistant: [read 2]", "user: {2: found 2} <C>", "assistant: done", "user: next <D>"],
    },
    "a..end": { ask: [["A", undefined, "S."]], view: ["user: q <A>", "assistant: S.", `${CONTINUE} <E>`] },
    "an empty summary": { ask: [["A", "B", ""]], view: ["user: q <A>", "assistant: [read 2]", "user: {2: found 2} <C>", "assistant: done", "user: next <D>"] },
    "a blank summary": {
      ask: [["B", "C", " \n"]],
      view: ["user: q <A>", "assistant: [read 1]", "user: {1: found 1} <B>", "assistant: done", "user: next <D>"],
    },
    "an empty summary to the end": {
      ask: [["C", undefined, ""]],
      view: ["user: q <A>", "assistant: [read 1]", "user: {1: found 1} <B>", "assistant: [read 2]", "user: {2: found 2} <C>"],
    },
    "several at once, in any order": {
      ask: [
        ["C", "D", "T."],
        ["A", "B", "S."],
      ],
      view: ["user: q <A>", "assistant: S.", "assistant: [read 2]", "user: {2: found 2} <C>", "assistant: T.", `${CONTINUE} <E>`],
    },
    neighbours: {
      ask: [
        ["A", "B", "S."],
        ["B", "C", "T."],
      ],
      view: ["user: q <A>", "assistant: S.", "assistant: T.", "assistant: done", "user: next <D>"],
    },
    everything: { ask: [[undefined, undefined, "S."]], view: ["user: [Earlier conversation omitted]", "assistant: S.", `${CONTINUE} <E>`] },
  };
  for (const [name, { ask, view }] of Object.entries(cases)) {
    test(name, () => {
      const thread = example();
      const edits = thread.compact(replacementsOf(thread, ask));
      assert.deepEqual(outline(thread), view);
      assert.deepEqual(faults(thread.request().messages), []);
      assert.ok(edits.length >= ask.length);
    });
  }

  test("when the model has the last word: the caller adds the next message", () => {
    const thread = createThread();
    thread.user("q");
    says(thread, "done");
    thread.compact([{ summary: "S." }]);
    assert.equal(thread.log().length, 2);
    thread.user("next");
    assert.deepEqual(outline(thread), ["user: [Earlier conversation omitted]", "assistant: S.", "user: next <B>"]);
  });

  test("while calls wait for their results: the end is before them", () => {
    const thread = example();
    says(thread, use("3"), use("4"));
    thread.toolResults([result("3")]);
    thread.compact([{ from: idOf(thread, "A"), summary: "S." }]);
    thread.toolResults([result("4")]);
    assert.deepEqual(outline(thread), ["user: q <A>", "assistant: S.", "assistant: [read 3] [read 4]", "user: {3: found 3} {4: found 4} <E>"]);
  });

  test("a later summary swallows an earlier one", () => {
    const thread = example();
    thread.compact(replacementsOf(thread, [["A", "B", "S."]]));
    thread.compact(replacementsOf(thread, [["A", "C", "T."]]));
    assert.deepEqual(outline(thread), ["user: q <A>", "assistant: T.", "assistant: done", "user: next <D>"]);
  });
});

describe("what goes along with a compaction", () => {
  const spoken = (options: ThreadOptions): Thread => {
    const thread = createThread({ reminder: "Be brief.", target: { bindsThinking: false }, ...options });
    thread.user("q");
    says(thread, thought("t1"), "one");
    thread.user([text("r <system-reminder>inner</system-reminder> s"), text("<system-reminder>whole</system-reminder>")]);
    says(thread, thought("t2"), "two");
    thread.user("s");
    says(thread, thought("t3"), "three");
    thread.user("end");
    return thread;
  };
  const reminder = "<system-reminder> Be brief. </system-reminder>";

  test('"after-edit", the default: reminders and thinking after the first edit', () => {
    const thread = spoken({});
    thread.compact(replacementsOf(thread, [["B", "C", "S."]]));
    assert.deepEqual(outline(thread), [
      `user: q ${reminder} <A>`,
      "assistant: (t1) one",
      `user: r <system-reminder>inner</system-reminder> s <system-reminder>whole</system-reminder> ${reminder} <B>`,
      "assistant: S.",
      "assistant: three",
      "user: end <D>",
    ]);
  });

  test('"all": everywhere', () => {
    const thread = spoken({ strip: "all" });
    thread.compact(replacementsOf(thread, [["B", "C", "S."]]));
    assert.deepEqual(outline(thread), ["user: q <A>", "assistant: one", "user: r s <B>", "assistant: S.", "assistant: three", "user: end <D>"]);
  });

  test("later messages still get their reminder", () => {
    const thread = spoken({});
    thread.compact(replacementsOf(thread, [["B", "C", "S."]]));
    says(thread, "four");
    thread.user("more");
    assert.equal(outline(thread).at(-1), `user: more ${reminder} <E>`);
  });

  test("a result that looks like a reminder is left alone", () => {
    const thread = createThread();
    thread.user("q");
    round(thread, "1");
    round(thread, "2", "<system-reminder>x</system-reminder>");
    thread.compact(replacementsOf(thread, [["A", "B", "S."]]));
    assert.equal(outline(thread).at(-1), "user: {2: <system-reminder>x</system-reminder>} <C>");
  });
});
