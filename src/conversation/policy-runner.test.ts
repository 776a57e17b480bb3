import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text, use } from "../../test/support/build.ts";
import { idOf, outline } from "../../test/support/threads/outline.ts";
import { compacts, image, recalledText, result, round, says, thought } from "../../test/support/threads/speak.ts";
import { handlesNamed, lostTexts } from "../../test/support/lost-texts.ts";
import { faults } from "../../test/support/provider-judge.ts";
import type { Edit } from "../edits/edit.ts";
import { createThread, type Thread, type ThreadOptions } from "../agent/index.ts";

const LONG = "0123456789".repeat(60);

function rounds(options: ThreadOptions, count = 3, content = LONG): Thread {
  const thread = createThread({ recall: false, compact: false, ...options });
  thread.user("q");
  for (let id = 1; id <= count; id++) round(thread, `${id}`, content);
  return thread;
}

describe("compress, at ingest", () => {
  test("cuts results that are longer, before the model sees them, and no other", () => {
    const thread = createThread({ recall: false, compress: { maxToolResultTokens: 10 } });
    thread.user("q");
    says(thread, use("1"), use("2"), use("3"));
    thread.toolResults([result("1", LONG), result("2", "short"), result("3", [text(LONG), image, text("more")])]);
    const cut = `${LONG.slice(0, 40)}\n[truncated]`;
    assert.equal(outline(thread).at(-1), `user: {1: ${cut.replace("\n", " ")}} {2: short} {3: ${JSON.stringify([text(cut), image])}} <B>`);
  });

  test("costs no thinking and no byte of what was sent", () => {
    const thread = createThread({ compress: { maxToolResultTokens: 10 } });
    thread.user("q");
    says(thread, thought("t1"), use("1"));
    thread.toolResults([result("1", LONG)]);
    const before = thread.request().messages;
    says(thread, thought("t2"), use("2"));
    thread.toolResults([result("2", LONG)]);
    assert.deepEqual(thread.request().messages.slice(0, 3), before);
    assert.match(JSON.stringify(thread.request().messages), /t1.*t2/);
  });

  test("leaves alone what came in before it was switched on", () => {
    const options = { compact: false, recall: false };
    const thread = createThread({ ...options, compress: { maxToolResultTokens: 10 }, state: rounds(options, 1).toJSON() });
    round(thread, "2", LONG);
    assert.equal(outline(thread)[2], `user: {1: ${LONG}}`);
    assert.match(outline(thread)[4] ?? "", /\[truncated\]/);
  });

  test("unset: nothing", () => {
    assert.deepEqual(rounds({ compress: {} }).edits(), []);
  });
});

describe("collapse, at the start of each call", () => {
  test("writes a line over each old round, and the line does not age", () => {
    const thread = rounds({ collapse: { collapseAfterTurns: 2 } }, 3, "found");
    const line = "assistant: [Tool: read | Result summarized — called 4 turns ago]";
    assert.deepEqual(outline(thread).slice(0, 3), ["user: q", line, "assistant: [read 2]"]);
    round(thread, "4", "found");
    assert.deepEqual(outline(thread).slice(0, 3), ["user: q", line, "assistant: [Tool: read | Result summarized — called 4 turns ago]"]);
  });

  test("with several calls in a turn only if asked for, and with the gist", () => {
    const several = (collapseMultiToolTurns: boolean): Thread => {
      const thread = createThread({ compact: false, recall: false, collapse: { collapseAfterTurns: 0, collapseMultiToolTurns, collapseGistChars: 4 } });
      thread.user("q");
      says(thread, use("1"), use("2", "bash"));
      thread.toolResults([result("1", "alpha"), result("2", "beta!")]);
      round(thread, "3");
      return thread;
    };
    assert.equal(outline(several(false))[1], "assistant: [read 1] [bash 2]");
    assert.equal(
      outline(several(true))[1],
      "assistant: [Tool: read | Result summarized — called 2 turns ago] alph [Tool: bash | Result summarized — called 2 turns ago] beta",
    );
  });

  test("names a handle, and gives the round back", () => {
    const thread = rounds({ recall: true, collapse: { collapseAfterTurns: 2 } });
    const handle = /\[recall handle: (\w+)\]/.exec(outline(thread)[1] ?? "")?.[1] ?? "";
    assert.equal(thread.recall({ handle }).content, `assistant called read {}\n\ntool result: ${LONG}`);
  });
});

