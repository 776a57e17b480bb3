/** What the provider said when it refused a request as too long: tokens that there were, and that there may be. */
export interface TooLong {
  readonly tokens: number | undefined;
  readonly maximum: number | undefined;
}

const TOO_LONG = /prompt is too long|input is too long|maximum context length|context[ _-]?(length|window)|too many (input )?tokens|request_too_large/i;

/** Do these words of a provider's say that a request is too long? */
export function tooLongIn(text: string): TooLong | undefined {
  if (!TOO_LONG.test(text)) return undefined;
  const anthropic = /(\d+) tokens > (\d+)/.exec(text);
  if (anthropic !== null) return { tokens: Number(anthropic[1]), maximum: Number(anthropic[2]) };
  const maximum = /maximum context length is (\d+)/.exec(text)?.[1];
  const tokens = /resulted in (\d+)/.exec(text)?.[1];
  return { tokens: tokens === undefined ? undefined : Number(tokens), maximum: maximum === undefined ? undefined : Number(maximum) };
}

/** Where nothing is known of how much too long it was, half of it is to go. */
const UNKNOWN_SHARE = 0.5;
/** Room for the answer, and for what estimates are off. */
const MARGIN = 0.8;

/** The tokens that a view may take, where one with so many was refused. */
export function limitAfter({ tokens, maximum }: TooLong, shownTokens: number): number {
  return shownTokens * (tokens === undefined || maximum === undefined ? UNKNOWN_SHARE : (maximum / tokens) * MARGIN);
}
