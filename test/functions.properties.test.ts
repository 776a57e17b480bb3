import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  checkMessages,
  checkpointsIn,
  collapseToolChains,
  compactOldToolResults,
  compactThread,
  compressToolResult,
  pruneMessages,
  summarizeAndPrune,
  PalimpsestError,
  type Message,
  type Replacement,
  type Target,
} from "../src/index.ts";
import { blocksOf, isText, isToolResult, type ToolResultBlock } from "../src/messages/message.ts";
import { addedFaults, faults } from "./support/provider-judge.ts";
import { anyTranscript, checkAsyncProperty, checkProperty, deepFreeze, pendingTranscript, sameBytes, validTranscript } from "./support/transcripts.ts";

/** What one random call of a function was asked to do: its meaning depends on the function. */
interface Wish {
  readonly a: number;
  readonly b: number;
  readonly flag: boolean;
  readonly text: string;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  a: fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 700 })),
  b: fc.nat({ max: 60 }),
  flag: fc.boolean(),
  text: fc.constantFrom("", "  ", "Looked around; config is in src/a.ts.", "<checkpoint:abc123>"),
});

type Subject = (messages: readonly Message[], wish: Wish, target: Partial<Target>) => Message[];

/** Every exported function that gives messages back. A function that refuses gives the messages themselves. */
const SUBJECTS: Readonly<Record<string, Subject>> = {
  "compressToolResult on every result": (messages, { a }) => compressAll(messages, a),
  collapseToolChains: (messages, { a, b, flag }, target) =>
    collapseToolChains(messages, { collapseAfterTurns: a % 8, collapseMultiToolTurns: flag, collapseGistChars: b }, target),
  "pruneMessages sliding-window": (messages, { a }, target) => pruneMessages(messages, { strategy: "sliding-window", maxTurns: a % 20 }, target),
  "pruneMessages summarize": (messages, { a }, target) => pruneMessages(messages, { strategy: "summarize", maxTurns: a % 20 }, target),
  "pruneMessages importance": (messages, { a }, target) => pruneMessages(messages, { strategy: "importance", maxTurns: a % 20 }, target),
  compactOldToolResults: (messages, { a }, target) =>
    compactOldToolResults(messages, { inputTokens: 50_000, toolResultRetentionChars: a, onCompact: () => undefined }, target).messages,
  "compactThread, strip all": (messages, choice, target) => compactSomewhere(messages, choice, "all", target),
  "compactThread, strip after-edit": (messages, choice, target) => compactSomewhere(messages, choice, "after-edit", target),
};

/** A compacted thread may end in its summary, to which the caller adds the next user message. */
const endsOpen = (name: string): boolean => name.startsWith("compactThread");

const TARGETS: Readonly<Record<string, Partial<Target>>> = {
  "that binds thinking": {},
  "that does not bind thinking": { bindsThinking: false },
  "that drops unbound thinking": { dropBlock: true },
  "in manual mode": { thinking: "manual" },
  "in manual mode without binding": { thinking: "manual", bindsThinking: false },
  "without thinking": { thinking: "off" },
};

