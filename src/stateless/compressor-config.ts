import { boolean, count, type FieldsOf } from "../errors/parse-options.ts";

/** One config serves both: `compressToolResult` at ingest, `collapseToolChains` at the start of each call. */
export interface CompressorConfig {
  /** Results longer than this are cut. Unset: no result is. */
  readonly maxToolResultTokens?: number;
  /** Rounds collapse when more than this many messages come after them. Unset: no round does. */
  readonly collapseAfterTurns?: number;
  /** Also collapse turns with several calls, one line per call. Default false. */
  readonly collapseMultiToolTurns?: boolean;
  /** Keeps the first N characters of each collapsed result. Default 0. */
  readonly collapseGistChars?: number;
}

export const COMPRESSOR_FIELDS: FieldsOf<CompressorConfig> = {
  maxToolResultTokens: count,
  collapseAfterTurns: count,
  collapseMultiToolTurns: boolean,
  collapseGistChars: count,
};
