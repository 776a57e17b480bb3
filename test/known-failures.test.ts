/** Inputs that break other systems, each as a test named by the failure it prevents. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  checkpointsIn,
  collapseToolChains,
  compactOldToolResults,
  compactThread,
  compressToolResult,
  generateCheckpointId,
  inputTokensOf,
  makeEdit,
  pruneMessages,
  render,
  report,
  type Block,
  type Change,
  type Edit,
  type Message,
} from "../src/index.ts";
import { messageTokens } from "../src/tokens/message-tokens.ts";
import { assistant, block, res, round, text, think, use, user } from "./support/build.ts";
import { BindingWorld, faults, signThinking } from "./support/provider-judge.ts";
import { deepFreeze } from "./support/transcripts.ts";

const edit = (change: Change, madeAt: number): Edit => makeEdit({ pass: "test", reason: "because", tokensBefore: 0, tokensAfter: 0, madeAt, ...change });
const mark = (letter: string): Block => text(`<checkpoint:${letter.repeat(6)}>`);

const capped = (content: string, maxToolResultTokens: number): string => contentOf(user(compressToolResult(res("1", content), { maxToolResultTokens })));

/** The text of a message's first result. */
function contentOf(message: Message | undefined): string {
  const [first] = message?.content ?? [];
  const content = typeof first === "object" ? (first as { content?: unknown }).content : undefined;
  return typeof content === "string" ? content : assert.fail("no result with text");
}

const base = deepFreeze([user("q"), ...round("1"), ...round("2"), ...round("3"), assistant("done"), user("next")]);
const over = { inputTokens: 50_000, onCompact: () => undefined };

describe("pruning", () => {
  for (const strategy of ["summarize", "sliding-window", "importance"] as const) {
    for (let maxTurns = 0; maxTurns <= base.length; maxTurns++) {
      test(`${strategy} ${maxTurns} orphans no result, keeps the last user turn and does not begin with an assistant message`, () => {
        const view = pruneMessages(base, { strategy, maxTurns });
        assert.deepEqual(faults(view), []);
        assert.equal(view.at(-1), base.at(-1));
        assert.equal(view[0]?.role, "user");
      });
    }
    test(`${strategy} -1 is refused, it does not drop the last user turn`, () => {
      assert.throws(() => pruneMessages(base, { strategy, maxTurns: -1 }), { code: "INVALID_OPTION" });
    });

    const interleaved = [user("q"), assistant(use("1")), assistant(use("2")), user(res("1")), user(res("2")), assistant("done"), user("next")];
    const twoAnswers = [user("q"), assistant(use("1"), use("2")), user(res("1")), user(res("2")), assistant("done"), user("next")];
    const signed = [
      user("q"),
      assistant("a"),
      assistant(think(), use("1"), use("2")),
      user(res("1"), res("2")),
      assistant(think("t"), use("3")),
      user(res("3")),
    ];
    for (let maxTurns = 0; maxTurns <= 6; maxTurns++) {
      test(`${strategy} ${maxTurns} does not split an interleaved earlier pair again`, () =>
        assert.deepEqual(faults(pruneMessages(interleaved, { strategy, maxTurns })), []));
      test(`${strategy} ${maxTurns} does not drop a call and keep the second of its two answers`, () =>
        assert.deepEqual(faults(pruneMessages(twoAnswers, { strategy, maxTurns })), []));
      test(`${strategy} ${maxTurns} does not split a turn with parallel calls, nor leave its signed reasoning after a changed prefix`, () => {
        const view = pruneMessages(signed, { strategy, maxTurns });
        assert.deepEqual(faults(view), []);
        assert.deepEqual(BindingWorld.grow(signed, (length) => signed.slice(0, length)).world.faults(view), []);
      });
    }

    test(`${strategy} does not keep 1 of 2,002 messages`, () => {
      const long = [user("q"), ...Array.from({ length: 1000 }, (_, number) => round(`c${number}`)).flat(), user("next")];
      const kept = pruneMessages(long, { strategy, maxTurns: 101 }).filter((message) => long.includes(message));
      assert.ok(kept.length >= 100 && kept.length <= 102, `${kept.length} kept`);
    });
  }

  test("a second pruning does not lose the words that the first one kept, and notes do not stack", () => {
    const open = [user("old"), assistant("x"), user("Never touch main."), ...round("1"), ...round("2"), ...round("3")];
    const first = pruneMessages(open, { strategy: "summarize", maxTurns: 4 });
    const second = pruneMessages([...first, ...round("4"), ...round("5")], { strategy: "summarize", maxTurns: 2 });
    assert.deepEqual(second, [user("[Previous context summarized: 7 turns]"), user("Never touch main."), ...round("5")]);
  });
});