for (const [name, run] of Object.entries(SUBJECTS)) {
  describe(name, () => {
    for (const [label, target] of Object.entries(TARGETS)) {
      it(`keeps a valid history valid for a target ${label}`, () => {
        const transcript = validTranscript({ thinking: target.thinking ?? "adaptive" });
        checkProperty(`${name}: valid in, valid out`, [transcript, wish], (messages, choice) => {
          const judge = { ...target, history: endsOpen(name) };
          const view = run(messages, choice, target);
          assert.deepEqual(faults(view, judge), []);
          assert.deepEqual(checkMessages(view, judge), []);
        });
      });
    }

    it("keeps a history with a pending round valid", () => {
      checkProperty(`${name}: pending`, [pendingTranscript(), wish], (messages, choice) => {
        assert.deepEqual(addedFaults(messages, run(messages, choice, {}), { history: true }), []);
      });
    });

    it("adds no fault to a history that has some", () => {
      checkProperty(`${name}: no new fault`, [anyTranscript(), wish], (messages, choice) => {
        const view = run(messages, choice, {});
        assert.deepEqual(addedFaults(messages, view, { history: endsOpen(name) }), []);
      });
    });

    it("leaves its input alone and gives the same bytes each time", () => {
      checkProperty(`${name}: pure`, [anyTranscript(), wish], (messages, choice) => {
        deepFreeze(messages);
        assert.ok(sameBytes(run(messages, choice, {}), run(messages, choice, {})));
      });
    });

    it("shows no thinking after the first change to a target that binds it", () => {
      checkProperty(`${name}: thinking`, [anyTranscript(), wish], (messages, choice) => {
        if (name.startsWith("compressToolResult")) return;
        const view = run(messages, choice, {});
        const changed = view.findIndex((message, position) => message !== messages[position]);
        if (changed === -1) return;
        const after = view.slice(changed + 1).flatMap((message) => blocksOf(message));
        assert.ok(!after.some((block) => block.type === "thinking" || block.type === "redacted_thinking"));
      });
    });
  });
}

describe("what the functions promise beyond that", () => {
  it("compressToolResult never makes a result longer, and does nothing the second time", () => {
    checkProperty("compress", [anyTranscript(), wish], (messages, { a }) => {
      for (const block of resultsOf(messages)) {
        const once = compressToolResult(block, { maxToolResultTokens: a });
        assert.ok(textLength(once) <= textLength(block));
        assert.equal(compressToolResult(once, { maxToolResultTokens: a }), once);
      }
    });
  });

  it("compactOldToolResults never makes a result longer, and does nothing the second time", () => {
    checkProperty("budget", [anyTranscript(), wish], (messages, { a }) => {
      const config = { inputTokens: 50_000, toolResultRetentionChars: a, onCompact: () => undefined };
      const once = compactOldToolResults(messages, config);
      const before = resultsOf(messages);
      resultsOf(once.messages).forEach((block, number) => assert.ok(textLength(block) <= textLength(before[number] ?? block)));
      assert.equal(compactOldToolResults(once.messages, config).compacted, 0);
    });
  });

  it("no function but pruning and compacting takes words of the user", () => {
    checkProperty("user text", [anyTranscript(), wish], (messages, choice) => {
      const note = "[Earlier conversation omitted]";
      const before = userText(messages).filter((text) => text !== note);
      for (const name of ["compressToolResult on every result", "collapseToolChains", "compactOldToolResults"]) {
        const after = userText(SUBJECTS[name]?.(messages, choice, {}) ?? []).filter((text) => text !== note);
        assert.deepEqual(after, before, name);
      }
    });
  });

  it("pruneMessages keeps the last message and the newest words of the user, and leaves out as many as asked for", () => {
    const strategies = fc.constantFrom("sliding-window", "summarize", "importance");
    checkProperty("protected", [validTranscript({ thinking: "off" }), strategies, fc.nat({ max: 30 })], (messages, strategy, maxTurns) => {
      const view = pruneMessages(messages, { strategy, maxTurns });
      assert.equal(view.at(-1), messages.at(-1));
      if (messages.length <= maxTurns) assert.deepEqual(view, messages);
      const note = view.find(
        (message) => typeof message.content === "string" && message.content.startsWith("[Previous context summarized: ") && !messages.includes(message),
      );
      if (note !== undefined)
        assert.equal(note.content, `[Previous context summarized: ${messages.filter((message) => !view.includes(message)).length} turns]`);
    });
  });

  it("compactThread leaves all words around reminders and none inside, however they nest", () => {
    const words = fc.constantFrom("", " Fix it. ", "<b>", "a < b");
    const reminders = fc.letrec<{ text: string; reminder: string }>((tie) => ({
      text: fc.tuple(words, fc.oneof({ depthSize: "small" }, fc.constant(""), tie("reminder")), words).map((parts) => parts.join("")),
      reminder: tie("text").map((inside) => `<system-reminder>${inside}!</system-reminder>`),
    }));
    checkProperty("nested reminders", [fc.array(fc.tuple(words, reminders.reminder), { minLength: 1, maxLength: 4 }), words], (parts, last) => {
      const around = [...parts.map(([said]) => said), last].join("");
      const said = [...parts.flat(), last].join("");
      const thread: Message[] = [
        { role: "user", content: [{ type: "text", text: "<checkpoint:aaaaaa>" }] },
        { role: "assistant", content: "Yes." },
        { role: "user", content: [{ type: "text", text: said }, { type: "text", text: "<checkpoint:bbbbbb>" }] }, // prettier-ignore
      ];
      const kept = compactThread(thread, [{ to: "aaaaaa", summary: "S." }]).at(-1);
      assert.deepEqual(userText(kept === undefined ? [] : [kept]), [...(around.trim() === "" ? [] : [around]), "<checkpoint:bbbbbb>"]);
    });
  });

  it("summarizeAndPrune keeps what pruneMessages keeps, whatever the summarizer does", async () => {
    const outcome = fc.constantFrom("a summary of what was said", "", "  ", new Error("down"));
    await checkAsyncProperty("summarize", [validTranscript(), wish, outcome], async (messages, { a }, answer) => {
      deepFreeze(messages);
      const config = { strategy: "summarize", maxTurns: a % 20 } as const;
      const summarizer = (): Promise<string> => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
      const view = await summarizeAndPrune(messages, config, summarizer);
      assert.deepEqual(faults(view), []);
      const pruned = pruneMessages(messages, config);
      if (answer instanceof Error || answer.trim() === "") assert.deepEqual(view, pruned);
      assert.equal(view.length, pruned.length);
    });
  });
});

