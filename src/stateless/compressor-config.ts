import { boolean, count, type FieldsOf } from "../errors/parse-options.ts";

/** One config serves both: `compressToolResult` at ingest, `collapseToolChains` at the start of each call. */
export interface CompressorConfig {
  /** Results longer than this are cut. Unset: none is. */
  readonly maxToolResultTokens?: number;
  /** Rounds with more than this many messages behind them collapse. Unset: none does. */
  readonly collapseAfterTurns?: number;
  /** Also collapse turns with several calls, one line per call. Default false. */
  readonly collapseMultiToolTurns?: boolean;
  /** Keep so many first characters of each collapsed result. Default 0. */
  readonly collapseGistChars?: number;
}

export const COMPRESSOR_FIELDS: FieldsOf<CompressorConfig> = {
  maxToolResultTokens: count,
  collapseAfterTurns: count,
  collapseMultiToolTurns: boolean,
  collapseGistChars: count,
};
