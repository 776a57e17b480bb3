import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { comparePlaces, isBefore, type Place } from "../messages/place.ts";
import { borderOf } from "./border.ts";
import type { Proposal, ProposalOf } from "./edit.ts";
import { isSpanEdit, type RangeEdit, type SpanEdit } from "./edit-places.ts";

/** The stretch of the log that an edit covers, half-open. */
export interface Span<E extends SpanEdit = SpanEdit> {
  readonly from: Place;
  readonly to: Place;
  readonly edit: E;
}

export function isRange(span: Span): span is Span<RangeEdit> {
  return span.edit.kind === "replace-range";
}

/** The outermost spans, disjoint and in order: the ones that show. Spans nest or are disjoint; one that crosses another is refused. */
export function outermostSpans(index: LogIndex, edits: readonly Proposal[]): Span[] {
  const spans: Span[] = [];
  for (const edit of edits) if (isSpanEdit(edit)) spans.push(edit.kind === "replace-range" ? rangeSpan(index, edit) : roundSpan(index, edit));
  return followEachOther(spans) ? spans : outermost(newestOfEach(spans.sort(compareSpans)));
}

/** What one pass proposes comes in order and apart. */
function followEachOther(spans: readonly Span[]): boolean {
  for (let number = 1; number < spans.length; number++) {
    const before = spans[number - 1];
    const span = spans[number];
    if (before !== undefined && span !== undefined && isBefore(span.from, before.to)) return false;
  }
  return true;
}

/** From left to right, the enclosing one first. Sorting is stable, so of equal ones the later in the list comes later. */
function compareSpans(a: Span, b: Span): number {
  return comparePlaces(a.from, b.from) || comparePlaces(b.to, a.to) || Number(isRange(b)) - Number(isRange(a));
}

/** On one stretch the edit with the latest `madeAt` shows, on a tie the later in the list. */
function newestOfEach(sorted: readonly Span[]): Span[] {
  const newest: Span[] = [];
  for (const span of sorted) {
    const rival = newest.at(-1);
    if (rival === undefined || compareSpans(rival, span) !== 0) newest.push(span);
    else if (rival.edit.madeAt <= span.edit.madeAt) newest[newest.length - 1] = span;
  }
  return newest;
}

/** A sweep over the spans from left to right. Those inside the last outer one are covered by it, but must not cross each other either. */
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

function rangeSpan(index: LogIndex, edit: RangeEdit): Span {
  return { from: borderOf(index, edit.from), to: borderOf(index, edit.to), edit };
}

function roundSpan(index: LogIndex, edit: ProposalOf<"collapse-round">): Span {
  const { calls, callsBefore } = index;
  const first = calls[callsBefore[edit.call] ?? calls.length];
  let last: Place | undefined;
  for (let call = first; call?.position === edit.call; call = calls[call.number + 1]) {
    if (call.result !== undefined && (last === undefined || isBefore(last, call.result))) last = call.result;
  }
  if (first === undefined || last?.position !== edit.lastResult) {
    throw invalid(
      "INVALID_INPUT",
      `${nameOf(edit)}.lastResult`,
      `the position of the round's last result, ${last?.position ?? "which has none"}`,
      edit.lastResult,
    );
  }
  return { from: first, to: borderOf(index, { position: last.position, block: last.block + 1 }), edit };
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
