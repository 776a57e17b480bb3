/** What the provider said when it refused a request as too long: the request's tokens, and the maximum. */
export interface TooLong {
  readonly tokens: number | undefined;
  readonly maximum: number | undefined;
}

const TOO_LONG = /prompt is too long|input is too long|maximum context length|context[ _-]?(length|window)|too many (input )?tokens|request_too_large/i;

/** Returns what a provider's text says about a request that is too long. Undefined: it does not say so. */
export function tooLongIn(text: string): TooLong | undefined {
  if (!TOO_LONG.test(text)) return undefined;
  const anthropic = /(\d+) tokens > (\d+)/.exec(text);
  if (anthropic !== null) return { tokens: Number(anthropic[1]), maximum: Number(anthropic[2]) };
  const maximum = /maximum context length is (\d+)/.exec(text)?.[1];
  const tokens = /resulted in (\d+)/.exec(text)?.[1];
  return { tokens: tokens === undefined ? undefined : Number(tokens), maximum: maximum === undefined ? undefined : Number(maximum) };
}

/** If it is not known how much too long the request was, half of it is removed. */
const UNKNOWN_SHARE = 0.5;
/** Leaves room for the answer and for errors of estimates. */
const MARGIN = 0.8;

/** Returns how many tokens a view may have after one with `shownTokens` was refused. */
export function limitAfter({ tokens, maximum }: TooLong, shownTokens: number): number {
  return shownTokens * (tokens === undefined || maximum === undefined ? UNKNOWN_SHARE : (maximum / tokens) * MARGIN);
}
