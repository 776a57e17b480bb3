import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text, use } from "../../../test/support/build.ts";
import { idOf, outline } from "../../../test/support/threads/outline.ts";
import { image, recalledText, result, round, says } from "../../../test/support/threads/speak.ts";
import { faults } from "../../../test/support/provider-judge.ts";
import type { Message } from "../../messages/message.ts";
import { createThread, type Thread, type ThreadOptions } from "../index.ts";

const LINES = Array.from({ length: 200 }, (_, number) => `line ${number + 1} of the log`);
const LONG = LINES.join("\n");

/** A long result, cut when it came in. */
function cutThread(options: ThreadOptions = {}, content: string | ReturnType<typeof text>[] = LONG): { thread: Thread; handle: string } {
  const thread = createThread({ compress: { maxToolResultTokens: 20 }, ...options });
  thread.user("q");
  round(thread, "1", content);
  return { thread, handle: handleIn(thread) };
}

function handleIn(thread: Thread): string {
  return /\[recall handles?: ([a-z0-9]+)/.exec(JSON.stringify(thread.request().messages))?.[1] ?? "none";
}

function resultsIn(message: Message | undefined): { content: string }[] {
  return (message?.content ?? []) as unknown as { content: string }[];
}

/** The model calls recall and nothing else; the line with its result. */
function recalls(thread: Thread, input: unknown, id = "r"): string {
  assert.deepEqual(says(thread, use(id, "recall", input)), { next: "request", calls: [] });
  return outline(thread).at(-1) ?? "";
}

describe("what is cut names its handle", () => {
  test("in one form, at the end of the shortened text", () => {
    const { thread, handle } = cutThread();
    const [, , last] = thread.request().messages;
    const [block] = resultsIn(last);
    assert.equal(block?.content, `${LONG.slice(0, 80)}\n[truncated]\n[recall handle: ${handle}]`);
    assert.match(handle, /^[a-z0-9]{8}$/);
  });

  test("not if the note would make it longer", () => {
    const { thread } = cutThread({}, `${"x".repeat(80)}${"y".repeat(30)}`);
    assert.deepEqual(thread.edits(), []);
  });

  test("not without the recall tool", () => {
    const { thread } = cutThread({ recall: false });
    assert.doesNotMatch(JSON.stringify(thread.request().messages), /recall handle/);
    assert.equal(thread.edits().length, 1);
    assert.deepEqual(
      thread.request().tools.map(({ name }) => name),
      ["compact"],
    );
  });

  test("with equal handles for equal places in each thread, and different ones for different places", () => {
    const { thread, handle } = cutThread();
    const resumed = createThread({ compress: { maxToolResultTokens: 20 }, state: JSON.parse(JSON.stringify(thread)) });
    assert.equal(handleIn(resumed), handle);
    assert.notEqual(cutThread().handle, handle);
  });
});

describe("recall returns", () => {
  test("all of it", () => {
    const { thread, handle } = cutThread();
    assert.deepEqual(thread.recall({ handle }), { handle, content: LONG });
    assert.deepEqual(thread.recall({ handle: `[recall handle: ${handle}]` }), { handle, content: LONG });
  });

  const parts: Readonly<Record<string, { readonly ask: object; readonly content: string | RegExp }>> = {
    "a range of lines": { ask: { lines: "3-4" }, content: "[lines 3-4 of 200]\n3: line 3 of the log\n4: line 4 of the log" },
    "lines from one on": { ask: { lines: "199-" }, content: "[lines 199-200 of 200]\n199: line 199 of the log\n200: line 200 of the log" },
    "one line": { ask: { lines: "7" }, content: "[lines 7-7 of 200]\n7: line 7 of the log" },
    "no lines where there are none": { ask: { lines: "900-" }, content: "[there are only 200 lines]" },
    "lines that match": { ask: { grep: "line 1?99 " }, content: '[2 of 200 lines match "line 1?99 "]\n99: line 99 of the log\n199: line 199 of the log' },
    "lines that match in a range": {
      ask: { grep: "9 of", lines: "1-20" },
      content: '[2 of lines 1-20 match "9 of", 20 of all 200]\n9: line 9 of the log\n19: line 19 of the log',
    },
    "nothing where nothing matches": { ask: { grep: "nowhere" }, content: '[0 of 200 lines match "nowhere"]' },
    "as much as maxTokens allows, and says what is left out": {
      ask: { maxTokens: 30 },
      content: /^line 1 of the log\n[^]*\n\[cut after line \d+ of 200: ask for lines "\d+-", or with grep\]$/,
    },
    "as many matches as maxTokens allows": {
      ask: { grep: "line", maxTokens: 30 },
      content: /^\[200 of 200 lines match "line"; shown: the first (\d+)\]\n1: line 1[^]*\n\[\d+ more lines left out: ask with lines "\d+-"\]$/,
    },
  };
  for (const [name, { ask, content }] of Object.entries(parts)) {
    test(name, () => {
      const { thread, handle } = cutThread();
      const given = recalledText(thread, { handle, ...ask });
      if (typeof content === "string") assert.equal(given, content);
      else assert.match(given, content);
    });
  }

  test("the next part, when asked for what was left out", () => {
    const { thread, handle } = cutThread();
    let lines = "1-";
    let read = "";
    for (let step = 0; lines !== "" && step < 100; step++) {
      const given = recalledText(thread, { handle, lines, maxTokens: 200 });
      read +=
        given
          .replace(/^\[.*\]\n/, "")
          .replace(/\n?\[\d+ more lines left out: ask with lines "\d+-"\]$/, "")
          .replace(/^\d+: /gm, "") + "\n";
      const next = /ask with lines "(\d+-)"\]$/.exec(given)?.[1];
      lines = next ?? "";
    }
    assert.equal(read.trimEnd(), LONG);
  });

  test("a very long line around the match, without a half character", () => {
    const { thread, handle } = cutThread({}, `${"😀".repeat(4_000)}xneedle${"😀".repeat(4_000)}\nmore`);
    const content = recalledText(thread, { handle, grep: "needle" });
    assert.match(content, /^\[1 of 2 lines match "needle"\]\n1: ….*needle.*… \[characters \d+-\d+ of 16007\]$/u);
    assert.ok(content.isWellFormed());
    assert.ok(content.length < 2_300);
  });

  test("a part of what is long, by its own handle", () => {
    const long = Array.from({ length: 1_000 }, (_, line) => `line ${line} of the log`).join("\n");
    const { thread, handle } = cutThread({}, long);
    const [, named = ""] = /\[recall handles: ([^\]]+)\]/.exec(JSON.stringify(thread.request().messages)) ?? [];
    const handles = named.split(" ");
    assert.deepEqual(
      handles,
      handles.map((_, part) => `${handle}-${part + 1}`),
    );
    assert.equal(handles.map((part) => recalledText(thread, { handle: part, maxTokens: 100_000 })).join(""), long);
    assert.equal(recalledText(thread, { handle, maxTokens: 100_000 }), long);
    const [first = "", second = ""] = handles.map((part) => recalledText(thread, { handle: part, maxTokens: 100_000 }));
    for (const range of [`${handle}-1…-2`, `${handle}-1..-2`, `${handle}-1…2`, `[recall handles: ${handle}-1…-2]`])
      assert.equal(recalledText(thread, { handle: range, maxTokens: 100_000 }), first + second, range);
    assert.match(recalledText(thread, { handle: `${handle}-1…-2`, maxTokens: 50 }), /\[cut after line \d+ of \d+/);
    for (const range of [`${handle}-2…-1`, `${handle}-1…-999`])
      assert.throws(() => thread.recall({ handle: range }), {
        code: "HANDLE_UNKNOWN",
        message: /^There are no parts \d+ to \d+ of what ".*" names: it has parts 1 to \d+\.$/,
      });
    assert.match(recalledText(thread, { handle: `[recall handles: ${named}]`, grep: "line 7 " }), /^\[1 of \d+ lines match "line 7 "\]\n8: line 7 of the log$/);
    for (const wrong of [`${handle}-0`, `${handle}-${handles.length + 1}`, `${handle}-1-1`, "other-1", "-1".repeat(50_000)])
      assert.throws(() => thread.recall({ handle: wrong }), { code: "HANDLE_UNKNOWN" });
  });

  test("images too", () => {
    const { thread, handle } = cutThread({}, [text(LONG), image]);
    assert.deepEqual(thread.recall({ handle }).content, [text(LONG), image]);
    assert.deepEqual(thread.recall({ handle, lines: "2" }).content, "[lines 2-2 of 200]\n2: line 2 of the log");
  });

  test("images whole, and the text beside them as far as maxTokens allows", () => {
    const { thread, handle } = cutThread({}, [text(LONG), image]);
    const { content } = thread.recall({ handle, maxTokens: 30 });
    assert.ok(Array.isArray(content));
    assert.deepEqual(content[1], image);
    assert.match(JSON.stringify(content[0]), /cut after line/);
  });

  test("no cache marker of the caller a second time", () => {
    const { thread, handle } = cutThread({}, [{ ...text(LONG), cache_control: { type: "ephemeral" } }, image]);
    assert.deepEqual(thread.recall({ handle }).content, [text(LONG), image]);
  });

  test("what was summarized, by the checkpoint before the summary or by start", () => {
    const { thread } = cutThread();
    says(thread, "done");
    thread.user("next");
    thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    assert.equal(thread.recall({ handle: idOf(thread, "A") }).content, `assistant called read {}\n\ntool result: ${LONG}`);
    assert.equal(thread.recall({ handle: `<checkpoint:${idOf(thread, "A")}>` }).handle, idOf(thread, "A"));
    thread.compact([{ to: idOf(thread, "A"), summary: "T." }]);
    assert.equal(thread.recall({ handle: "start" }).content, "user: q");
  });

  test("the larger stretch, where one was summarized again", () => {
    const { thread } = cutThread();
    says(thread, "done");
    thread.user("next");
    thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "C"), summary: "T." }]);
    assert.match(recalledText(thread, { handle: idOf(thread, "A"), grep: "user|assistant" }), /assistant: done\n.*user: next$/);
  });

  test("what was summarized twice and undone", () => {
    const { thread, handle } = cutThread();
    const [edit] = thread.edits();
    thread.undo(edit?.id ?? "");
    assert.equal(thread.recall({ handle }).content, LONG);
  });
});

