/**
 * A branch is a list of segments, and a commit is kept once, in the segment of the branch that it was added to. A fork takes over the
 * segments of the branch it leaves, up to where it leaves it, and has one of its own: it copies nothing.
 */
export interface Segment {
  readonly number: number;
  /** The places that the branch takes out of it: from `start` up to `stop`, which is excluded. */
  readonly start: number;
  readonly stop: number;
  /** The number of the last of its steps that was there at the fork. */
  readonly lastStep: number;
}

/** The segment that a branch adds to: all of it is the branch's. */
export function ownSegment(number: number, start: number): Segment {
  return { number, start, stop: Number.MAX_SAFE_INTEGER, lastStep: Number.MAX_SAFE_INTEGER };
}

/** What a fork after `length` commits takes over, of all segments of a branch. */
export function forkSegments(segments: readonly Segment[], length: number): Segment[] {
  return segments.map((segment) => ({ ...segment, stop: Math.min(segment.stop, length) }));
}

export interface Range {
  readonly segment: number;
  readonly from: number;
  readonly to: number;
}

/** Where the commits of a branch between two places are, in the order in which they are asked for. */
export function rangesOf(segments: readonly Segment[], query: { readonly from: number; readonly to: number; readonly newestFirst: boolean }): Range[] {
  const ranges = segments
    .map(({ number, start, stop }) => ({ segment: number, from: Math.max(start, query.from), to: Math.min(stop, query.to) }))
    .filter(({ from, to }) => from < to);
  return query.newestFirst ? ranges.reverse() : ranges;
}
