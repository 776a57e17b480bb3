import { HeadingStack } from "./heading-stack.ts";
import { EMPTY, FAULT, lengthOfLineNumber } from "./line-forms.ts";
import { lineUnits, type Judge } from "./line-units.ts";
import type { Unit } from "./unit.ts";

const SECTION = /^(#{1,6})\s+\S/;
/** A line in capitals or bold, or one that ends in a colon: a heading of plain text. */
const LABEL = /^(?:\*\*[^*]+\*\*:?|[A-Z][A-Z0-9 /_-]{3,}:?|[^\s|>`-][^|`]{2,80}:)$/;
const FENCE = /^\s*(?:```|~~~)/;
const LIST_ITEM = /^\s*(?:[-*+•]|\d+[.)])\s/;

const SECTION_WEIGHT = 1.3;
const LABEL_WEIGHT = 1.1;
const LABEL_LEVEL = 7;

/** Lines of prose, each shown with the section that it stands in. */
export function textUnits(text: string): Unit[] {
  return lineUnits(text, createTextJudge());
}

function createTextJudge(): Judge {
  const sections = new HeadingStack();
  let isFenced = false;
  return (line, unit) => {
    const body = line.slice(lengthOfLineNumber(line, 0));
    if (body.trim() === "") return { weight: 0, heading: -1 };
    if (FENCE.test(body)) {
      isFenced = !isFenced;
      return { weight: 0.1, heading: sections.enter(LABEL_LEVEL + 1) };
    }
    const level = isFenced ? undefined : SECTION.exec(body)?.[1]?.length;
    if (level !== undefined) {
      const heading = sections.enter(level);
      sections.push(level, unit);
      return { weight: SECTION_WEIGHT, heading };
    }
    if (!isFenced && LABEL.test(body)) {
      const heading = sections.enter(LABEL_LEVEL);
      sections.push(LABEL_LEVEL, unit);
      return { weight: LABEL_WEIGHT, heading };
    }
    return { weight: proseWeight(body), heading: sections.enter(LABEL_LEVEL + 1) };
  };
}

function proseWeight(body: string): number {
  if (EMPTY.test(body)) return 0.02;
  if (LIST_ITEM.test(body)) return 1.2;
  return FAULT.test(body) ? 1.1 : 1;
}
