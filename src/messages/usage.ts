/** Tokens of one response of the model, or of several together. */
export interface Usage {
  /** All that the model read, from the cache or not. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}
