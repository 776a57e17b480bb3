/** Tokens of one response of the model, or of several together. */
export interface Usage {
  /** All that the model read, from the cache or not. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

/** As a provider reports it, with what only its price depends on. */
export interface ReportedUsage extends Usage {
  /** Of what was written, what lives for an hour: Anthropic's price for it is another. */
  readonly longCacheWriteTokens?: number;
}
