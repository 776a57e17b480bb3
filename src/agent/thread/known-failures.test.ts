/** Inputs that break other systems, on a thread: each test is named by the failure it prevents. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text, use } from "../../../test/support/build.ts";
import { checkpointsOf, idOf, outline } from "../../../test/support/threads/outline.ts";
import { compacts, image, recalledText, result, round, says, thought } from "../../../test/support/threads/speak.ts";
import { faults } from "../../../test/support/provider-judge.ts";
import { blocksOf, type Message } from "../../messages/message.ts";
import { createThread, type Thread, type ThreadOptions } from "../index.ts";

/** q <A> · read 1 <B> · read 2 <C> · read 3 <D> · done · next <E> */
function base(options: ThreadOptions = {}): Thread {
  const thread = createThread(options);
  thread.user("q");
  for (const id of ["1", "2", "3"]) round(thread, id);
  says(thread, "done");
  thread.user("next");
  return thread;
}

/** Both ways to compact: the caller gets the error, and the model a result with its text. */
function refusedBothWays(thread: Thread, replacements: { from?: string; to?: string; summary: string }[], code: string): void {
  const before = outline(thread);
  assert.throws(() => thread.compact(replacements), { code });
  assert.deepEqual(outline(thread), before);
  compacts(thread, replacements);
  const after = outline(thread);
  assert.deepEqual(after.slice(0, before.length), before);
  assert.ok(after.at(-1)?.startsWith(`user: {compact-1!: ${code}`));
}

function idsIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => blocksOf(message).flatMap((block) => ("id" in block ? [String(block.id)] : [])));
}

function resultsIn(message: Message | undefined): { content?: string }[] {
  return (message?.content ?? []) as unknown as { content?: string }[];
}

describe("the checkpoint editor", () => {
  test("a reversed range does not duplicate history or repeat ids", () => {
    const thread = base();
    refusedBothWays(thread, [{ from: idOf(thread, "D"), to: idOf(thread, "B"), summary: "S." }], "RANGE_REVERSED");
    const ids = idsIn(thread.request().messages);
    assert.equal(new Set(ids).size, ids.length);
  });

  test("an unknown `to` does not silently delete to the end", () => {
    const thread = base();
    refusedBothWays(thread, [{ from: idOf(thread, "B"), to: "zz9zz9", summary: "S." }], "CHECKPOINT_UNKNOWN");
  });

  test("an unknown `from` does not silently delete from the start", () => {
    const thread = base();
    refusedBothWays(thread, [{ from: "zz9zz9", to: idOf(thread, "B"), summary: "S." }], "CHECKPOINT_UNKNOWN");
  });

  test("an empty summary over everything does not leave an empty thread", () => {
    const thread = base();
    refusedBothWays(thread, [{ summary: "" }], "EMPTY_THREAD");
  });

  test("a parallel call beside compact is not orphaned", () => {
    for (const replacement of [{ summary: "S." }, { summary: "" }, { from: "A", summary: "S." }]) {
      const thread = base();
      const from = "from" in replacement ? { from: idOf(thread, replacement.from) } : {};
      compacts(thread, [{ ...replacement, ...from }], use("4"), use("5"));
      thread.toolResults([result("4"), result("5")]);
      assert.equal(outline(thread).at(-1), "user: {4: found 4} {5: found 5} <F>");
      assert.deepEqual(faults(thread.request().messages), []);
    }
  });

  test("overlapping replacements do not come out in inverted order", () => {
    const thread = base();
    refusedBothWays(
      thread,
      [
        { from: idOf(thread, "A"), to: idOf(thread, "C"), summary: "S." },
        { from: idOf(thread, "B"), to: idOf(thread, "D"), summary: "T." },
      ],
      "OVERLAPPING_RANGES",
    );
    const other = base();
    other.compact([
      { from: idOf(other, "C"), to: idOf(other, "D"), summary: "second" },
      { from: idOf(other, "A"), to: idOf(other, "B"), summary: "first" },
    ]);
    assert.deepEqual(
      outline(other).filter((line) => /first|second/.test(line)),
      ["assistant: first", "assistant: second"],
    );
  });

  test("nested replacements in one call are refused too", () => {
    const thread = base();
    refusedBothWays(
      thread,
      [
        { from: idOf(thread, "A"), to: idOf(thread, "D"), summary: "S." },
        { from: idOf(thread, "B"), to: idOf(thread, "C"), summary: "T." },
      ],
      "OVERLAPPING_RANGES",
    );
  });

  test("ids are unique, in long threads too", () => {
    const thread = createThread();
    for (let number = 0; number < 3_000; number++) thread.user(`${number}`);
    assert.equal(new Set(checkpointsOf(thread)).size, 3_000);
  });
});

