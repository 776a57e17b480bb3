import { pieceEnds, LONGEST_LINE } from "./pieces.ts";
import { lineUnit, pieceUnit, type Unit } from "./unit.ts";
import { lengthOfLineNumber } from "./line-forms.ts";
import { pieceWeight } from "./piece-weight.ts";
import { weigh } from "./weigh.ts";
import { WordWorth } from "./word-worth.ts";

/** What the form of a line says about it. */
export interface Judgement {
  /** What it is worth by its form: see `weigh`. */
  readonly weight: number;
  /** Index of a unit, or `NO_HEADING`. */
  readonly heading: number;
}

/** Judges lines in order; `line` has no line break, `unit` is the index that it will have. A judge may remember what it saw. */
export type Judge = (line: string, unit: number) => Judgement;

/** Every line is a unit, but for those that are too long. */
export function lineUnits(text: string, judge: Judge): Unit[] {
  const units: Unit[] = [];
  const words = new WordWorth(text.length);
  let line = 1;
  for (let start = 0; start < text.length; line++) {
    const end = endOfLine(text, start);
    if (end - start > LONGEST_LINE) addPieces(units, words, text, start, end, line, judge);
    else {
      const { weight, heading } = judge(text.slice(start, endOfBody(text, start, end)), units.length);
      const worth = words.between(text, start + lengthOfLineNumber(text, start), end);
      units.push(lineUnit(text, start, end, { line, weight: weigh(weight, worth), heading }));
    }
    start = end;
  }
  return units;
}

/** The line is judged by its first piece. */
function addPieces(units: Unit[], words: WordWorth, text: string, start: number, end: number, line: number, judge: Judge): void {
  let judged: Judgement | undefined;
  let from = start;
  for (const to of pieceEnds(text, start, end)) {
    const piece = text.slice(from, to);
    judged ??= judge(piece, units.length);
    const weight = weigh(Math.min(judged.weight, pieceWeight(piece)), words.between(text, from, to));
    units.push(pieceUnit(text, from, to, { line, weight, heading: judged.heading }));
    from = to;
  }
}

/** Behind the line break, or at the end of the text. */
export function endOfLine(text: string, start: number): number {
  const at = text.indexOf("\n", start);
  return at < 0 ? text.length : at + 1;
}

/** Before its line break. */
export function endOfBody(text: string, start: number, end: number): number {
  let body = end;
  if (body > start && text.charCodeAt(body - 1) === 0x0a) {
    body--;
    if (body > start && text.charCodeAt(body - 1) === 0x0d) body--;
  }
  return body;
}