describe("collapsing", () => {
  const messages = deepFreeze([user("q"), assistant(text("Let me look."), use("1")), user(res("1"), text("But use tabs!")), assistant("done"), user("next")]);

  test("does not lose the user's text that shares the message with a result, nor the assistant's own", () => {
    const shown = JSON.stringify(collapseToolChains(messages, { collapseAfterTurns: 0 }));
    assert.match(shown, /But use tabs!/);
    assert.match(shown, /Let me look\./);
  });

  test("does not change its bytes on every call", () => {
    const first = collapseToolChains(messages, { collapseAfterTurns: 0 });
    const second = collapseToolChains([...first, assistant("ok"), user("more"), assistant("ok"), user("more")], { collapseAfterTurns: 0 });
    assert.deepEqual(second.slice(0, first.length), first);
    const collapsed = edit({ kind: "collapse-round", call: 1, lastResult: 2, note: "[Tool: read | Result summarized — called 2 turns ago]" }, 5);
    assert.deepEqual(render([...messages, assistant("ok"), user("more")], [collapsed]).slice(0, 5), render(messages, [collapsed]));
  });
});

describe("truncating", () => {
  test("does not cut through a surrogate pair", () => {
    const content = `${"x".repeat(7)}\u{1f600}${"y".repeat(1000)}`;
    assert.ok(capped(content, 2).isWellFormed());
    const { messages } = compactOldToolResults([user("q"), ...round("1", content), ...round("2")], { ...over, toolResultRetentionChars: 8 });
    assert.ok(JSON.stringify(messages[2]).includes('xxxxxxx\\n\\n[truncated for context management]"'));
  });

  test("says so wherever something was cut", () => {
    const content = "x".repeat(5000);
    assert.match(capped(content, 100), /\[truncated\]$/);
    assert.match(
      JSON.stringify(compactOldToolResults([user("q"), ...round("1", content), ...round("2")], over).messages[2]),
      /\[truncated for context management\]/,
    );
  });

  test("two truncators with different limits come to rest", () => {
    for (const maxToolResultTokens of [0, 50, 124, 125, 131, 132, 200, 1000]) {
      const both = (content: string): string => {
        const { messages } = compactOldToolResults([user("q"), ...round("1", capped(content, maxToolResultTokens)), ...round("2")], over);
        return contentOf(messages[2]);
      };
      const once = both("x".repeat(5000));
      assert.equal(both(once), once);
    }
  });
});