describe("prune, at the start of each call", () => {
  const cases: Readonly<Record<"sliding-window" | "summarize" | "importance", readonly string[]>> = {
    "sliding-window": ["user: q", "assistant: [read 3]", "user: {3: found}"],
    summarize: ["user: q", "user: [Previous context summarized: 4 turns]", "assistant: [read 3]", "user: {3: found}"],
    importance: ["user: q", "assistant: [read 3]", "user: {3: found}"],
  };
  for (const [strategy, view] of Object.entries(cases) as [keyof typeof cases, readonly string[]][]) {
    test(strategy, () => {
      const thread = rounds({ prune: { strategy, maxTurns: 2 } }, 0);
      for (const id of ["1", "2", "3"]) round(thread, id, "found");
      assert.deepEqual(outline(thread), view);
      assert.deepEqual(faults(thread.request().messages), []);
    });
  }

  test("again and again: summaries do not stack", () => {
    const thread = rounds({ prune: { strategy: "summarize", maxTurns: 2 } }, 8, "found");
    assert.deepEqual(outline(thread), ["user: q", "user: [Previous context summarized: 14 turns]", "assistant: [read 8]", "user: {8: found}"]);
  });

  test("what a deleted end has left is not taken too", () => {
    const thread = createThread({ prune: { strategy: "sliding-window", maxTurns: 0 } });
    thread.user("q");
    says(thread, "one");
    thread.user("next");
    thread.compact([{ from: idOf(thread, "A"), summary: "" }]);
    assert.deepEqual(outline(thread), ["user: q <A>"]);
  });

  test("the start that was left out can be recalled", () => {
    const thread = createThread({ prune: { strategy: "sliding-window", maxTurns: 1 } });
    thread.user("first words");
    says(thread, "one");
    thread.user("next");
    assert.deepEqual(outline(thread), ["user: next <B>"]);
    assert.equal(thread.recall({ handle: "start" }).content, "user: first words\n\nassistant: one");
  });

  test("a stretch that is divided by a pin has a handle for each part", () => {
    const thread = createThread();
    for (const words of ["a", "b", "c"]) {
      thread.user(words);
      says(thread, `${words}!`);
    }
    thread.user("end");
    const pruning = createThread({ prune: { strategy: "summarize", maxTurns: 1 }, state: thread.toJSON() });
    pruning.pin(2);
    assert.deepEqual(outline(pruning), ["user: [Previous context summarized: 6 turns]", "user: b <B>", "user: end <D>"]);
    const handles = pruning.edits().map(({ handle }) => handle ?? "");
    assert.deepEqual(
      handles.map((handle) => pruning.recall({ handle }).content),
      ["user: a\n\nassistant: a!", "assistant: b!\n\nuser: c\n\nassistant: c!"],
    );
  });
});

describe("the budget, after each response", () => {
  const budget = { inputTokenBudget: 100, toolResultRetentionChars: 20 };
  const cut = `${LONG.slice(0, 20)} [truncated for context management]`;

  const usages: Readonly<Record<string, { readonly usage: { input_tokens: number }; readonly isOver: boolean }>> = {
    "input alone": { usage: { input_tokens: 101 }, isOver: true },
    "with what was read from the cache": { usage: { input_tokens: 1, cache_read_input_tokens: 100 } as never, isOver: true },
    "with what was written to the cache": {
      usage: { input_tokens: 1, cache_creation_input_tokens: 100, cache_read_input_tokens: null } as never,
      isOver: true,
    },
    "not above it": { usage: { input_tokens: 100 }, isOver: false },
  };
  for (const [name, { usage, isOver }] of Object.entries(usages)) {
    for (const how of ["observed", "with the response"]) {
      test(`${name}, ${how}`, () => {
        const thread = rounds({ budget }, 2);
        thread.request();
        thread.assistant({ content: "so", ...(how === "observed" ? {} : { usage }) });
        if (how === "observed") thread.observe(usage);
        thread.user("next");
        assert.equal(outline(thread)[2], isOver ? `user: {1: ${cut}}` : `user: {1: ${LONG}}`);
        assert.equal(outline(thread)[4], `user: {2: ${LONG}}`);
      });
    }
  }

  test("tells what it did, once", () => {
    const told: unknown[] = [];
    const thread = rounds({ budget: { ...budget, onCompact: (notice) => told.push(notice) } });
    thread.observe({ input_tokens: 200 });
    thread.observe({ input_tokens: 200 });
    assert.deepEqual(told, [{ compacted: 2, inputTokens: 200, inputTokenBudget: 100 }]);
  });

  test("0: never", () => {
    const thread = rounds({ budget: { inputTokenBudget: 0 } });
    thread.observe({ input_tokens: 1_000_000 });
    assert.deepEqual(thread.edits(), []);
  });

  test("cuts what was cut at ingest only if that makes it shorter still", () => {
    for (const [maxToolResultTokens, shorter] of [
      [3, false],
      [100, true],
    ] as const) {
      const thread = rounds({ compress: { maxToolResultTokens }, budget });
      thread.observe({ input_tokens: 200 });
      assert.equal(outline(thread)[2]?.includes("context management"), shorter);
    }
  });
});

