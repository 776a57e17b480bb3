import fc from "fast-check";
import type { Change, ResultForm } from "../../src/edits/change.ts";
import { makeEdit, type Edit } from "../../src/edits/edit.ts";
import type { Place } from "../../src/messages/place.ts";
import type { Block, Message } from "../../src/messages/message.ts";
import { image, textBlocks } from "./blocks.ts";
import { targetsIn, type Span, type Targets } from "./edit-targets.ts";
import { shownText, sizedText } from "./odd-text.ts";

/** A change, the stretch of the log that it takes out (if it does), and the last position that it touches. */
interface Proposal {
  readonly change: Change;
  readonly span: Span | null;
  readonly lastTouched: number;
}

export interface EditOptions {
  /** Default 8. */
  readonly maxEdits?: number;
  /** "request", the default: edits take effect and are undone only where a request can be made, not amid an assistant's turn. */
  readonly madeAt?: "request" | "any";
  /** False: no range and no collapsed round takes the end of the log, which then still ends as it did. Default true. */
  readonly reachesEnd?: boolean;
}

/** Edits that may be given to `render` for this log: every place is what the edit says, and ranges nest or are disjoint. */
export function arbitraryEdits(log: readonly Message[], options: EditOptions = {}): fc.Arbitrary<Edit[]> {
  const targets = targetsIn(log);
  const kinds = proposalsFor(targets);
  if (kinds.length === 0) return fc.constant([]);
  const limit = options.reachesEnd === false ? targets.endBegins : Infinity;
  const lengths = options.madeAt === "any" ? log.map((_, index) => index + 1) : requestLengths(log);
  const stamped = fc.tuple(fc.oneof(...kinds), timing, fc.nat({ max: 500 }), fc.nat({ max: 120 }));
  return fc.array(stamped, { maxLength: options.maxEdits ?? 8 }).map((list) => {
    const kept: Span[] = [];
    return list.flatMap(([proposal, when, tokensBefore, tokensAfter]) => {
      if (proposal.span !== null) {
        const { span } = proposal;
        if (span.end > limit || kept.some((other) => cross(span, other))) return [];
        kept.push(span);
      }
      return [makeEdit({ pass: "test", reason: "arbitrary", tokensBefore, tokensAfter, ...times(lengths, proposal.lastTouched, when), ...proposal.change })];
    });
  });
}

/** The log of a transcript together with edits for it. */
export function withEdits(transcript: fc.Arbitrary<Message[]>, options: EditOptions = {}): fc.Arbitrary<{ log: Message[]; edits: Edit[] }> {
  return transcript.chain((log) => arbitraryEdits(log, options).map((edits) => ({ log, edits })));
}

/** Lengths at which the log is not in the middle of neighbouring assistant messages, which came back for one request. */
function requestLengths(log: readonly Message[]): number[] {
  return log.flatMap((message, index) => (message.role === "assistant" && log[index + 1]?.role === "assistant" ? [] : [index + 1]));
}

interface Timing {
  readonly made: number;
  readonly undone: number | null;
}

const timing: fc.Arbitrary<Timing> = fc.record({
  made: fc.nat({ max: 9999 }),
  undone: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat({ max: 9999 }) }),
});

/** Made when everything it touches was there; undone later, if at all, while the log grew to its present length. */
function times(lengths: readonly number[], lastTouched: number, { made, undone }: Timing): { madeAt: number; undoneAt?: number } {
  const possible = lengths.filter((length) => length > lastTouched);
  const madeAt = possible[made % possible.length] ?? 0;
  const later = possible.filter((length) => length > madeAt);
  const undoneAt = undone === null ? undefined : later[undone % Math.max(1, later.length)];
  return undoneAt === undefined ? { madeAt } : { madeAt, undoneAt };
}

function cross(a: Span, b: Span): boolean {
  return (a.start < b.start && b.start < a.end && a.end < b.end) || (b.start < a.start && a.start < b.end && b.end < a.end);
}

const FORMS: readonly ResultForm[] = ["truncated", "skeleton", "stub", "duplicate", "summary", "custom"];