describe("truncation", () => {
  test("content that the cut and the note would make longer stays as it is", () => {
    for (let length = 40; length < 200; length++) {
      const thread = createThread({ compress: { maxToolResultTokens: 10 }, budget: { inputTokenBudget: 1, toolResultRetentionChars: 40 } });
      thread.user("q");
      round(thread, "1", "x".repeat(length));
      round(thread, "2");
      thread.observe({ input_tokens: 9 });
      const [shown] = resultsIn(thread.request().messages[2]);
      assert.ok((shown?.content?.length ?? 0) <= length);
    }
  });

  test("a user message of several parts is not taken for the newest result", () => {
    const thread = createThread({ recall: false, budget: { inputTokenBudget: 1, toolResultRetentionChars: 4 } });
    thread.user("q");
    round(thread, "1", "x".repeat(500));
    says(thread, "done");
    thread.user([text("a"), text("b"), image]);
    thread.observe({ input_tokens: 9 });
    assert.equal(outline(thread)[2], `user: {1: ${"x".repeat(500)}} <B>`);
  });

  test("under caching the budget fires: cache reads count", () => {
    const thread = createThread({ recall: false, budget: { inputTokenBudget: 100, toolResultRetentionChars: 4 } });
    thread.user("q");
    round(thread, "1", "x".repeat(500));
    round(thread, "2");
    thread.observe({ input_tokens: 3, cache_read_input_tokens: 5_000 });
    assert.equal(outline(thread)[2], "user: {1: xxxx [truncated for context management]} <B>");
  });

  test("no cut goes through a surrogate pair", () => {
    for (const offset of ["", "a", "ab", "abc"]) {
      const thread = createThread({ compress: { maxToolResultTokens: 5 }, budget: { inputTokenBudget: 1, toolResultRetentionChars: 3 } });
      thread.user("q");
      round(thread, "1", offset + "😀".repeat(300));
      round(thread, "2");
      assert.ok(JSON.stringify(thread.request().messages).isWellFormed());
      thread.observe({ input_tokens: 9 });
      const [shown] = resultsIn(thread.request().messages[2]);
      assert.ok(shown?.content?.isWellFormed());
    }
  });

  test("what a cut has lost at the end can be recalled, so cutting the head only loses nothing", () => {
    const thread = createThread({ compress: { maxToolResultTokens: 10 } });
    thread.user("q");
    round(thread, "1", `${"x\n".repeat(300)}the error is here`);
    const handle = thread.edits()[0]?.handle ?? "";
    assert.match(recalledText(thread, { handle, grep: "error" }), /301: the error is here$/);
  });

  test("a retrieved result is not compressed again at once, and there is no evict and read loop", () => {
    const thread = createThread({ compress: { maxToolResultTokens: 10 }, budget: { inputTokenBudget: 1, toolResultRetentionChars: 10 } });
    thread.user("q");
    round(thread, "1", "line\n".repeat(200));
    const handle = thread.edits()[0]?.handle ?? "";
    says(thread, use("r", "recall", { handle }));
    round(thread, "2");
    thread.observe({ input_tokens: 9 });
    thread.observe({ input_tokens: 9 });
    assert.match(outline(thread)[4] ?? "", /^user: \{r: (line ){200}/);
  });

  test("originals do not expire with a restart", () => {
    const thread = createThread({ compress: { maxToolResultTokens: 10 } });
    thread.user("q");
    round(thread, "1", "line\n".repeat(200));
    const resumed = createThread({ state: JSON.parse(JSON.stringify(thread)) });
    assert.equal(resumed.recall({ handle: thread.edits()[0]?.handle ?? "" }).content, "line\n".repeat(200));
  });

  test("results with the same content, or the same call id, have handles of their own", () => {
    const thread = createThread({ compress: { maxToolResultTokens: 10 } });
    thread.user("q");
    round(thread, "1", "line\n".repeat(200));
    round(thread, "1", "line\n".repeat(200));
    round(thread, "1", "other\n".repeat(200));
    const handles = thread.edits().map(({ handle }) => handle ?? "");
    assert.equal(new Set(handles).size, 3);
    assert.equal(thread.recall({ handle: handles[2] ?? "" }).content, "other\n".repeat(200));
  });
});

describe("peers", () => {
  test("a second compaction does not lose what the first one kept: it can still be recalled", () => {
    const thread = base();
    thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "D"), summary: "T." }]);
    assert.deepEqual(outline(thread), ["user: q <A>", "assistant: T.", "assistant: done", "user: next <E>"]);
    const content = recalledText(thread, { handle: idOf(thread, "A") });
    for (const found of ["found 1", "found 2", "found 3"]) assert.ok(content.includes(found));
  });

  test("clearing old results leaves no later signed thinking that is bound to them", () => {
    const thread = createThread({ budget: { inputTokenBudget: 1, toolResultRetentionChars: 1 } });
    thread.user("q");
    round(thread, "1", "x".repeat(500), thought("t1"));
    round(thread, "2", "x".repeat(500), thought("t2"));
    says(thread, thought("t3"), "done");
    thread.observe({ input_tokens: 9 });
    thread.user("next");
    assert.doesNotMatch(outline(thread).join("\n"), /\(t[23]\)/);
  });

  test("a turn with parallel calls is not split by pruning, and loses its thinking as a whole or not at all", () => {
    for (let maxTurns = 0; maxTurns < 8; maxTurns++) {
      const thread = createThread({ prune: { strategy: "sliding-window", maxTurns } });
      thread.user("q");
      for (const id of [1, 2, 3]) {
        says(thread, thought(`t${id}`), use(`${id}a`), use(`${id}b`));
        thread.toolResults([result(`${id}b`), result(`${id}a`)]);
        assert.deepEqual(faults(thread.request().messages), []);
      }
    }
  });

  test("images are given back once, not embedded again by every compaction", () => {
    const thread = createThread();
    thread.user([text("q"), image]);
    says(thread, "seen");
    thread.user("next");
    thread.compact([{ to: idOf(thread, "A"), summary: "An image of a cat." }]);
    thread.compact([{ summary: "Still a cat." }]);
    assert.doesNotMatch(JSON.stringify(thread.request().messages), /base64/);
  });
});