describe("digests of a policy", () => {
  const policy = { firstSightTokens: 0, firstSightFileTokens: 0, tailTokens: 0, digestTokens: 3_000, digestTailTokens: 100, digestTailTurns: 1, usedTurns: 0 };
  const digests = (thread: Thread): Edit[] => thread.edits().filter(({ pass, undoneAt }) => pass === "digest-rounds" && undoneAt === undefined);
  const rows = (id: number): string => Array.from({ length: 40 }, (_, line) => `row ${id}.${line}: value ${line * 7919}`).join("\n");
  const grow = (thread: Thread, from: number, to: number): void => {
    for (let id = from; id < to; id++) {
      round(thread, `${id}`, rows(id));
      thread.request();
    }
  };
  const digested = (budget?: number): Thread => {
    const thread = createThread({ policy: { ...policy, ...(budget === undefined ? {} : { budget }) } });
    thread.user("q");
    grow(thread, 0, 30);
    return thread;
  };

  test("go around what was recalled lately, and all that they hide can be recalled", () => {
    const thread = digested();
    const { handle = "" } = digests(thread).at(-1) ?? {};
    says(thread, use("r", "recall", { handle, grep: "row 3.7:" }));
    grow(thread, 30, 37);
    const { messages } = thread.request();
    assert.ok(JSON.stringify(messages).includes('match \\"row 3.7:'), "what was recalled is shown");
    assert.ok(digests(thread).some((edit) => edit.kind === "replace-range" && edit.madeAt > 64));
    const recalled = handlesNamed(messages).map((name) => recalledText(thread, { handle: name, maxTokens: 1_000_000 }));
    assert.deepEqual(lostTexts(thread.log(), messages, [recalled.join("")]), []);
  });

  test("that are taken back are not made again, and what they hid is counted again", () => {
    const thread = digested(6_000);
    for (const { id } of digests(thread).reverse()) thread.undo(id);
    assert.ok(JSON.stringify(thread.request().messages).includes("row 3.7:"));
    grow(thread, 30, 31);
    assert.ok(!digests(thread).some((edit) => edit.kind === "replace-range" && edit.from.position < 20));
    const made = thread.edits().filter(({ madeAt }) => madeAt === thread.log().length);
    assert.ok(made.some((edit) => edit.kind === "replace-result" && edit.at.position === 8));
  });
});

describe("together, with compactions between", () => {
  test("the provider accepts every request, and every piece can be recalled", () => {
    const thread = createThread({
      compress: { maxToolResultTokens: 40 },
      collapse: { collapseAfterTurns: 6 },
      prune: { strategy: "summarize", maxTurns: 14 },
      budget: { inputTokenBudget: 100, toolResultRetentionChars: 10 },
      reminder: "r",
      overview: true,
    });
    thread.user("q");
    for (let id = 1; id <= 30; id++) {
      if (id % 9 === 0) {
        const [first, second] = thread.checkpoints().slice(-4);
        compacts(thread, [{ from: first?.id, to: second?.id, summary: `S${id}.` }], use(`${id}`));
      } else says(thread, thought(`t${id}`), use(`${id}`));
      thread.toolResults([result(`${id}`, `${id} ${LONG}`)]);
      if (id % 5 === 0) thread.observe({ input_tokens: 200 });
      const { messages } = thread.request();
      assert.deepEqual(faults(messages), []);
      for (const [, handle = ""] of JSON.stringify(messages).matchAll(/\[recall handle: (\w+)\]/g))
        assert.match(recalledText(thread, { handle }), /\d+ 0123456789/);
    }
    assert.equal(new Set(thread.edits().map(({ pass }) => pass)).size >= 5, true);
  });
});
