import type { Target } from "../../messages/target.ts";

export type Provider = "anthropic" | "openai" | "gemini" | "deepseek";

/** The time to live of a cache entry, in the provider's notation. */
export type Ttl = "5m" | "1h" | "30m" | "12h";

/** USD per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** The whole price of a written token, not a surcharge on `input`. Empty: writing costs nothing extra. */
  readonly cacheWrite: Readonly<Partial<Record<Ttl, number>>>;
}

/** A prompt with more tokens than this is billed entirely at these prices. */
export interface LongContext {
  readonly overTokens: number;
  readonly prices: Prices;
}

/** Monday to Friday, within these hours (UTC, the end excluded), everything costs `factor` times as much. */
export interface PeakHours {
  readonly factor: number;
  readonly hoursUtc: readonly (readonly [from: number, to: number])[];
}

/** Announced prices, from this day (UTC) on. */
export interface NextPrices {
  readonly from: string;
  readonly prices: Prices;
}

/** Anthropic: an entry is written at every marker of the request, and nowhere else. */
export interface MarkerCache {
  readonly kind: "markers";
  /** A shorter prefix is neither written nor read, without an error. */
  readonly minimumTokens: number;
  /** The number of blocks searched backwards from each marker, the marked one included. */
  readonly lookbackBlocks: number;
  readonly maxBreakpoints: number;
  readonly ttlMs: Readonly<Partial<Record<Ttl, number>>>;
  /** The time to live of a marker that names none. */
  readonly defaultTtl: Ttl;
}

/** OpenAI from GPT-5.6 on: an entry is written at the end of the newest message that can have one, and at every `prompt_cache_breakpoint`. */
export interface MessageEndCache {
  readonly kind: "message-ends";
  readonly minimumTokens: number;
  /** The number of newest breakpoints that are compared with the cache. */
  readonly lookupBreakpoints: number;
  /** The number of breakpoints written per request, the implicit one included; if there are more, the newest. */
  readonly maxBreakpoints: number;
  readonly ttlMs: Readonly<Partial<Record<Ttl, number>>>;
  readonly defaultTtl: Ttl;
}

/** Automatic: a prefix of an earlier request is read, and writing is free. */
export interface PrefixCache {
  readonly kind: "prefix";
  readonly minimumTokens: number;
  /** Reads are a multiple of this. */
  readonly stepTokens: number;
  /** A prefix expires after this time without use. */
  readonly idleMs: number;
}

export type CacheRules = MarkerCache | MessageEndCache | PrefixCache;

export interface ThinkingRules {
  readonly mode: Target["thinking"];
  /** Thinking is signed together with everything before it (A4.8). */
  readonly bindsPrefix: boolean;
  /** False: when the user speaks again, earlier thinking is removed from the prompt, so what follows it is no longer cached (F). */
  readonly keepsEarlierTurns: boolean;
}

/** What is known about a model. Constant data: the prices on the day `asOf`. */
export interface ModelInfo {
  readonly id: string;
  readonly provider: Provider;
  readonly prices: Prices;
  readonly longContext: LongContext | null;
  readonly peakHours: PeakHours | null;
  readonly nextPrices: NextPrices | null;
  readonly cache: CacheRules;
  /** The limit of input tokens. */
  readonly windowTokens: number;
  readonly thinking: ThinkingRules;
  /** The conversation may end with an assistant message (A1.8). */
  readonly prefill: boolean;
  /** Converts an estimate in o200k tokens to the model's tokens. */
  readonly tokenFactor: number;
  readonly asOf: string;
  readonly source: string;
  /** Facts without a source, and what is assumed instead. */
  readonly assumptions: readonly string[];
}
