/** The policy on random transcripts: each preset, with numbers so small that it acts. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkMessages, type Message, type Target } from "../src/index.ts";
import { firstPlace } from "../src/edits/edit-places.ts";
import { makeEdits } from "../src/edits/make-edits.ts";
import { blocksOf, isText, isToolResult } from "../src/messages/message.ts";
import { checkpointId } from "../src/messages/checkpoint.ts";
import { isReminder } from "../src/messages/reminder.ts";
import { messageTokens } from "../src/tokens/message-tokens.ts";
import { compact, createCompactor, plan, type CallStep, type PolicyOptions } from "../src/conversation/index.ts";
import { addedFaults, BindingWorld, faults, signThinking } from "./support/provider-judge.ts";
import { anyTranscript, cases, checkProperty, deepFreeze, sameBytes, validTranscript } from "./support/transcripts.ts";

const TARGETS: Readonly<Record<string, Partial<Target>>> = {
  "that binds thinking": { bindsThinking: true },
  "that does not bind thinking": { bindsThinking: false },
  "that drops unbound thinking": { bindsThinking: true, dropBlock: true },
  "in manual mode": { bindsThinking: true, thinking: "manual" },
  "in manual mode, with thinking that is not bound": { bindsThinking: false, thinking: "manual" },
  "without thinking": { bindsThinking: true, thinking: "off" },
};

const options: fc.Arbitrary<PolicyOptions> = fc
  .record({
    preset: fc.constantFrom("gentle", "balanced", "tight"),
    firstSightTokens: fc.constantFrom(0, 5, 20, 100),
    firstSightFileTokens: fc.constantFrom(0, 5, 20, 100),
    tailTokens: fc.constantFrom(0, 20, 200),
    tailTurns: fc.nat({ max: 3 }),
    minResultTokens: fc.constantFrom(0, 5, 30),
    keptPercent: fc.constantFrom(10, 50, 90),
    stubTokens: fc.constantFrom(0, 50, 1_000),
    inputTokens: fc.constantFrom(0, 5, 40),
    minBatchTokens: fc.constantFrom(0, 10, 100),
    digestTokens: fc.constantFrom(0, 60, 400, 80_000),
    digestTailTokens: fc.constantFrom(0, 50),
    digestTailTurns: fc.nat({ max: 2 }),
    digestWithinCalls: fc.constantFrom(1, 12, 1_000),
    horizonPercent: fc.constantFrom(1, 100, 1_000),
  })
  .chain((numbers) => fc.constantFrom({}, { budget: 50 }, { budget: 400 }).map((limit): PolicyOptions => ({ ...numbers, ...limit, model: "claude-opus-5" })));

/** The calls of a conversation: before each response, and at its end. */
function lengthsOf(log: readonly Message[]): number[] {
  const lengths = log.flatMap(({ role }, position) => (position > 0 && role === "assistant" && log[position - 1]?.role !== "assistant" ? [position] : []));
  return log.at(-1)?.role === "assistant" ? lengths : [...lengths, log.length];
}

const stepAt = (number: number): CallStep => ({ atMs: number * 1_000 * (number % 5 === 4 ? 600 : 1), headHash: number % 7 === 6 ? "b" : "a" });
const timesOf = (count: number): CallStep[] => Array.from({ length: count }, (_, number) => stepAt(number)).sort((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0));

function run(log: readonly Message[], given: PolicyOptions): Message[][] {
  const compactor = createCompactor(given);
  const lengths = lengthsOf(log);
  const times = timesOf(lengths.length);
  return lengths.map((length, number) => compactor.next(log.slice(0, length), times[number]).messages);
}

/** What the user says, block by block. */
function saidBlocks(messages: readonly Message[]): string[] {
  return messages
    .flatMap((message) =>
      message.role === "user" ? blocksOf(message).filter((block) => isText(block) && !isReminder(block) && checkpointId(block) === undefined) : [],
    )
    .map((block) => JSON.stringify(block));
}

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

