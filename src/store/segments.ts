/**
 * A branch is a list of segments, and a commit is stored once, in the own segment of the branch that it was added to. A fork shares the
 * segments of the branch it leaves, up to the point where it leaves it, and adds one of its own: nothing is copied.
 */
export interface Segment {
  readonly number: number;
  /** The places that the branch uses of it: from `start` up to `stop`, excluded. */
  readonly start: number;
  readonly stop: number;
  /** The number of its last step at the time of the fork. */
  readonly lastStep: number;
}

/** Returns the segment that a branch adds to, all of which belongs to the branch. */
export function ownSegment(number: number, start: number): Segment {
  return { number, start, stop: Number.MAX_SAFE_INTEGER, lastStep: Number.MAX_SAFE_INTEGER };
}

/** Returns what a fork after `length` commits shares of a branch's segments. */
export function forkSegments(segments: readonly Segment[], length: number): Segment[] {
  return segments.map((segment) => ({ ...segment, stop: Math.min(segment.stop, length) }));
}

export interface Range {
  readonly segment: number;
  readonly from: number;
  readonly to: number;
}

/** Returns where the commits of a branch between two places are, in the order of the query. */
export function rangesOf(segments: readonly Segment[], query: { readonly from: number; readonly to: number; readonly newestFirst: boolean }): Range[] {
  const ranges = segments
    .map(({ number, start, stop }) => ({ segment: number, from: Math.max(start, query.from), to: Math.min(stop, query.to) }))
    .filter(({ from, to }) => from < to);
  return query.newestFirst ? ranges.reverse() : ranges;
}
