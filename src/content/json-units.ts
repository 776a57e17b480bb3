import { jsonWeight } from "./json-weight.ts";
import { LineCounter } from "./line-counter.ts";
import { pieceWeight } from "./piece-weight.ts";
import { walkJson } from "./walk-json.ts";
import { weigh } from "./weigh.ts";
import { WordWorth } from "./word-worth.ts";
import { NO_HEADING, lineUnit, pieceUnit, type Unit } from "./unit.ts";

/** The parts of all JSON documents of a text; the lines between them go to `otherUnits`. */
export function jsonUnits(text: string, otherUnits: (text: string) => readonly Unit[]): Unit[] {
  const units: Unit[] = [];
  const lines = new LineCounter(text);
  const words = new WordWorth(text.length);
  walkJson(text, {
    get length() {
      return units.length;
    },
    add(start, end, noun, count, heading) {
      const line = lines.lineAt(start);
      const worth = words.between(text, start, end);
      const part = text.slice(start, end);
      if (noun === "character") units.push(pieceUnit(text, start, end, { line, weight: weigh(pieceWeight(part), worth), heading }));
      else units.push({ ...lineUnit(text, start, end, { line, weight: weigh(jsonWeight(part, noun), worth), heading }), noun, count });
    },
    addOther(start, end) {
      const first = units.length;
      const firstLine = lines.lineAt(start);
      for (const unit of otherUnits(text.slice(start, end)))
        units.push({ ...unit, line: unit.line + firstLine - 1, heading: unit.heading === NO_HEADING ? NO_HEADING : unit.heading + first });
    },
  });
  return units;
}
