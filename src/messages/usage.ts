/** Tokens of one response of the model, or of several together. */
export interface Usage {
  /** All input tokens, cached or not. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

/** Usage as reported by a provider, with a detail that only affects the price. */
export interface ReportedUsage extends Usage {
  /** The cache writes that live longer, for another price: an hour at Anthropic, twelve at OpenAI. */
  readonly longCacheWriteTokens?: number;
}
