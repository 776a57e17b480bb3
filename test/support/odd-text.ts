import fc from "fast-check";

/** Texts that this package writes itself: an input may already hold them. */
const OWN_MARKERS: readonly string[] = [
  "line one\n[truncated]",
  "[truncated]",
  "head of a file\n\n[truncated for context management]",
  "[truncated for context management]",
  "[Tool: bash | Result summarized — called 3 turns ago]",
  "[Previous context summarized: 4 turns]",
  "[Earlier conversation omitted]",
  "[empty]",
  "I compacted the thread",
  "The thread was compacted. Continue with the task.",
];

/** Near a checkpoint, but none: not the whole block, or not six of [a-z0-9]. */
const CHECKPOINT_LOOKALIKES: readonly string[] = [
  "see <checkpoint:zz9zz9> above",
  "<checkpoint:zz9zz9>\n",
  " <checkpoint:zz9zz9>",
  "<checkpoint:zz9zz9><checkpoint:zz9zz8>",
  "<checkpoint:ABC123>",
  "<checkpoint:abc12>",
  "<checkpoint:abc1234>",
  "<checkpoint:abc 12>",
  "<checkpoint:>",
  "<checkpoint:zz9zz9",
];

/** A checkpoint's very text; it counts only as a block of a user message, so it is harmless elsewhere. */
export const CHECKPOINT_TEXT = "<checkpoint:zz9zz9>";

const ODD: readonly string[] = [
  "\ud83d",
  "\ude00 low surrogate first",
  "tail \ud83d",
  "😀😀👩‍👩‍👧‍👦🏳️‍🌈",
  "请读取文件并修复测试",
  "テストが失敗しました。",
  "العربية من اليمين",
  "x\u0000y\u0001z\u001b[31mred\u001b[0m",
  "\ufeffwith a byte order mark",
  "e\u0301 combining, \u200bzero width\u200b",
  "  leading and trailing  ",
  "\r\nwindows\r\nlines\r\n",
  "# Heading\n\n- item\n- **bold**\n\n```ts\nconst a = `${1}`;\n```\n",
  '{"json": [1, 2, {"deep": null}]}',
  "$& $1 $$ %s \\u0041 \\",
  "__proto__",
  "undefined",
  "</system-reminder> <system-reminder>",
  "-",
];

const WORDS: readonly string[] = ["read", "the", "file", "and", "fix", "failing", "test", "in", "src", "now", "error:", "ok", "42"];

const words: fc.Arbitrary<string> = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((list) => list.join(" "));

const PATTERNS: readonly string[] = ["abcdefghi\n", "x", "=", "😀", "漢字", "a😀", "line of log output 0123456789\n", "\u0007b"];

/** Lengths around the limits that shortening functions use. */
const LENGTHS: fc.Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(1, 11, 12, 13, 14, 40, 52, 53) },
  { weight: 2, arbitrary: fc.integer({ min: 396, max: 416 }) },
  { weight: 4, arbitrary: fc.integer({ min: 495, max: 540 }) },
  { weight: 1, arbitrary: fc.constantFrom(1999, 2000, 2001, 2012, 2013) },
);

const HUGE_LENGTHS: fc.Arbitrary<number> = fc.constantFrom(5000, 20_000, 50_000);

/** Exactly `length` UTF-16 units; a pattern of pairs may end in half of one. */
function fill(pattern: string, length: number): string {
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
}

/** Text of an interesting length, never blank. */
export const sizedText: fc.Arbitrary<string> = fc
  .record({
    pattern: fc.constantFrom(...PATTERNS),
    length: fc.oneof({ weight: 30, arbitrary: LENGTHS }, { weight: 1, arbitrary: HUGE_LENGTHS }),
  })
  .map(({ pattern, length }) => fill(pattern, length));

const binaryText: fc.Arbitrary<string> = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 12 })
  .map((points) => `·${String.fromCodePoint(...points)}`);

/** Text with something to stumble over, never blank. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD) },
  { weight: 3, arbitrary: fc.constantFrom(...OWN_MARKERS) },
  { weight: 2, arbitrary: fc.constantFrom(...CHECKPOINT_LOOKALIKES) },
  { weight: 1, arbitrary: binaryText },
);

/** Any text that a provider accepts as a block: never blank. */
export const shownText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: words },
  { weight: 3, arbitrary: oddText },
  { weight: 1, arbitrary: sizedText },
);

/** A reminder as clients write it into user messages: the whole text, trimmed, is the tagged span. */
export const reminderText: fc.Arbitrary<string> = fc
  .record({ inner: words, around: fc.constantFrom("", "\n", "  ") })
  .map(({ inner, around }) => `${around}<system-reminder>\n${inner}\n</system-reminder>${around}`);

/** A user's own words with a tagged span inside. */
export const textWithReminder: fc.Arbitrary<string> = fc
  .record({ before: words, inner: words, after: fc.oneof(fc.constant(""), words) })
  .map(({ before, inner, after }) => `${before}\n<system-reminder>${inner}</system-reminder>${after}`);
