import { EMPTY } from "./line-forms.ts";
import { lineUnits, type Judge } from "./line-units.ts";
import { NO_HEADING, type Unit } from "./unit.ts";

const TOTALS = /^\W*(?:total|sum|average|mean|count|\(\d+ rows?\))/i;
const FAULT = /\b(?:error|fail(?:ed|ing)?|missing|invalid)\b/i;
/** How many lines may stand above the header. */
const MOST_LINES_ABOVE = 8;

/** Rows, each shown with the header. */
export function tableUnits(text: string): Unit[] {
  return lineUnits(text, createTableJudge());
}

function createTableJudge(): Judge {
  let header = NO_HEADING;
  return (line, unit) => {
    if (line.trim() === "") return { weight: 0, heading: NO_HEADING };
    if (EMPTY.test(line)) return { weight: 0.02, heading: header };
    if (header === NO_HEADING) {
      if (columnsOf(line) > 1 || unit >= MOST_LINES_ABOVE) header = unit;
      return { weight: 1.5, heading: NO_HEADING };
    }
    if (TOTALS.test(line)) return { weight: 1.6, heading: header };
    return { weight: FAULT.test(line) ? 1.3 : 1, heading: header };
  };
}

/** As many as the separator makes that is most frequent in it. */
function columnsOf(line: string): number {
  let most = 1;
  for (const separator of ["\t", "|", ",", ";", "  "]) {
    let columns = 1;
    for (let at = line.indexOf(separator); at >= 0; at = line.indexOf(separator, at + separator.length)) columns++;
    most = Math.max(most, columns);
  }
  return most;
}