describe("a compactor", () => {
  for (const [label, target] of Object.entries(TARGETS)) {
    it(`sends what a provider accepts, call after call, to a target ${label}`, () => {
      checkProperty(`valid in, valid out, ${label}`, [validTranscript({ thinking: target.thinking ?? "adaptive" }), options], (messages, given) => {
        const log = signThinking(messages);
        const views = run(log, { ...given, target });
        const lengths = lengthsOf(log);
        views.forEach((view, number) => {
          const sent = log.slice(0, lengths[number]);
          assert.deepEqual(addedFaults(sent, view, target), []);
        });
        const { grown } = BindingWorld.grow(log, (length) => views[lengths.indexOf(length)] ?? []);
        if (target.bindsThinking === true && target.dropBlock !== true)
          assert.deepEqual(
            grown.filter((fault) => fault.startsWith("A4.8")),
            [],
          );
      });
    });
  }

  it("adds no fault to a log that has some", () => {
    checkProperty("no new fault", [anyTranscript(), options], (log, given) => {
      const lengths = lengthsOf(log);
      run(log, given).forEach((view, number) => assert.deepEqual(addedFaults(log.slice(0, lengths[number]), view, {}), []));
    });
  });

  it("decides the same at once, step by step, and after a restart at any point, and never touches its input", () => {
    checkProperty("cold, incremental, resumed", [validTranscript(), options, fc.nat({ max: 40 })], (messages, given, at) => {
      const log = deepFreeze(messages);
      const lengths = lengthsOf(log);
      const times = timesOf(lengths.length);
      const views = run(log, given);
      const restart = at % Math.max(1, lengths.length);
      let compactor = createCompactor(given);
      let known = 0;
      lengths.forEach((length, number) => {
        if (number === restart) compactor = createCompactor({ ...given, state: JSON.parse(JSON.stringify(compactor)) as unknown });
        const view = number > restart ? compactor.append(log.slice(known, length), times[number]) : compactor.next(log.slice(0, length), times[number]);
        known = length;
        assert.ok(sameBytes(view.messages, views[number] ?? []), `call ${number}`);
      });
    });
  });

  it("shows what it showed, until it says that it edits", () => {
    let unedited = 0;
    checkProperty("byte-stable", [validTranscript(), options], (log, given) => {
      const compactor = createCompactor({ ...given, target: { bindsThinking: false } });
      let before: { length: number; messages: readonly Message[]; edits: number } = { length: 0, messages: [], edits: 0 };
      lengthsOf(log).forEach((length) => {
        const { messages, edits } = compactor.next(log.slice(0, length));
        const oldest = Math.min(...edits.slice(before.edits).map((edit) => firstPlace(edit).position));
        if (oldest >= before.length) {
          assert.ok(sameBytes(messages.slice(0, before.messages.length), before.messages));
          if (before.length > 0) unedited++;
        }
        before = { length, messages, edits: edits.length };
      });
    });
    assert.ok(unedited > cases() / 2, `only ${unedited} views without an edit of what was shown before`);
  });

  it("goes on from where a changed history parts, as if the rest had never been", () => {
    checkProperty("changed history", [validTranscript(), options, fc.nat({ max: 30 })], (log, given, cut) => {
      const lengths = lengthsOf(log);
      const compactor = createCompactor(given);
      for (const length of lengths) compactor.next(log.slice(0, length));
      const kept = lengths[cut % lengths.length] ?? 0;
      const other: Message[] = [...log.slice(0, kept), { role: "assistant", content: "Another way." }, { role: "user", content: "Go on." }];
      const fresh = createCompactor(given);
      for (const length of lengths.filter((length) => length <= kept)) fresh.next(log.slice(0, length));
      assert.ok(sameBytes(compactor.next(other).messages, fresh.next(other).messages));
    });
  });

  it("never alters what the user says, nor errors, and never makes a result longer", () => {
    checkProperty("user text", [validTranscript(), options], (log, given) => {
      const last = run(log, given).at(-1) ?? [];
      const sent = log.slice(0, lengthsOf(log).at(-1));
      const shown = new Set(saidBlocks(last));
      assert.deepEqual(
        saidBlocks(sent).filter((text) => !shown.has(text)),
        [],
      );
      const errors = (messages: readonly Message[]): unknown[] => messages.flatMap(blocksOf).filter((block) => isToolResult(block) && block.is_error === true);
      const kept = new Set(errors(sent).map((error) => JSON.stringify(error)));
      assert.ok(errors(last).every((error) => kept.has(JSON.stringify(error))));
      assert.ok(tokensOf(last) <= tokensOf(sent));
    });
  });
});

describe("a budget", () => {
  it("is kept or its floor is said, and the user's words are all there", () => {
    let kept = 0;
    const budget = fc.integer({ min: 1, max: 3_000 });
    checkProperty("kept or said", [validTranscript(), options, budget], (log, given, most) => {
      const compactor = createCompactor({ ...given, budget: most });
      let isFloor = false;
      for (const length of lengthsOf(log)) {
        const sent = log.slice(0, length);
        const { messages } = compactor.next(sent);
        isFloor ||= compactor.explain()?.because === "the floor is above the limit";
        assert.ok(isFloor || tokensOf(messages) <= most, `${tokensOf(messages)} tokens, ${compactor.explain()?.words ?? ""}`);
        if (tokensOf(sent) > most && tokensOf(messages) <= most) kept++;
        const shown = new Set(saidBlocks(messages));
        assert.deepEqual(
          saidBlocks(sent).filter((said) => !shown.has(said)),
          [],
        );
      }
    });
    assert.ok(kept > 0);
  });
});

describe("compact", () => {
  it("gives a valid view, the edits that plan gives, and the same each time", () => {
    checkProperty("compact", [validTranscript(), options], (messages, given) => {
      const log = deepFreeze(messages);
      const { messages: view, edits, report } = compact(log, given);
      assert.deepEqual([faults(view), checkMessages(view)], [[], []]);
      assert.deepEqual(plan(log, given), edits);
      assert.ok(report.tokensAfter <= report.tokensBefore);
    });
  });

  it("hands on token counts that are those of the log", () => {
    checkProperty("token counts of edits", [anyTranscript(), options], (log, given) => {
      const { edits } = compact(log, given);
      assert.deepEqual(makeEdits(log, edits), edits);
    });
  });
});
