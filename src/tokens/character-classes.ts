/**
 * What the piece machine tells apart in a text. The classes of ASCII follow the way in which o200k splits a text before it looks for
 * tokens. A script beyond ASCII is one class: there, the number of tokens follows from the number of characters.
 */
export const LOWER = 0;
export const UPPER = 1;
export const DIGIT = 2;
export const SPACE = 3;
/** Other white space within a line. */
export const TAB = 4;
export const NEWLINE = 5;
/** A mark that tokens often share with the word behind it: `.length`, `_id`, `(self`. */
export const FUSED_MARK = 6;
/** A mark that lines are drawn with, `=====`, of which a token holds dozens. */
const RULE_MARK = 7;
/** Any other mark. */
export const MARK = 8;
export const MARK_CLASSES: readonly number[] = [FUSED_MARK, RULE_MARK, MARK];
const FIRST_SCRIPT = 9;

export type Script = "other" | "control" | "accented" | "cyrillic" | "alphabet" | "kana" | "han" | "hangul" | "wideMark" | "symbol" | "surrogate";

type Ranges = readonly (readonly [first: number, last: number])[];

/** By UTF-16 code units, both ends included. */
const SCRIPT_RANGES: Readonly<Record<Script, Ranges>> = {
  /** What is in no range: Greek, Georgian, private use and the like. */
  other: [],
  /** But for ESC, which begins the colours of terminals and is part of their tokens. */
  control: [
    [0x00, 0x08],
    [0x0e, 0x1a],
    [0x1c, 0x1f],
    [0x7f, 0x9f],
  ],
  accented: [
    [0xc0, 0x2af],
    [0x300, 0x36f],
    [0x1e00, 0x1eff],
  ],
  cyrillic: [[0x400, 0x52f]],
  /** From Hebrew and Arabic over the scripts of India to Thai: o200k treats them alike. */
  alphabet: [
    [0x590, 0xeff],
    [0xfb1d, 0xfdff],
    [0xfe70, 0xfefe],
  ],
  kana: [
    [0x3041, 0x30ff],
    [0x31f0, 0x31ff],
    [0xff66, 0xff9f],
  ],
  han: [
    [0x2e80, 0x2fdf],
    [0x3005, 0x3007],
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
    [0xf900, 0xfaff],
  ],
  hangul: [
    [0x1100, 0x11ff],
    [0x3131, 0x318f],
    [0xac00, 0xd7af],
  ],
  /** The punctuation of CJK text, and full-width forms. */
  wideMark: [
    [0x3000, 0x3004],
    [0x3008, 0x3040],
    [0xfe30, 0xfe4f],
    [0xff00, 0xff65],
  ],
  /** Mathematics, dingbats, and what joins emoji to one another. */
  symbol: [
    [0x200d, 0x200d],
    [0x2200, 0x24ff],
    [0x2580, 0x2bff],
    [0xfe0f, 0xfe0f],
  ],
  /** What takes two code units: emoji, mostly. */
  surrogate: [[0xd800, 0xdfff]],
};
export const SCRIPTS: readonly Script[] = Object.keys(SCRIPT_RANGES) as Script[];

/** Marks outside ASCII that tokens exist for: those of Latin-1, dashes, quotes, currencies, arrows. */
const MARK_RANGES: Ranges = [
  [0x1b, 0x1b],
  [0x21, 0x7e],
  [0xa0, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x2000, 0x200c],
  [0x200e, 0x21ff],
];
const BOX_DRAWING: Ranges = [[0x2500, 0x257f]];

export function classOfScript(script: Script): number {
  return FIRST_SCRIPT + SCRIPTS.indexOf(script);
}

/** No class of characters: what comes behind the last one. */
export const END: number = FIRST_SCRIPT + SCRIPTS.length;

/** The class of every UTF-16 code unit: one look-up a character is what makes the estimate fast. */
export const CLASS_OF: Uint8Array = classTable();

function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(classOfScript("other"));
  const fill = (kind: number, ranges: Ranges): void => {
    for (const [first, last] of ranges) table.fill(kind, first, last + 1);
  };
  const set = (kind: number, characters: string): void => {
    for (const character of characters) table[character.charCodeAt(0)] = kind;
  };
  for (const script of SCRIPTS) fill(classOfScript(script), SCRIPT_RANGES[script]);
  fill(MARK, MARK_RANGES);
  set(FUSED_MARK, "._(");
  set(RULE_MARK, "=-*#~+/");
  fill(RULE_MARK, BOX_DRAWING);
  set(SPACE, " ");
  set(TAB, "\t\v\f");
  set(NEWLINE, "\r\n");
  fill(DIGIT, [[0x30, 0x39]]);
  fill(UPPER, [[0x41, 0x5a]]);
  fill(LOWER, [[0x61, 0x7a]]);
  return table;
}
