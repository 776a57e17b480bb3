import { EMPTY, FAULT, weightByForm, type LineForm } from "./line-forms.ts";
import { lineUnits, type Judge } from "./line-units.ts";
import { NO_HEADING, type Unit } from "./unit.ts";

/** A failing test, with what follows being about it. */
const FAILURE = /^\s*(?:--- FAIL:|FAIL(?:ED)?\b|✕|✗|✘|×|● |not ok \d|_{4,} .+ _{4,}$|(?:FAIL|ERROR): |\d+\) |thread '.*' panicked|---- .+ stdout ----)/;
const PASS =
  /^\s*(?:--- PASS:|=== (?:RUN|PAUSE|CONT|NAME)|ok\s|PASS(?:ED)?\b|✓|✔|√|ok \d|\? .*\[no test files\])|\b(?:PASSED|\.{3} ok)\b|^test .+ \.\.\. ok$|^[\w/.-]+\.\w+ [.sxX]+(?:\s*\[ *\d+%\])?$/;
const TOTALS =
  /\b\d+ (?:passed|failed|passing|failing|skipped|pending|errors?|tests?|xfailed|warnings?)\b|^(?:Tests?|Test Suites|Test Files|Snapshots|Ran|Time|Duration|Total|OK|FAILED|FAIL|ok)\b[ \t:]|^# (?:tests|pass|fail)\b|test result:/i;
/** Rules with a word in them, as pytest draws them. */
const SECTION = /^[=]{3,} .+ [=]{3,}$/;

const BLOCK_FORMS: readonly LineForm[] = [
  { pattern: /^E\s{2,}|^>\s|^\s*(?:assert|expect|Expected|Received|Actual|got|want|Error Trace|Error:|Diff:)|[Ee]xpected/, weight: 1.5 },
  { pattern: /\.\w{1,5}:\d+|line \d+/, weight: 1.3 },
  { pattern: FAULT, weight: 1.4 },
];

/** A block about a failure is shown with the line that names it. */
export function testOutputUnits(text: string): Unit[] {
  return lineUnits(text, createTestOutputJudge());
}

function createTestOutputJudge(): Judge {
  let failure = NO_HEADING;
  return (line, unit) => {
    if (line.trim() === "") return { weight: 0, heading: NO_HEADING };
    if (PASS.test(line)) {
      failure = NO_HEADING;
      return { weight: TOTALS.test(line) ? 0.8 : 0.3, heading: NO_HEADING };
    }
    if (TOTALS.test(line)) return { weight: 2, heading: NO_HEADING };
    if (SECTION.test(line)) {
      failure = NO_HEADING;
      return { weight: 0.5, heading: NO_HEADING };
    }
    if (FAILURE.test(line)) {
      failure = unit;
      return { weight: 1.9, heading: NO_HEADING };
    }
    if (EMPTY.test(line)) return { weight: 0.02, heading: failure };
    return { weight: weightByForm(line, BLOCK_FORMS, failure === NO_HEADING ? 0.7 : 1), heading: failure };
  };
}