describe("cache markers", () => {
  const marker = { cache_control: { type: "ephemeral" } };
  const marked = deepFreeze([
    user(text("q", marker)),
    ...round("1", "x".repeat(900)),
    assistant(text("two", marker), use("2")),
    user(res("2", "y".repeat(900)), text("words", marker), mark("a")),
    ...round("3", "z".repeat(900)),
    assistant("done"),
    user(text("next", marker), mark("b")),
    assistant("end"),
  ]);
  const VIEWS: Readonly<Record<string, readonly Message[]>> = {
    collapseToolChains: collapseToolChains(marked, { collapseAfterTurns: 0 }),
    pruneMessages: pruneMessages(marked, { strategy: "sliding-window", maxTurns: 4 }),
    compactOldToolResults: compactOldToolResults(marked, over).messages,
    compactThread: compactThread(marked, [{ from: "aaaaaa", to: "bbbbbb", summary: "S." }]),
  };
  for (const [name, view] of Object.entries(VIEWS)) {
    test(`${name} adds none to the caller's four, and moves none`, () => {
      const places = (messages: readonly Message[]): string[] =>
        messages.flatMap((message) =>
          typeof message.content === "string" ? [] : message.content.filter((part) => "cache_control" in part).map((part) => JSON.stringify(part)),
        );
      assert.equal(places(marked).length, 4);
      const left = places(view);
      assert.ok(left.length <= 4);
      assert.deepEqual(
        left,
        places(marked).filter((place) => left.includes(place)),
      );
    });
  }
});

describe("the token budget", () => {
  test("content of 501 to 535 characters does not grow", () => {
    for (let length = 495; length <= 545; length++) {
      const { messages } = compactOldToolResults([user("q"), ...round("1", "x".repeat(length)), ...round("2")], over);
      assert.ok(contentOf(messages[2]).length <= length, `${length} characters`);
    }
  });

  test("a user message of several parts is not taken for the newest tool result", () => {
    const messages = [user("q"), ...round("1", "x".repeat(900)), ...round("2", "y".repeat(900)), assistant("done"), user(text("a"), text("b"))];
    assert.equal(compactOldToolResults(messages, over).compacted, 1);
    assert.equal(compactOldToolResults(messages, over).messages[4], messages[4]);
  });

  test("the trigger fires under caching, where input_tokens alone is small", () => {
    assert.equal(inputTokensOf({ input_tokens: 12, cache_read_input_tokens: 48_000, cache_creation_input_tokens: 900 }), 48_912);
  });

  test("what was cut is not lost: the log is as it was, and undoing the edit shows it", () => {
    const messages = deepFreeze([user("q"), ...round("1", `${"x".repeat(900)} exit code 1`), ...round("2")]);
    const cut = edit({ kind: "replace-result", at: { position: 2, block: 0 }, callId: "1", form: "truncated", content: "x" }, 5);
    assert.notDeepEqual(render(messages, [cut]), messages);
    assert.deepEqual(render(messages, [{ ...cut, undoneAt: 5 }]), messages);
  });

  test("it does not loop when what is left is still above the budget", () => {
    const first = compactOldToolResults([user("q"), ...round("1", "x".repeat(900)), ...round("2", "y".repeat(90_000))], over);
    const again = compactOldToolResults(first.messages, { ...over, onCompact: () => assert.fail("compacted again") });
    assert.deepEqual(again, { messages: first.messages, compacted: 0 });
  });

  test("clearing old results does not leave later signed thinking after a changed prefix", () => {
    const log = signThinking([
      user("q"),
      assistant(think(""), use("1")),
      user(res("1", "x".repeat(900))),
      assistant(think(""), use("2")),
      user(res("2")),
      assistant(think(""), text("done")),
      user("next"),
    ]);
    const { world } = BindingWorld.grow(log, (length) => log.slice(0, length));
    const { messages } = compactOldToolResults(log, over);
    assert.deepEqual(world.faults(messages), []);
    assert.deepEqual(messages[1], log[1]);
  });
});

