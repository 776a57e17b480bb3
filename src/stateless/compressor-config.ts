import { boolean, count, type FieldsOf } from "../errors/parse-options.ts";

/** Options of `compressToolResult`, used at ingest, and of `collapseToolChains`, used at the start of each call. */
export interface CompressorConfig {
  /** Results longer than this are cut. Unset: none are. */
  readonly maxToolResultTokens?: number;
  /** Rounds collapse when more than this many messages come after them. Unset: none do. */
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