const RECORDS = Array.from({ length: 80 }, (_, index) => ({ id: index + 1, name: `name ${(index + 1) ** 2}` }));

describe("recall returns records by their number", () => {
  const lists: Readonly<
    Record<string, { readonly content: string; readonly noun: string; readonly header?: string; readonly record: (id: number) => string }>
  > = {
    "of JSON": { content: JSON.stringify({ page: 1, items: RECORDS }), noun: "records", record: (id) => JSON.stringify(RECORDS[id - 1]) },
    "of JSON on many lines": {
      content: JSON.stringify(RECORDS, null, 2),
      noun: "records",
      record: (id) => JSON.stringify(RECORDS[id - 1], null, 2).replaceAll("\n", "\n  "),
    },
    "of JSON lines": { content: RECORDS.map((record) => JSON.stringify(record)).join("\n"), noun: "records", record: (id) => JSON.stringify(RECORDS[id - 1]) },
    "of a table": {
      content: ["| id | name |", "|----|------|", ...RECORDS.map(({ id, name }) => `| ${id} | ${name} |`)].join("\n"),
      noun: "rows",
      header: "| id | name |",
      record: (id) => `| ${id} | ${RECORDS[id - 1]?.name ?? ""} |`,
    },
  };
  for (const [name, { content, noun, header, record }] of Object.entries(lists)) {
    const heading = header === undefined ? "" : `${header}\n`;

    test(`${name}: a range`, () => {
      const { thread, handle } = cutThread({}, content);
      assert.equal(
        recalledText(thread, { handle, records: "3-5" }),
        `[${noun} 3-5 of 80]\n${heading}${[3, 4, 5].map((id) => `${id}: ${record(id)}`).join("\n")}`,
      );
      assert.equal(recalledText(thread, { handle, records: "80-" }), `[${noun} 80-80 of 80]\n${heading}80: ${record(80)}`);
      assert.equal(recalledText(thread, { handle, records: "81" }), `[there are only 80 ${noun}]`);
    });

    test(`${name}: those that match, with how many there are`, () => {
      const { thread, handle } = cutThread({}, content);
      assert.equal(
        recalledText(thread, { handle, records: "1-", grep: "name 1681\\b" }),
        `[1 of ${noun} 1-80 match "name 1681\\\\b", 1 of all 80]\n${heading}41: ${record(41)}`,
      );
    });

    test(`${name}: the whole list in steps`, () => {
      const { thread, handle } = cutThread({}, content);
      const given: string[] = [];
      let records: string | undefined = "1-";
      for (let step = 0; records !== undefined && step < 100; step++) {
        const shown: string = recalledText(thread, { handle, records, maxTokens: 300 });
        given.push(...shown.split("\n").filter((line) => /^\d+: /.test(line)).map((line) => line.replace(/: .*/, ""))); // prettier-ignore
        records = /ask with records "(\d+-)"\]$/.exec(shown)?.[1];
      }
      assert.deepEqual(given, RECORDS.map(({ id }) => `${id}`)); // prettier-ignore
    });
  }

  test("what the view says is cut", () => {
    const records = Array.from({ length: 400 }, (_, index) => ({
      id: index + 1,
      name: `customer ${(index + 1) * 7919}`,
      mail: `c${(index + 1) * 104_729}@example.org`,
    }));
    const thread = createThread({ policy: { firstSightTokens: 1_000 } });
    thread.user("List the customers.");
    round(thread, "1", JSON.stringify(records));
    const view = JSON.stringify(thread.request().messages);
    assert.match(view, /\[400 records in all; fields: id, name, mail\]/);
    assert.match(view, /… \d+ records cut\]/);
    const asked = recalledText(thread, { handle: handleIn(thread), records: "3-80", maxTokens: 100_000 });
    assert.equal(asked, `[records 3-80 of 400]\n${records.slice(2, 80).map((record) => `${record.id}: ${JSON.stringify(record)}`).join("\n")}`); // prettier-ignore
  });

  test("of a file of JSON too, and of the whole where a part is named", () => {
    const thread = createThread({ compress: { maxToolResultTokens: 20 } });
    thread.user("q");
    const content = JSON.stringify(RECORDS, null, 30);
    says(thread, use("1", "read", { path: "list.json" }));
    thread.toolResults([result("1", content)]);
    const handle = handleIn(thread);
    assert.match(recalledText(thread, { handle: `${handle}-1`, records: "80" }), /^\[records 80-80 of 80\]\n80: \{\n +"id": 80,/);
  });

  test("not where there are none", () => {
    const { thread, handle } = cutThread();
    assert.equal(recalledText(thread, { handle, records: "3" }), "[this is no list of records: ask for some of its 200 lines, or with grep]");
  });

  test("all of a long one", () => {
    const long = { id: 1, text: "word ".repeat(1_000) };
    const { thread, handle } = cutThread({}, JSON.stringify([long, { id: 2 }]));
    assert.equal(recalledText(thread, { handle, records: "1" }), `[records 1-1 of 2]\n1: ${JSON.stringify(long)}`);
  });
});