const blank = { weight: 1, arbitrary: fc.constantFrom("", " \n") };
const written: fc.Arbitrary<string> = fc.oneof({ weight: 12, arbitrary: shownText }, blank);

/** Error results hold text only (A2.13). */
function resultContent(isError: boolean): fc.Arbitrary<string | Block[]> {
  const part = isError ? textBlocks : fc.oneof({ weight: 4, arbitrary: textBlocks }, { weight: 1, arbitrary: image });
  return fc.oneof<fc.Arbitrary<string | Block[]>[]>(written, written, sizedText, fc.array(part, { maxLength: 2 }));
}

const newInput: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.constant({}),
  shownText.map((command) => ({ command })),
  shownText.map((content) => ({ path: "src/a.ts", content })),
);

function proposalsFor(targets: Targets): fc.Arbitrary<Proposal>[] {
  const { results, calls, rounds, strippable, replaceable, borders } = targets;
  const one = (change: Change, position: number): Proposal => ({ change, span: null, lastTouched: position });
  const kinds: fc.Arbitrary<Proposal>[] = [];
  if (results.length > 0) {
    kinds.push(
      fc
        .constantFrom(...results)
        .chain(({ at, callId, isError }) =>
          fc
            .record({ form: fc.constantFrom(...FORMS), content: resultContent(isError) })
            .map((shown) => one({ kind: "replace-result", at, callId, ...shown }, at.position)),
        ),
    );
  }
  if (calls.length > 0) {
    kinds.push(fc.record({ at: fc.constantFrom(...calls), input: newInput }).map(({ at, input }) => one({ kind: "replace-input", at, input }, at.position)));
  }
  if (rounds.length > 0) {
    kinds.push(
      fc.record({ round: fc.constantFrom(...rounds), note: written }).map(({ round, note }) => ({
        change: { kind: "collapse-round", call: round.call, lastResult: round.lastResult, note },
        span: round.span,
        lastTouched: round.lastResult,
      })),
    );
  }
  if (strippable.length > 0) {
    kinds.push(
      fc
        .uniqueArray(fc.constantFrom(...strippable), { minLength: 1, maxLength: 4 })
        .map((at) => one({ kind: "strip-blocks", at }, Math.max(...at.map((spot) => spot.position)))),
    );
  }
  if (replaceable.length > 0) {
    kinds.push(
      fc
        .record({ at: fc.constantFrom(...replaceable), text: written })
        .map(({ at, text: shown }) => one({ kind: "replace-block", at, text: shown }, at.position)),
    );
  }
  if (borders.length > 1) kinds.push(rangeProposal(targets));
  return kinds;
}

function rangeProposal({ borders, places }: Targets): fc.Arbitrary<Proposal> {
  const border = fc.nat({ max: borders.length - 1 });
  return fc
    .record({
      a: border,
      width: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }) }, { weight: 1, arbitrary: border }),
      lateFrom: fc.boolean(),
      lateTo: fc.boolean(),
      role: fc.constantFrom<"assistant" | "user">("assistant", "user"),
      summary: written,
    })
    .map(({ a, width, lateFrom, lateTo, role, summary }) => {
      const first = Math.min(a, borders.length - 2);
      const start = borders.findLastIndex((names, index) => index <= first && names.length > 0);
      const end = borders.findIndex((names, index) => index >= Math.min(borders.length - 1, first + Math.max(1, width)) && names.length > 0);
      // One border has two names: just after the last block of a message, or before the first of the next.
      const from = named(borders[start] ?? [], lateFrom);
      const to = named(borders[end] ?? [], lateTo);
      const lastTouched = Math.max(places[end - 1]?.position ?? 0, to.position - 1);
      return { change: { kind: "replace-range", from, to, role, summary }, span: { start, end }, lastTouched };
    });
}

function named(names: readonly Place[], late: boolean): Place {
  const name = late ? names.at(-1) : names[0];
  if (name === undefined) throw new Error("every border has a name");
  return name;
}
