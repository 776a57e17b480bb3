/**
 * The classes of characters in the piece machine. They follow how o200k splits a text before it looks for tokens. Non-Latin letters
 * and symbols are one class: their cost depends on the character and the one before it (`character-table.ts`).
 */
export const LOWER = 0;
export const UPPER = 1;
export const DIGIT = 2;
export const SPACE = 3;
/** Other white space within a line. */
export const TAB = 4;
export const NEWLINE = 5;
/** A mark that tokens often share with the word after it: `.length`, `_id`, `(self`. */
export const FUSED_MARK = 6;
/** A mark that lines are drawn with, such as `=====`; a token holds dozens of them. */
export const RULE_MARK = 7;
/** Any other mark. */
export const MARK = 8;
export const MARK_CLASSES: readonly number[] = [FUSED_MARK, RULE_MARK, MARK];
/** A character that is priced by itself. */
export const CHARACTER = 9;
/** The end of the text, not a class of characters. */
export const END = 10;
