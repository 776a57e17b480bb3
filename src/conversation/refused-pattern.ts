import { RE2JSSyntaxException } from "re2js";

/** What JavaScript's regular expressions have beside ours. Escapes and classes go first: what is in them is none of it. */
const TOKENS = /\\k<[^>]*>|\\[1-9]\d*|\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\{\d+(?:,\d*)?\}/gs;
const MOST_TIMES = 1_000;
const MOST_CHARS = 40;

const LEAVE_OUT = "Leave it out: whole lines come back, so write what it looks for into the pattern itself, or search for plain text.";
const DROP = "Leave it out: whole lines come back, and you can skip those that you do not want.";
const LOOKS: Readonly<Record<string, readonly [name: string, instead: string]>> = {
  "(?=": ["lookahead", LEAVE_OUT],
  "(?!": ["negative lookahead", DROP],
  "(?<=": ["lookbehind", LEAVE_OUT],
  "(?<!": ["negative lookbehind", DROP],
};

/** Returns what of a pattern is not supported, and what to do instead: in words that a model can correct itself by. `error`: why it was refused. */
export function refusedPattern(pattern: string, error: unknown): string {
  for (const [token] of pattern.matchAll(TOKENS)) {
    const [name, instead] = LOOKS[token] ?? [];
    if (name !== undefined) return `${name}, ${token}, is not supported. ${instead ?? ""}`;
    if (/^\\(?:[1-9]|k<)/.test(token)) return `a backreference, ${token}, is not supported. Write out what it repeats, or search for plain text.`;
    if (token.startsWith("{") && (token.match(/\d+/g) ?? []).some((times) => Number(times) > MOST_TIMES))
      return `a count over ${MOST_TIMES}, ${token}, is not supported. Count to ${MOST_TIMES} at most, or use * or +.`;
  }
  const where =
    error instanceof RE2JSSyntaxException ? ` at ${JSON.stringify((error.getPattern() ?? "").slice(0, MOST_CHARS))} (${error.getDescription()})` : "";
  return `the pattern is not supported${where}. Use a simpler one, or plain text.`;
}
