import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { comparePlaces, isBefore, laterOf, type Place } from "../messages/place.ts";
import { borderBehind, borderOf } from "./border.ts";
import type { Proposal } from "./edit.ts";
import type { RangeEdit, RoundEdit, SpanEdit } from "./edit-places.ts";

/** The stretch of the log that an edit covers, half-open. */
export interface Span<E extends SpanEdit = SpanEdit> {
  readonly from: Place;
  readonly to: Place;
  readonly edit: E;
}

/** The spans that show, in order. */
export interface OuterSpans {
  readonly ranges: readonly Span<RangeEdit>[];
  readonly rounds: readonly RoundEdit[];
}

/** Returns the outermost spans in order: those that show. Spans nest or are disjoint; throws if one crosses another. */
export function outermostSpans(index: LogIndex, edits: readonly Proposal[]): OuterSpans {
  if (areRoundsApart(edits)) return { ranges: [], rounds: edits };
  const rounds: RoundEdit[] = [];
  const ranges: Span<RangeEdit>[] = [];
  for (const edit of edits) {
    if (edit.kind === "collapse-round") rounds.push(edit);
    else if (edit.kind === "replace-range") ranges.push({ from: borderOf(index, edit.from), to: borderOf(index, edit.to), edit });
  }
  if (rounds.length === 0 && followEachOther(ranges)) return { ranges, rounds };
  const spans = [...ranges, ...rounds.map((edit) => roundSpan(index, edit))];
  const outer = outermost(newestOfEach(spans.sort(compareSpans)));
  return { ranges: outer.filter(isRange), rounds: outer.flatMap(({ edit }) => (edit.kind === "collapse-round" ? [edit] : [])) };
}

function isRange(span: Span): span is Span<RangeEdit> {
  return span.edit.kind === "replace-range";
}

/** Returns whether the spans are in order and disjoint, as proposals of one pass are. */
function followEachOther(spans: readonly Span[]): boolean {
  let end: Place | undefined;
  for (const { from, to } of spans) {
    if (end !== undefined && isBefore(from, end)) return false;
    end = to;
  }
  return true;
}

/** Returns whether these are only rounds, in order and in messages of their own: then their blocks need not be read. */
function areRoundsApart(edits: readonly Proposal[]): edits is readonly RoundEdit[] {
  let last = -1;
  for (const edit of edits) {
    if (edit.kind !== "collapse-round" || edit.call <= last) return false;
    last = edit.lastResult;
  }
  return true;
}

/** Orders spans from left to right, enclosing ones first. Sorting is stable, so equal ones stay in the order of the list. */
function compareSpans(a: Span, b: Span): number {
  return comparePlaces(a.from, b.from) || comparePlaces(b.to, a.to) || Number(isRange(b)) - Number(isRange(a));
}

/** Keeps one edit per stretch: the one with the latest `madeAt` or, on a tie, the later in the list. */
function newestOfEach(sorted: readonly Span[]): Span[] {
  const newest: Span[] = [];
  for (const span of sorted) {
    const rival = newest.at(-1);
    if (rival === undefined || compareSpans(rival, span) !== 0) newest.push(span);
    else if (rival.edit.madeAt <= span.edit.madeAt) newest[newest.length - 1] = span;
  }
  return newest;
}

/** Sweeps over the spans from left to right. Those inside the last outer one are covered by it, but must not cross each other either. */
function outermost(spans: readonly Span[]): Span[] {
  const outer: Span[] = [];
  const enclosing: Span[] = [];
  for (const span of spans) {
    for (let top = enclosing.at(-1); top !== undefined && !isBefore(span.from, top.to); top = enclosing.at(-1)) enclosing.pop();
    const around = enclosing.at(-1);
    if (around === undefined) outer.push(span);
    else if (isBefore(around.to, span.to)) throw crossing(around, span);
    enclosing.push(span);
  }
  return outer;
}

/** Returns the span from the first call of the round to after its last result. */
export function roundSpan(index: LogIndex, edit: RoundEdit): Span<RoundEdit> {
  const { calls, callsBefore } = index;
  let to: Place = { position: edit.call, block: 0 };
  const first = calls[callsBefore[edit.call] ?? calls.length];
  for (let call = first; call?.position === edit.call; call = calls[call.number + 1]) if (call.result !== undefined) to = laterOf(to, call.result);
  return { from: first ?? to, to: borderBehind(index, to), edit };
}

/** Throws if a round does not end where its edit says. */
export function refuseWrongEnds(index: LogIndex, edits: readonly Proposal[]): void {
  for (const edit of edits) if (edit.kind === "collapse-round") refuseWrongEnd(index, edit);
}

function refuseWrongEnd({ calls, callsBefore }: LogIndex, edit: RoundEdit): void {
  let last = -1;
  const first = calls[callsBefore[edit.call] ?? calls.length];
  for (let call = first; call?.position === edit.call; call = calls[call.number + 1]) {
    if (call.result !== undefined && call.result.position > last) last = call.result.position;
  }
  if (last === edit.lastResult) return;
  throw invalid(
    "INVALID_INPUT",
    `${nameOf(edit)}.lastResult`,
    `the position of the round's last result, ${last === -1 ? "which has none" : last}`,
    edit.lastResult,
  );
}

function crossing(first: Span, second: Span): PalimpsestError {
  return new PalimpsestError("OVERLAPPING_RANGES", `${describe(first)} and ${describe(second)} cross: ranges nest or are disjoint.`, {
    first: nameOf(first.edit),
    second: nameOf(second.edit),
  });
}

function describe({ from, to, edit }: Span): string {
  return `${nameOf(edit)} (${from.position}.${from.block} to ${to.position}.${to.block})`;
}

/** A proposal has no id yet. */
function nameOf(edit: SpanEdit): string {
  return "id" in edit && typeof edit.id === "string" ? edit.id : `${edit.pass} ${edit.kind}`;
}
