import { lineUnits, type Judge } from "./line-units.ts";
import { NO_HEADING, type Unit } from "./unit.ts";

const FILE = /^(?:diff |\*\*\* (?:Update|Add|Delete) File: |Index: )/;
const FILE_DETAIL = /^(?:index [0-9a-f]|new file|deleted file|old mode|new mode|similarity|rename |--- |\+\+\+ )/;
const HUNK = /^@@/;

/** Lines of a patch, each shown with its hunk, and hunks with their file. */
export function diffUnits(text: string): Unit[] {
  return lineUnits(text, createDiffJudge());
}

function createDiffJudge(): Judge {
  let file = NO_HEADING;
  let hunk = NO_HEADING;
  return (line, unit) => {
    if (FILE.test(line) || (line.startsWith("--- ") && (file === NO_HEADING || hunk !== NO_HEADING))) {
      file = unit;
      hunk = NO_HEADING;
      return { weight: 1.5, heading: NO_HEADING };
    }
    if (HUNK.test(line)) {
      hunk = unit;
      return { weight: 0.8, heading: file };
    }
    if (hunk === NO_HEADING) return { weight: FILE_DETAIL.test(line) ? 1.2 : 0.6, heading: file };
    const isChange = line.startsWith("+") || line.startsWith("-");
    return { weight: isChange ? 1 : 0.4, heading: hunk };
  };
}