function compressAll(messages: readonly Message[], maxToolResultTokens: number): Message[] {
  return messages.map((message) => {
    if (message.role !== "user" || typeof message.content === "string") return message;
    return { ...message, content: message.content.map((block) => (isToolResult(block) ? compressToolResult(block, { maxToolResultTokens }) : block)) };
  });
}

const REFUSALS: ReadonlySet<string> = new Set(["CHECKPOINT_AMBIGUOUS", "RANGE_REVERSED", "RANGE_EMPTY", "OVERLAPPING_RANGES", "LOOP_OPEN", "EMPTY_THREAD"]);

function compactSomewhere(messages: readonly Message[], { a, b, flag, text }: Wish, strip: "all" | "after-edit", target: Partial<Target>): Message[] {
  const ids = [undefined, ...checkpointsIn(messages).map((checkpoint) => checkpoint.id), undefined];
  const [first, second] = [a % ids.length, b % ids.length].sort((one, other) => one - other);
  const replacements: Replacement[] = [replacement(ids[first ?? 0], ids[second ?? 0], text)];
  if (flag) replacements.push(replacement(ids[second ?? 0], undefined, "the rest"));
  try {
    return compactThread(messages, replacements, { strip, target });
  } catch (error) {
    if (PalimpsestError.isInstance(error) && REFUSALS.has(error.code)) return [...messages];
    throw error;
  }
}

function replacement(from: string | undefined, to: string | undefined, summary: string): Replacement {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), summary };
}

function resultsOf(messages: readonly Message[]): ToolResultBlock[] {
  return messages.flatMap((message) => (message.role === "user" ? blocksOf(message).filter(isToolResult) : []));
}

function textLength(block: ToolResultBlock): number {
  if (typeof block.content === "string") return block.content.length;
  return (block.content ?? []).reduce((sum, part) => sum + (isText(part) ? part.text.length : 0), 0);
}

function userText(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === "user"
      ? blocksOf(message)
          .filter(isText)
          .map((block) => block.text)
      : [],
  );
}
