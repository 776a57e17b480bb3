/**
 * What plain instructions ask of `extractive`. The grammar, ignoring case:
 *
 *   first|top|head N lines, head N      the first N lines (first line: one)
 *   last|final|tail N lines, tail N     the last N lines
 *   filenames|paths|files only,         a list of the files in the text; "and line numbers" adds the lines of each
 *   only|just the filenames|paths|files
 *   stdout, stderr                      the part of the text below a line with just that word; line counts apply there
 *   exit code|exit status|return code   lines that contain one
 *   "…", '…', `…`                       lines with exactly this
 *   any other word                      lines with a word that begins with it
 */
export interface Wishes {
  /** Show only this many lines from the start and from the end. Undefined if not requested. */
  readonly head: number | undefined;
  readonly tail: number | undefined;
  readonly files: "names" | "lines" | undefined;
  readonly stream: "stdout" | "stderr" | undefined;
  readonly wantsExitCode: boolean;
  /** Matches quoted texts; undefined if there are none. */
  readonly quoted: RegExp | undefined;
  /** Matches the requested words; global. */
  readonly words: RegExp | undefined;
}

const FIRST = /\b(?:first|top|head)(?:\s+-?n?\s*(\d{1,9})(?:\s+lines?)?|\s+line)\b/i;
const LAST = /\b(?:last|final|tail)(?:\s+-?n?\s*(\d{1,9})(?:\s+lines?)?|\s+line)\b/i;
const NAMES = "(?:file ?names?|file paths?|paths?|files)";
const FILES = new RegExp(`\\b${NAMES}(?:,? (?:and|with) (?:the )?line numbers?)? only\\b|\\b(?:only|just) (?:the )?(?:matching )?${NAMES}\\b`, "i");
const LINE_NUMBERS = /\bline numbers?\b/i;
const EXIT_CODE = /\b(?:exit|return) ?(?:code|status)\b/i;
/** An apostrophe is not a quote. */
const QUOTED = /"([^"\n]{1,200})"|(?<!\w)'([^'\n]{1,200})'(?!\w)|`([^`\n]{1,200})`/g;
const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_./:-]{2,79}/gu;

/** Words of instructions that do not describe the requested lines. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  "the and for are all any but not with from that this these those what which who keep kept show shown list give include including only just line lines number numbers output text result results summary summarize summarise please everything anything each every full exact exactly verbatim matching stdout".split(
    " ",
  ),
);

const WORD_START = "(?<![\\p{L}\\p{N}])";
/** Further words are ignored. */
const MOST_WORDS = 24;
/** The rest of longer instructions is ignored. */
const LONGEST_INSTRUCTIONS = 4000;

export function parseWishes(instructions: string): Wishes {
  const asked = instructions.slice(0, LONGEST_INSTRUCTIONS);
  const quoted = quotedIn(asked);
  const rest = asked.replaceAll(QUOTED, " ");
  const streams = new Set([...rest.matchAll(/\bstd(?:out|err)\b/gi)].map(([name]) => name.toLowerCase() as "stdout" | "stderr"));
  const phrases = [FIRST, LAST, FILES, EXIT_CODE].reduce((left, phrase) => left.replace(phrase, " "), rest);
  return {
    head: countIn(rest, FIRST),
    tail: countIn(rest, LAST),
    files: FILES.test(rest) ? (LINE_NUMBERS.test(rest) ? "lines" : "names") : undefined,
    stream: streams.size === 1 ? [...streams][0] : undefined,
    wantsExitCode: EXIT_CODE.test(rest),
    quoted: anyOf(quoted, "", "u"),
    words: anyOf(wordsIn(phrases), WORD_START, "giu"),
  };
}

/** Returns the texts in quotes or backticks. */
export function quotedIn(instructions: string): string[] {
  return [...instructions.slice(0, LONGEST_INSTRUCTIONS).matchAll(QUOTED)].map(([, double, single, backtick]) => double ?? single ?? backtick ?? "");
}

function countIn(text: string, phrase: RegExp): number | undefined {
  const found = phrase.exec(text);
  return found === null ? undefined : Number(found[1] ?? 1);
}

function wordsIn(text: string): string[] {
  const words = [...text.matchAll(WORD)].map(([word]) => word.toLowerCase().replace(/[./:-]+$/, ""));
  // A plural also matches the singular.
  return words.filter((word) => word.length > 2 && !STOP_WORDS.has(word)).map((word) => (/^\p{L}{3,}[^s]s$/u.test(word) ? word.slice(0, -1) : word));
}

function anyOf(words: readonly string[], start: string, flags: string): RegExp | undefined {
  const distinct = [...new Set(words)].slice(0, MOST_WORDS).map((word) => word.replaceAll(/[$()*+./?[\\\]^{|}]/g, "\\$&"));
  return distinct.length === 0 ? undefined : new RegExp(`${start}(?:${distinct.join("|")})`, flags);
}
