/** One conversation, grown message by message: what it keeps up to date is what it would work out anew. */
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { Conversation } from "../src/conversation/conversation.ts";
import { PolicyRunner } from "../src/conversation/policy-runner.ts";
import { isRecord } from "../src/errors/is-record.ts";
import { indexLog } from "../src/messages/index-log.ts";
import { render, type Message } from "../src/index.ts";
import { blockAt } from "../src/messages/message.ts";
import { DEFAULT_TARGET, type Target } from "../src/messages/target.ts";
import { parseCompaction, type CompactionConfig, type PolicyPart } from "../src/policy/shortening-options.ts";
import { Dice } from "./support/threads/dice.ts";
import { anyTranscript, checkProperty, deepFreeze, sameBytes, validTranscript } from "./support/transcripts.ts";

const small: PolicyPart = { preset: "tight", firstSightTokens: 5, tailTokens: 20, tailTurns: 1, minResultTokens: 5, minBatchTokens: 10, horizonPercent: 1_000 };
const PARTS: readonly PolicyPart[] = [
  small,
  { ...small, highTokens: 80, lowTokens: 20 },
  { compress: { maxToolResultTokens: 5 } },
  { collapse: { collapseAfterTurns: 3 } },
  { prune: { strategy: "summarize", maxTurns: 8 } },
  { budget: { inputTokenBudget: 10, toolResultRetentionChars: 10 } },
];
const policy: fc.Arbitrary<CompactionConfig> = fc.subarray([...PARTS], { minLength: 1, maxLength: 3 }).map((parts) => ({ policy: parts }));
const target: fc.Arbitrary<Target> = fc
  .record({ thinking: fc.constantFrom("adaptive", "manual", "off"), bindsThinking: fc.boolean(), dropBlock: fc.boolean() })
  .map((flags) => ({ ...DEFAULT_TARGET, ...flags }));

let edited = 0;
let extended = 0;
let undone = 0;
let recalled = 0;

/** Plays a transcript: policies run when messages come in and before each response, and what was made is taken back now and then. */
class Play {
  readonly conversation: Conversation;
  readonly #policies: PolicyRunner;
  readonly #dice: Dice;

  constructor(target: Target, config: CompactionConfig, seed: number) {
    this.conversation = new Conversation(target, { id: "t", log: [], edits: [], pins: [], seenFrom: 0, steps: [] });
    this.#policies = new PolicyRunner(this.conversation, parseCompaction(config).policies({ thread: "t", named: seed % 2 === 0 }), seed % 2 === 0);
    this.#dice = new Dice(seed);
  }

  take(message: Message, before: Message | undefined): void {
    const { conversation } = this;
    if (message.role === "assistant" && before?.role !== "assistant" && before !== undefined)
      this.#policies.beforeCall({
        upTo: conversation.length,
        model: "unknown",
        headHash: "",
        atMs: conversation.length * (this.#dice.below(3) === 0 ? 1e7 : 1),
      });
    if (
      message.role === before?.role &&
      message.role === "user" &&
      Array.isArray(message.content) &&
      Array.isArray(before.content) &&
      this.#dice.below(2) === 0
    )
      conversation.extendLast(message.content);
    else conversation.append(message);
    if (message.role === "user") this.#policies.arrived(conversation.length - 1);
    if (message.role === "assistant") this.#policies.answered(100);
    if (this.#dice.below(6) === 0) this.#undoSomething();
  }

  /** Nothing is left of what one call has made. */
  undoAll(): void {
    const before = this.conversation.arrange().messages;
    const made = this.#policies.beforeCall({ upTo: this.conversation.length, model: "unknown", headHash: "", atMs: 1e12 });
    try {
      for (const { id } of made.reverse()) this.conversation.undo(id);
    } catch (error) {
      assert.equal(isRecord(error) ? error["code"] : error, "LOOP_OPEN");
      return;
    }
    assert.ok(sameBytes(this.conversation.arrange().messages, before), "undone");
    undone += made.length;
  }

  #undoSomething(): void {
    const { inForce } = this.conversation;
    if (inForce.length === 0) return;
    try {
      this.conversation.undo(this.#dice.of(inForce).id);
    } catch (error) {
      assert.equal(isRecord(error) ? error["code"] : error, "LOOP_OPEN");
    }
  }
}

function isLikeAnew({ conversation }: Play): void {
  const { log, edits, target: now, seenFrom } = conversation;
  const view = conversation.arrange();
  assert.ok(sameBytes(view.messages, render(log, edits, { ...now, seenFrom })), "the view");
  const anew = new Conversation(now, conversation.toJSON());
  assert.deepEqual(view.positions, anew.arrange().positions);
  assert.ok(sameBytes(conversation.view(), anew.view()), "what is sent");
  assert.deepEqual(conversation.index, indexLog(log));
  edited += edits.length;
}

describe("a conversation", () => {
  it("keeps its index and its view as they would be anew, after every message and every edit", () => {
    checkProperty("anew", [fc.oneof(validTranscript(), anyTranscript()), target, policy, fc.nat()], (log, given, config, seed) => {
      const play = new Play(given, config, seed);
      for (const [position, message] of deepFreeze(log).entries()) {
        const before = play.conversation.arrange().messages;
        play.take(message, log[position - 1]);
        const now = play.conversation.arrange().messages;
        if (before.length > 0 && before.every((shown, number) => shown === now[number])) extended++;
        isLikeAnew(play);
      }
    });
  });

  it("goes on as it was when it is made again from its state", () => {
    checkProperty("again", [validTranscript(), target, policy, fc.nat()], (log, given, config, seed) => {
      const play = new Play(given, config, seed);
      for (const [position, message] of log.entries()) play.take(message, log[position - 1]);
      const state = play.conversation.toJSON();
      const again = new Conversation(given, JSON.parse(JSON.stringify(state)) as typeof state);
      assert.ok(sameBytes(again.view(), play.conversation.view()));
      assert.ok(sameBytes(again.toJSON(), state));
    });
  });

  it("gives back every original that it names", () => {
    checkProperty("originals", [validTranscript(), target, policy, fc.nat()], (log, given, config, seed) => {
      const play = new Play(given, config, seed);
      for (const [position, message] of log.entries()) play.take(message, log[position - 1]);
      const { conversation } = play;
      for (const edit of conversation.inForce) {
        if (edit.handle === undefined) continue;
        const { content } = conversation.recall({ handle: edit.handle, maxTokens: 1_000_000 });
        recalled++;
        const original = edit.kind === "replace-result" ? blockAt(conversation.log, edit.at) : undefined;
        const { content: whole } = (original ?? {}) as { readonly content?: unknown };
        if (typeof whole === "string" && !edit.handle.includes("-")) assert.equal(content, whole);
      }
    });
  });

  it("takes back an edit as if it had never been made", () => {
    checkProperty("undo", [validTranscript(), target, policy, fc.nat()], (log, given, config, seed) => {
      const play = new Play(given, config, seed);
      for (const [position, message] of log.entries()) {
        play.take(message, log[position - 1]);
        if (message.role === "user" && position % 3 === 0) play.undoAll();
      }
    });
  });
});

after(() => {
  assert.ok(edited > 0, "edits were made");
  assert.ok(recalled > 0, "originals were recalled");
  assert.ok(undone > 0, "edits were taken back");
  assert.ok(extended > 0, "views went on with the messages of before");
});
