import type { Target } from "../../messages/target.ts";

export type Provider = "anthropic" | "openai" | "gemini" | "deepseek";

/** How long a written cache entry lives, in the provider's own words. */
export type Ttl = "5m" | "1h" | "30m" | "12h";

/** USD per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** The whole price of a written token, not an addition to `input`. Empty: writing costs nothing extra. */
  readonly cacheWrite: Readonly<Partial<Record<Ttl, number>>>;
}

/** A prompt of more tokens than this is billed at these prices, all of it. */
export interface LongContext {
  readonly overTokens: number;
  readonly prices: Prices;
}

/** Monday to Friday, within these hours (UTC, the end excluded), everything costs `factor` times as much. */
export interface PeakHours {
  readonly factor: number;
  readonly hoursUtc: readonly (readonly [from: number, to: number])[];
}

/** Announced: from this day (UTC) on. */
export interface NextPrices {
  readonly from: string;
  readonly prices: Prices;
}

/** Anthropic: an entry is written at every marker of the request, and nowhere else. */
export interface MarkerCache {
  readonly kind: "markers";
  /** A shorter prefix is neither written nor read, without an error. */
  readonly minimumTokens: number;
  /** How many blocks are looked at from each marker backwards, the marked one included. */
  readonly lookbackBlocks: number;
  readonly maxBreakpoints: number;
  readonly ttlMs: Readonly<Partial<Record<Ttl, number>>>;
  /** Of a marker that names none. */
  readonly defaultTtl: Ttl;
}

/** OpenAI from GPT-5.6 on: an entry is written at the end of the newest message that can have one, and at every `prompt_cache_breakpoint`. */
export interface MessageEndCache {
  readonly kind: "message-ends";
  readonly minimumTokens: number;
  /** How many of the newest breakpoints are compared with what is cached. */
  readonly lookupBreakpoints: number;
  /** How many are written per request, the implicit one included; of more, the newest. */
  readonly maxBreakpoints: number;
  readonly ttlMs: Readonly<Partial<Record<Ttl, number>>>;
  readonly defaultTtl: Ttl;
}

/** Automatic: whatever begins like an earlier request is read, and writing costs nothing. */
export interface PrefixCache {
  readonly kind: "prefix";
  readonly minimumTokens: number;
  /** What is read is a multiple of this. */
  readonly stepTokens: number;
  /** A prefix that was not used for longer is gone. */
  readonly idleMs: number;
}

export type CacheRules = MarkerCache | MessageEndCache | PrefixCache;

export interface ThinkingRules {
  readonly mode: Target["thinking"];
  /** Thinking is signed together with everything before it (A4.8). */
  readonly bindsPrefix: boolean;
  /** False: when the user speaks again, earlier thinking is taken out of the prompt, and what follows it out of the cache (F). */
  readonly keepsEarlierTurns: boolean;
}

/** What is known of a model. Constant data: the prices of the day `asOf`. */
export interface ModelInfo {
  readonly id: string;
  readonly provider: Provider;
  readonly prices: Prices;
  readonly longContext: LongContext | null;
  readonly peakHours: PeakHours | null;
  readonly nextPrices: NextPrices | null;
  readonly cache: CacheRules;
  /** How many input tokens fit. */
  readonly windowTokens: number;
  readonly thinking: ThinkingRules;
  /** The conversation may end with an assistant message (A1.8). */
  readonly prefill: boolean;
  /** An estimate in tokens of o200k, times this, is an estimate in tokens of the model. */
  readonly tokenFactor: number;
  readonly asOf: string;
  readonly source: string;
  /** What no source says, and what is taken instead. */
  readonly assumptions: readonly string[];
}
