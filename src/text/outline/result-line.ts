import { FAULT } from "../../content/kinds/line-signs.ts";

/** How far from the start and the end of a result to look for a telling line. */
const LOOK_CHARS = 2_000;
/** How far to look for the exit code: harnesses state it at the start or the end of a result, each in its own words. */
const EXIT_CHARS = 300;
const EXIT_CODE = /(?:\bexit(?:ed)?(?: with)?(?: code| status)?|<returncode>|"exit_code")\s*[:=]?\s*(-?\d{1,5})\b/i;
/** A line that only says that a command failed, or is only a tag, such as the end of a reminder. */
const SAYS_NOTHING = /^\W*(?:error:?\s*)?(?:exit(?:ed)?(?: with)?(?: code| status)?\W*\d*|process exited.*|<\/?[\w-]+>)\W*$/i;
/** "214 passed", "3 files changed", "Found 12 matches", "total: 7". */
const COUNT =
  /\b\d[\d,]*\s+(?:tests?|specs?|pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|warnings?|problems?|files?|insertions?|deletions?|assertions?|commits?|matches|results?|rows?|records?|packages?|vulnerabilities)\b|\b(?:found|total|ran|passed|failed|count)\b[:=\s]+\d/i;
/** Hashes, ticket numbers, ids of jobs: words with both digits and letters, or many digits. */
const ID = /(?<![\w./-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{6,64}(?![\w./-])|(?<![\w.-])\d{5,19}(?![\w.-])/gi;

/** Returns the exit code that a result states. */
export function exitCodeIn(result: string): number | undefined {
  const found = EXIT_CODE.exec(result.slice(0, EXIT_CHARS)) ?? (result.length > EXIT_CHARS ? EXIT_CODE.exec(result.slice(-EXIT_CHARS)) : null);
  return found === null ? undefined : Number(found[1]);
}

export function hasFault(result: string): boolean {
  return linesNear(result).some((line) => FAULT.test(line) && !SAYS_NOTHING.test(line));
}

/** Returns the line that tells the outcome of a call: why it failed, or the last line that counts something. */
export function tellingLine({ failed, result }: { readonly failed: boolean; readonly result: string }): string | undefined {
  if (!failed) return linesNear(result).findLast((line) => COUNT.test(line));
  const lines = linesWithWords(result);
  return lines.find((line) => FAULT.test(line)) ?? lines.at(-1);
}

/** Returns the last line with words, which tells how something ended. */
export function lastLineIn(result: string): string | undefined {
  return linesWithWords(result).at(-1);
}

/** Returns the first line with a wanted id. */
export function lineWithId(result: string, isWanted: (id: string) => boolean): string | undefined {
  return linesNear(result).find((line) => line.length <= LOOK_CHARS && idsIn(line).some(isWanted));
}

export function idsIn(text: string): string[] {
  return text.match(ID) ?? [];
}

/** Returns the ids near the start and the end. */
export function idsNear(text: string): string[] {
  return idsIn(linesNear(text).join("\n"));
}

function linesWithWords(result: string): string[] {
  return linesNear(result).filter((line) => /\p{L}/u.test(line) && !SAYS_NOTHING.test(line));
}

function linesNear(result: string): string[] {
  const near = result.length <= 2 * LOOK_CHARS ? result : `${result.slice(0, LOOK_CHARS)}\n${result.slice(-LOOK_CHARS)}`;
  return near.replaceAll(/<system-reminder>[^]*?(?:<\/system-reminder>|$)/g, "").split("\n");
}