describe("recall refuses", () => {
  test("an unknown handle, with those that exist", () => {
    const { thread, handle } = cutThread();
    assert.throws(() => thread.recall({ handle: "nothing0" }), {
      code: "HANDLE_UNKNOWN",
      message: `There is no handle "nothing0". Some of those that exist: ${handle}.`,
      data: { handle: "nothing0", handles: [handle] },
    });
  });

  test("any handle, where nothing was shortened", () => {
    assert.throws(() => createThread().recall({ handle: "start" }), { code: "HANDLE_UNKNOWN", message: /Nothing was shortened in this thread so far/ });
  });

  test("the handle of another thread", () => {
    assert.throws(() => cutThread().thread.recall({ handle: cutThread().handle }), { code: "HANDLE_UNKNOWN" });
  });

  const LEAVE_OUT = "Leave it out: whole lines come back, so write what it looks for into the pattern itself, or search for plain text.";
  const DROP = "Leave it out: whole lines come back, and you can skip those that you do not want.";
  const WRITE_OUT = "Write out what it repeats, or search for plain text.";
  for (const [grep, said] of [
    ["line (?=3)", `lookahead, (?=, is not supported. ${LEAVE_OUT}`],
    ["line (?!3)", `negative lookahead, (?!, is not supported. ${DROP}`],
    ["[(?=)] (?<=line )3", `lookbehind, (?<=, is not supported. ${LEAVE_OUT}`],
    ["\\(?= (?<!line )3", `negative lookbehind, (?<!, is not supported. ${DROP}`],
    ["(3)\\1", `a backreference, \\1, is not supported. ${WRITE_OUT}`],
    ["(?<n>3)[^]\\k<n>", `a backreference, \\k<n>, is not supported. ${WRITE_OUT}`],
    ["\\\\a{1,2000}", "a count over 1000, {1,2000}, is not supported. Count to 1000 at most, or use * or +."],
    ["(a{500}){500}", 'the pattern is not supported at "{500}" (invalid repeat count). Use a simpler one, or plain text.'],
    ["\\y", 'the pattern is not supported at "\\\\y" (invalid escape sequence). Use a simpler one, or plain text.'],
    ["[^]", 'the pattern is not supported at "[^]" (missing closing ]). Use a simpler one, or plain text.'],
  ] as const)
    test(`a pattern that is no regular expression of ours: ${grep}`, () => {
      const { thread, handle } = cutThread();
      assert.ok(new RegExp(grep) instanceof RegExp);
      assert.throws(() => thread.recall({ handle, grep }), { code: "INVALID_INPUT", message: `input.grep: ${said}` });
    });
});

