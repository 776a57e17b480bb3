import type { Codec } from "../../../src/formats/codec.ts";
import type { Message } from "../../../src/messages/message.ts";

/** A format, with what is needed to judge what the package does to its messages. */
export interface NativeFormat<Native extends object, NativeResult extends object> {
  readonly codec: Codec<Native, NativeResult>;
  /** A conversation written down in the format, without help of the codec. A valid one becomes a valid one, faults stay faults. */
  readonly write: (messages: readonly Message[], style: number) => Native[];
  /** The provider's errors: `rule:subject`, never an index. Shares no code with the codec's `check`. */
  readonly faults: (messages: readonly Native[], options: { readonly history: boolean }) => string[];
  readonly resultsOf: (messages: readonly Native[]) => readonly NativeResult[];
  /** The characters of a result. */
  readonly resultLength: (result: NativeResult) => number;
}

/** Faults that a view has and its log has not, or has less often. What the open end of the log still lacks counts as a fault of the log. */
export function addedNativeFaults<N extends object, R extends object>(
  format: NativeFormat<N, R>,
  log: readonly N[],
  view: readonly N[],
  history = false,
): string[] {
  const allowed = new Map<string, number>();
  for (const fault of format.faults(log, { history: false })) allowed.set(fault, (allowed.get(fault) ?? 0) + 1);
  return format.faults(view, { history }).filter((fault) => {
    const left = allowed.get(fault) ?? 0;
    allowed.set(fault, left - 1);
    return left <= 0;
  });
}
