import { HeadingStack } from "./heading-stack.ts";
import { readHtml, type HtmlBlock } from "./read-html.ts";
import { LineCounter } from "./line-counter.ts";
import { LONGEST_LINE, pieceEnds } from "./pieces.ts";
import { lineUnit, pieceUnit, type Unit } from "./unit.ts";
import { weigh } from "./weigh.ts";
import { WordWorth } from "./word-worth.ts";

const LINKS_ONLY = /^(?:[\s|*•-]*!?\[[^\]]*\]\([^)]*\))+[\s|*•-]*$/;
const UNDER_ALL_HEADINGS = 7;

/** The text that a page shows, a block a line, with the targets of its links. */
export function htmlUnits(text: string): Unit[] {
  const units: Unit[] = [];
  const lines = new LineCounter(text);
  const sections = new HeadingStack();
  const words = new WordWorth(text.length);
  for (const block of readHtml(text)) {
    const line = lines.lineAt(block.start);
    const shown = `${block.level > 0 ? `${"#".repeat(block.level)} ` : ""}${block.text}\n`;
    const heading = sections.enter(block.level > 0 ? block.level : UNDER_ALL_HEADINGS);
    if (block.level > 0) sections.push(block.level, units.length);
    const ends = shown.length > LONGEST_LINE ? pieceEnds(shown, 0, shown.length) : [shown.length];
    let from = 0;
    for (const to of ends) {
      const facts = { line, weight: weigh(blockWeight(block), words.between(shown, from, to)), heading };
      units.push(ends.length === 1 ? lineUnit(shown, from, to, facts) : pieceUnit(shown, from, to, facts));
      from = to;
    }
  }
  return units;
}

function blockWeight({ text, level, isAside }: HtmlBlock): number {
  if (isAside) return 0.1;
  if (level > 0) return 1.3;
  if (LINKS_ONLY.test(text)) return 0.5;
  return 1;
}