describe("the pattern", () => {
  test("a pattern that would run without end, within a second", { timeout: 20_000 }, () => {
    const { thread, handle } = cutThread({}, `${"a".repeat(50)}!\n`.repeat(50));
    assert.equal(thread.recall({ handle, grep: "(a+)+$" }).content, '[0 of 51 lines match "(a+)+$"]');
  });

  test("matches as in JavaScript: classes, anchors, alternatives, counts, Unicode", () => {
    const { thread, handle } = cutThread({}, `${LONG}\nError: café 42\nwarning: naïve`);
    for (const [grep, line] of [
      ["^Error.*\\d{2}$", 201],
      ["\\bcafé\\s", 201],
      ["(fatal|warning): \\p{L}+", 202],
      ["[wW]arning", 202],
    ] as const)
      // prettier-ignore
      assert.match(recalledText(thread, { handle, grep }), new RegExp(`\\n${line}: `), grep);
  });

  test("that is no regular expression is plain text", () => {
    const { thread, handle } = cutThread({}, `${LONG}\nf(x`);
    assert.equal(thread.recall({ handle, grep: "f(x" }).content, '[1 of 201 lines match "f(x"]\n201: f(x');
  });

  test("that matches nothing as a regular expression is looked for as plain text", () => {
    const { thread, handle } = cutThread({}, `${LONG}\nf(x) + 1`);
    assert.equal(thread.recall({ handle, grep: "f(x) + 1" }).content, '[1 of 201 lines match "f(x) + 1"]\n201: f(x) + 1');
  });
});

