/** A form of line, and what a line of that form is worth. */
export interface LineForm {
  readonly pattern: RegExp;
  readonly weight: number;
}

/** The weight of the first form that fits. */
export function weightByForm(line: string, forms: readonly LineForm[], otherwise: number): number {
  for (const { pattern, weight } of forms) if (pattern.test(line)) return weight;
  return otherwise;
}

export const FAULT: RegExp = /error|fail|exception|panic|fatal|traceback|cannot|can't|denied|not found|no such|refused|timed out|unable to|invalid|undefined/i;

/** Nothing but white space, rules and brackets. */
export const EMPTY: RegExp = /^[\s=\-*_#~+|.:;,(){}[\]<>/\\"'`]*$/;

/** `12→`, `12\t` or `12: ` before a line of a file, as tools number what they read. */
const LINE_NUMBER = / *\d+(?:→|\t|: ?)/y;

export function lengthOfLineNumber(text: string, start: number): number {
  LINE_NUMBER.lastIndex = start;
  return LINE_NUMBER.test(text) ? LINE_NUMBER.lastIndex - start : 0;
}

/** Columns of white space that a text begins with behind `from`; a tab goes to the next multiple of four. */
export function indentOf(line: string, from: number): number {
  let columns = 0;
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 0x20) columns++;
    else if (code === 0x09) columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}