describe("the checkpoint editor", () => {
  const thread = deepFreeze([
    user(text("q"), mark("a")),
    ...round("1"),
    user(text("r"), mark("b")),
    ...round("2"),
    user(text("s"), mark("c")),
    assistant("done"),
  ]);
  const [a, b, c] = ["aaaaaa", "bbbbbb", "cccccc"];

  test("a reversed range does not duplicate history", () =>
    assert.throws(() => compactThread(thread, [{ from: c, to: a, summary: "S." }]), { code: "RANGE_REVERSED" }));
  test("an unknown `to` does not delete to the end", () =>
    assert.throws(() => compactThread(thread, [{ from: a, to: "nosuch", summary: "" }]), { code: "CHECKPOINT_UNKNOWN" }));
  test("an unknown `from` does not delete from the start", () =>
    assert.throws(() => compactThread(thread, [{ from: "nosuch", to: b, summary: "" }]), { code: "CHECKPOINT_UNKNOWN" }));
  test("an empty summary over everything does not leave an empty thread", () =>
    assert.throws(() => compactThread(thread, [{ summary: "" }]), { code: "EMPTY_THREAD" }));
  test("overlapping replacements do not come out in inverted order", () => {
    assert.throws(
      () =>
        compactThread(thread, [
          { from: a, to: c, summary: "S." },
          { from: b, summary: "T." },
        ]),
      { code: "OVERLAPPING_RANGES" },
    );
    const order = compactThread(thread, [
      { from: b, to: c, summary: "Second." },
      { from: a, to: b, summary: "First." },
    ]).map((message) => message.content);
    assert.ok(order.indexOf("First.") < order.indexOf("Second."));
  });
  test("ids are unique in a thread, and one that is not is refused", () => {
    const taken = new Set(checkpointsIn(thread).map(({ id }) => id));
    assert.ok(!taken.has(generateCheckpointId(taken)));
    assert.throws(() => compactThread([...thread, user(mark("a"))], [{ from: a, to: b, summary: "S." }]), { code: "CHECKPOINT_AMBIGUOUS" });
  });

  test("a reminder with another one inside leaves nothing of itself", () => {
    const nested = "\n<system-reminder>a <system-reminder>b</system-reminder> c</system-reminder>\n";
    const view = compactThread([user(text("q"), mark("a")), ...round("1"), user(text(nested), text("Go on."), mark("b"))], [{ to: a, summary: "S." }]);
    assert.deepEqual(view.at(-1), user(text("Go on."), mark("b")));
  });

  test("a second compaction does not lose what the first one kept, and summaries do not stack", () => {
    const first = compactThread(thread, [{ from: a, to: b, summary: "First." }]);
    const beside = compactThread(first, [{ from: a, to: c, summary: "Both." }]);
    assert.deepEqual(beside, [user(text("q"), mark("a")), assistant("Both."), assistant("done")]);
    const after = compactThread([...first, user(text("t"), mark("d"))], [{ from: c, to: "dddddd", summary: "Second." }]);
    assert.deepEqual(after.slice(0, first.length - 1), first.slice(0, -1));
    assert.deepEqual(after.slice(first.length - 1), [assistant("Second.")]);
  });
});

describe("render", () => {
  test("a range in the middle does not drop what comes later", () => {
    const range = edit({ kind: "replace-range", from: { position: 1, block: 0 }, to: { position: 5, block: 0 }, role: "user", summary: "S." }, 9);
    assert.deepEqual(render(base, [range]), [base[0], user("S."), ...base.slice(5)]);
  });

  test("a result cannot be taken out from under its call", () => {
    assert.throws(() => render(base, [edit({ kind: "strip-blocks", at: [{ position: 2, block: 0 }] }, 9)]), { code: "INVALID_INPUT" });
  });
});

describe("token estimates", () => {
  const image = block("image", { source: { type: "base64", media_type: "image/png", data: "A".repeat(1_000_000) } });
  test("an image is not counted as its base64, nor as nothing", () => {
    assert.equal(messageTokens(user(image)), 1568);
    assert.equal(messageTokens(user(res("1", [image, text("abcd")]))), 1569);
    assert.equal(report([user(image)], []).tokensBefore, 1568);
  });

  test("100,000 equal signs are counted at once", () => assert.equal(messageTokens(user("=".repeat(100_000))), 2_001));
});
