/** Digests on random transcripts: nothing is lost by them, and they really occur. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Message } from "../src/index.ts";
import { blocksOf, isToolResult } from "../src/messages/message.ts";
import { createCompactor, type CallStep, type Compacted, type PolicyOptions } from "../src/conversation/index.ts";
import { lostTexts, textsNamed } from "./support/lost-texts.ts";
import { cases, checkProperty, validTranscript } from "./support/transcripts.ts";

const options: fc.Arbitrary<PolicyOptions> = fc
  .record({
    preset: fc.constantFrom("balanced", "tight"),
    firstSightTokens: fc.constantFrom(0, 100),
    firstSightFileTokens: fc.constantFrom(0, 100),
    tailTokens: fc.constantFrom(0, 200),
    minResultTokens: fc.constantFrom(5, 30),
    inputTokens: fc.constantFrom(0, 40),
    digestTokens: fc.constantFrom(60, 400),
    digestTailTokens: fc.constantFrom(0, 50),
    digestTailTurns: fc.nat({ max: 1 }),
    digestWithinCalls: fc.constantFrom(4, 12, 100),
  })
  .chain((numbers) => fc.constantFrom({}, { budget: 150 }, { budget: 400 }).map((limit): PolicyOptions => ({ ...numbers, ...limit, model: "claude-opus-5" })));

/** Some messages more at each call, and now and then another head, so that nothing is cached. */
function* callsOf(log: readonly Message[], given: PolicyOptions, pins: readonly number[]): Generator<{ sent: readonly Message[]; shown: Compacted }> {
  const compactor = createCompactor(given);
  for (const [position, { role }] of log.entries()) {
    if (role !== "assistant" && log[position + 1]?.role !== "assistant" && position + 1 < log.length) continue;
    if (role === "assistant") continue;
    if (pins.includes(position)) compactor.pin(position >> 1);
    const step: CallStep = { headHash: position % 5 === 4 ? `${position}` : "same" };
    const sent = log.slice(0, position + 1);
    yield { sent, shown: compactor.next(sent, step) };
  }
}

/** Some results are long enough for their originals to have parts. */
function withLong(log: readonly Message[], every: number): Message[] {
  return log.map((message, position) => {
    if (every === 0 || position % every !== 0 || typeof message.content === "string") return message;
    const lines = Array.from({ length: 150 }, (_, line) => `row ${position}.${line}: value ${line * 7919} of something`).join("\n");
    const content = message.content.map((block) =>
      isToolResult(block) && typeof block.content === "string" ? { ...block, content: `${block.content}\n${lines}` } : block,
    );
    return { ...message, content };
  });
}

/** Some of what the assistant says is a refusal, or is said aloud. */
function withRefusals(log: readonly Message[], every: number): Message[] {
  return log.map((message, position) => {
    if (every === 0 || position % every !== 1 || message.role !== "assistant") return message;
    const said =
      position % 2 === 0 ? { type: "refusal", refusal: `I cannot do ${position}.` } : { type: "audio", id: `audio_${position}`, transcript: `Hm ${position}.` };
    return { ...message, content: [...blocksOf(message), said] };
  });
}

const pins = fc.array(fc.nat({ max: 60 }), { maxLength: 2 });

describe("a digest", () => {
  it("loses nothing: what the view does not show, a handle that it names gives back", () => {
    let digests = 0;
    let later = 0;
    checkProperty("nothing lost", [validTranscript({ thinking: "off" }), options, pins, fc.constantFrom(0, 0, 0, 0, 3)], (short, given, pinned, every) => {
      const log = withRefusals(withLong(short, every), (short.length + pinned.length) % 4);
      for (const { sent, shown } of callsOf(log, given, given.budget === undefined ? pinned : [])) {
        const made = shown.edits.filter(({ pass, madeAt }) => pass === "digest-rounds" && madeAt === sent.length);
        if (made.length === 0) continue;
        digests++;
        if (shown.edits.some(({ pass, madeAt }) => pass === "digest-rounds" && madeAt < sent.length)) later++;
        // What is tidied shows all that it says, in fewer blanks.
        const tidied = new Set(shown.edits.flatMap((edit) => (edit.pass === "tidy-results" && edit.kind === "replace-result" ? [edit.callId] : [])));
        if (tidied.size > 0) continue;
        assert.deepEqual(lostTexts(sent, shown.messages, textsNamed(sent, shown.messages, shown.edits)), []);
      }
    });
    assert.ok(digests > cases() / 10 && later > cases() / 50, `${digests} digests, ${later} of them later ones`);
  });
});
