import fc from "fast-check";
import type { Message } from "../../src/messages/message.ts";
import { assemble, type CheckpointMode, type Closing, type TranscriptPlan } from "./assemble.ts";
import { breakages, breakTranscript } from "./break-transcript.ts";
import { decorate, decorations } from "./decorate.ts";
import type { IdStyle } from "./ids.ts";
import { answerPlan, exchangePlan, roundPlan, systemPlan, userPlan, type ThinkingMode } from "./plans.ts";

export { arbitraryEdits, withEdits, type EditOptions } from "./arbitrary-edits.ts";
export { checkAsyncProperty, checkProperty, deepFreeze, sameBytes } from "./check-property.ts";
export { cases, seed } from "./run-settings.ts";

/** `pending`: a round without all its results, or an assistant's answer, comes last. */
export type TranscriptEnd = "user" | "system" | "pending";

export interface TranscriptOptions {
  /** `manual`: every assistant turn begins with thinking; `off`: there is none. Default "adaptive": some have it. */
  readonly thinking?: ThinkingMode;
  /** Default "user". */
  readonly end?: TranscriptEnd;
  /** Default: all four ways by chance. */
  readonly checkpoints?: CheckpointMode;
  /** Default 4; about one transcript in fifteen has four or five times as many. */
  readonly maxExchanges?: number;
}

/** Histories that the provider accepts: as a request where they end in a user or system message, else once the rest has come. */
export function validTranscript(options: TranscriptOptions = {}): fc.Arbitrary<Message[]> {
  return fc.tuple(transcriptPlan(options), decorations).map(([plan, wish]) => decorate(assemble(plan), wish));
}

export function pendingTranscript(options: Omit<TranscriptOptions, "end"> = {}): fc.Arbitrary<Message[]> {
  return validTranscript({ ...options, end: "pending" });
}

/** Any history that has the shape of one: valid, pending, and with faults that were already in the input. */
export function anyTranscript(options: Omit<TranscriptOptions, "end"> = {}): fc.Arbitrary<Message[]> {
  const whole = fc.oneof(
    { weight: 4, arbitrary: validTranscript(options) },
    { weight: 1, arbitrary: validTranscript({ ...options, end: "system" }) },
    { weight: 1, arbitrary: pendingTranscript(options) },
  );
  return fc.tuple(whole, breakages).map(([messages, list]) => breakTranscript(messages, list));
}

function transcriptPlan(options: TranscriptOptions): fc.Arbitrary<TranscriptPlan> {
  const mode = options.thinking ?? "adaptive";
  const most = options.maxExchanges ?? 4;
  const exchange = exchangePlan(mode);
  return fc.record({
    exchanges: fc.oneof(
      { weight: 14, arbitrary: fc.array(exchange, { minLength: 1, maxLength: most }) },
      { weight: 1, arbitrary: fc.array(exchange, { minLength: most * 4, maxLength: most * 5 }) },
    ),
    closing: closing(mode, options.end ?? "user"),
    ids: fc.constantFrom<IdStyle>("toolu", "toolu", "call", "short", "tricky"),
    checkpoints:
      options.checkpoints === undefined ? fc.constantFrom<CheckpointMode>("none", "none", "text", "block", "mixed") : fc.constant(options.checkpoints),
    compacted: fc.oneof({ weight: 24, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  });
}

function closing(mode: ThinkingMode, end: TranscriptEnd): fc.Arbitrary<Closing> {
  switch (end) {
    case "user":
      return fc.oneof(
        fc.constant<Closing>({ kind: "results" }),
        userPlan.map((user): Closing => ({ kind: "user", user })),
      );
    case "system":
      return systemPlan.map((system): Closing => ({ kind: "system", system }));
    case "pending":
      return fc.oneof(
        {
          weight: 3,
          arbitrary: fc.record({ round: roundPlan(mode), open: fc.integer({ min: 1, max: 4 }) }).map((open): Closing => ({ kind: "pending", ...open })),
        },
        { weight: 1, arbitrary: answerPlan(mode).map((answer): Closing => ({ kind: "answer", answer })) },
      );
  }
}