describe("what was dropped in many places", () => {
  const said = (n: number): string => `Step ${n} is done: ${"the parser reads one more token, ".repeat(8)}and that is all of ${n}.`;
  /** Rounds that are too small for a digest, with the user's words between them, under a budget. */
  function droppedThread(): { thread: Thread; range: string; handle: string; count: number } {
    const thread = createThread({ policy: { budget: 2_000 } });
    for (let n = 0; n < 40; n++) {
      thread.user(`Please do step ${n}.`);
      thread.request();
      says(thread, text(said(n)));
    }
    thread.user("What is next?");
    const [, handle = "", count = "0"] = /\[recall handles: ([a-z0-9]+)-1…-(\d+)\]/.exec(JSON.stringify(thread.request().messages)) ?? [];
    assert.ok(Number(count) > 3, "a range is named");
    return { thread, handle, range: `${handle}-1…-${count}`, count: Number(count) };
  }
  const all = (count: number, from = 0): string => Array.from({ length: count }, (_, n) => `assistant: ${said(from + n)}`).join("\n\n");

  test("comes back as a whole by the range that the view names, however it is written", () => {
    const { thread, handle, range, count } = droppedThread();
    for (const name of [range, `[recall handles: ${range}]`, `${handle}-1..-${count}`, `${handle}-1…${count}`, handle])
      assert.equal(recalledText(thread, { handle: name, maxTokens: 100_000 }), all(count), name);
    assert.equal(recalledText(thread, { handle: `${handle}-2…-3` }), all(2, 1));
    assert.equal(recalledText(thread, { handle: `${handle}-2` }), all(1, 1));
    assert.match(recalledText(thread, { handle: range, grep: "all of 2\\." }), /^\[1 of \d+ lines match/);
    assert.throws(() => thread.recall({ handle: `${handle}-900…-950` }), /There is no handle/);
  });

  test("and is cut again: the range still gives back all of it, also after a restart", () => {
    const { thread: first, range, count } = droppedThread();
    const thread = createThread({ state: JSON.parse(JSON.stringify(first)), budget: { inputTokenBudget: 10, toolResultRetentionChars: 20 } });
    recalls(thread, { handle: range, grep: "Step" });
    const isCut = (): boolean => thread.edits().at(-1)?.handle === range;
    for (let id = 100; id < 140 && !isCut(); id++) {
      round(thread, `${id}`);
      thread.observe({ input_tokens: 1_000 });
    }
    assert.ok(isCut());
    for (const each of [thread, createThread({ state: JSON.parse(JSON.stringify(thread)) })])
      assert.equal(recalledText(each, { handle: range, maxTokens: 100_000 }), all(count));
  });
});

describe("the recall tool", () => {
  test("answers by itself, and the thread goes on", () => {
    const { thread, handle } = cutThread();
    const told: string[] = [];
    thread.on("recalled", (event) => told.push(event.handle));
    assert.equal(recalls(thread, { handle, lines: "3-4" }), "user: {r: [lines 3-4 of 200] 3: line 3 of the log 4: line 4 of the log} <C>");
    assert.deepEqual(told, [handle]);
    assert.deepEqual(faults(thread.request().messages), []);
  });

  const mistakes: Readonly<Record<string, unknown>> = {
    "HANDLE_UNKNOWN: There is no handle": { handle: "nothing0" },
    "INVALID_INPUT: input.handle": {},
    "INVALID_INPUT: input.lines": { handle: "x", lines: "4-3" },
    "INVALID_INPUT: input.lines: expected": { handle: "x", lines: [4] },
    "INVALID_INPUT: input.records: expected a range of records": { handle: "x", records: "four" },
    "INVALID_INPUT: input.records: expected left out where lines are asked for": { handle: "x", records: "1", lines: "1" },
    "INVALID_INPUT: input.grep": { handle: "x", grep: 1 },
    "INVALID_INPUT: input.maxTokens": { handle: "x", maxTokens: 0.5 },
    "INVALID_INPUT: input.more": { handle: "x", more: 1 },
  };
  for (const [mistake, input] of Object.entries(mistakes)) {
    test(`a mistaken call gets an error: ${mistake}`, () => {
      const { thread } = cutThread();
      assert.ok(recalls(thread, input).startsWith(`user: {r!: ${mistake}`));
      assert.deepEqual(faults(thread.request().messages), []);
    });
  }

  test("beside calls of the caller's", () => {
    const { thread, handle } = cutThread();
    assert.deepEqual(says(thread, use("r", "recall", { handle, lines: "1" }), use("2")), { next: "tools", calls: [use("2")] });
    thread.toolResults([result("2")]);
    assert.equal(outline(thread).at(-1), "user: {r: [lines 1-1 of 200] 1: line 1 of the log} {2: found 2} <C>");
  });

  test("says that an original is empty", () => {
    const thread = createThread();
    thread.user([image]);
    thread.compact([{ summary: "S." }]);
    assert.equal(recalls(thread, { handle: "start" }), "user: {r: user: [image]} <C>");
  });
});

describe("what was recalled", () => {
  test("is not cut when it comes in; what came in beside it is", () => {
    const { thread, handle } = cutThread();
    says(thread, use("r", "recall", { handle }), use("2"));
    thread.toolResults([result("2", LONG)]);
    const [recalled, other] = resultsIn(thread.request().messages.at(-1));
    assert.equal(recalled?.content, LONG);
    assert.match(other?.content ?? "", /\[truncated\]\n\[recall handle: /);
  });

  test("is left alone for a while, then cut as any other, and names the original", () => {
    const { thread, handle } = cutThread({ budget: { inputTokenBudget: 10, toolResultRetentionChars: 20 } });
    recalls(thread, { handle, lines: "1-50" });
    const shownFor = (): boolean => JSON.stringify(thread.request().messages).includes("50: line 50");
    let messages = 0;
    for (let id = 10; shownFor() && id < 40; id++) {
      messages = thread.log().length;
      says(thread, use(`${id}`));
      thread.toolResults([result(`${id}`)]);
      thread.observe({ input_tokens: 1_000 });
    }
    assert.ok(messages >= 20, "protected for 20 messages");
    const cut = thread.edits().at(-1);
    assert.equal(cut?.handle, handle);
    assert.equal(thread.recall({ handle }).content, LONG);
    const resumed = createThread({ state: JSON.parse(JSON.stringify(thread)) });
    assert.equal(resumed.recall({ handle }).content, LONG);
  });

  test("of a part, by a search, and then cut: its handle returns all of the part", () => {
    const long = Array.from({ length: 1_000 }, (_, line) => `line ${line} of the log`).join("\n");
    const { thread, handle } = cutThread({ budget: { inputTokenBudget: 10, toolResultRetentionChars: 20 } }, long);
    const part = recalledText(thread, { handle: `${handle}-2` });
    recalls(thread, { handle: `${handle}-2`, grep: "line" });
    for (let id = 10; id < 40 && thread.edits().at(-1)?.handle !== `${handle}-2`; id++) {
      round(thread, `${id}`);
      thread.observe({ input_tokens: 1_000 });
    }
    assert.equal(thread.edits().at(-1)?.handle, `${handle}-2`);
    for (const each of [thread, createThread({ state: JSON.parse(JSON.stringify(thread)) })]) assert.equal(recalledText(each, { handle: `${handle}-2` }), part);
  });

  test("is not pruned or collapsed for a while", () => {
    const { thread, handle } = cutThread({ prune: { strategy: "sliding-window", maxTurns: 2 }, collapse: { collapseAfterTurns: 0 } });
    recalls(thread, { handle, lines: "1" });
    for (const id of ["2", "3", "4"]) round(thread, id);
    assert.ok(outline(thread).includes("user: {r: [lines 1-1 of 200] 1: line 1 of the log} <C>"));
    assert.ok(!outline(thread).includes("user: {2: found 2} <D>"));
  });
});
