import { EMPTY, FAULT, weightByForm, type LineForm } from "./line-forms.ts";
import { lineUnits, type Judge } from "./line-units.ts";
import { NO_HEADING, type Unit } from "./unit.ts";

/** A line of a stack trace, or one that goes on with what is above. */
const TRACE = /^\s+(?:at\s|File "|\.{3}|\^|\|)|^\s{2,}\S|^Caused by:|^\tat /;
const TRACE_START = /^Traceback \(most recent call last\)/;

const FAULT_WEIGHT = 1.8;

const FORMS: readonly LineForm[] = [
  { pattern: FAULT, weight: FAULT_WEIGHT },
  { pattern: /\bwarn(?:ing)?\b/i, weight: 0.5 },
  { pattern: /^(?:Process exited|exit(?:ed)? (?:code|status)|<returncode>|real\s|user\s|sys\s)/i, weight: 1.1 },
  { pattern: /\b(?:total|summary|result|finished|completed|done|built|installed|added|created|listening|started)\b/i, weight: 1.1 },
  { pattern: /\b(?:debug|trace|verbose)\b/i, weight: 0.5 },
];

/** Lines of a program's output; what explains a fault is shown with it. */
export function logUnits(text: string): Unit[] {
  return lineUnits(text, createLogJudge());
}

function createLogJudge(): Judge {
  let fault = NO_HEADING;
  return (line, unit) => {
    if (line.trim() === "") {
      fault = NO_HEADING;
      return { weight: 0, heading: NO_HEADING };
    }
    if (EMPTY.test(line)) return { weight: 0.02, heading: NO_HEADING };
    if (TRACE_START.test(line)) {
      fault = unit;
      return { weight: 0.7, heading: NO_HEADING };
    }
    const weight = weightByForm(line, FORMS, 1);
    if (fault !== NO_HEADING && TRACE.test(line)) return { weight: Math.min(weight, 1), heading: fault };
    fault = weight === FAULT_WEIGHT ? unit : NO_HEADING;
    return { weight, heading: NO_HEADING };
  };
}
