import { HeadingStack } from "./heading-stack.ts";
import { lineUnits, type Judge } from "./line-units.ts";
import { NO_HEADING, type Unit } from "./unit.ts";

/** `src/lib:`, as `ls -R` has it, and other labels. */
const FOLDER = /^\S.*:$/;
const TREE = /^[\s│|]*(?:├|└|\|--|`--|\+--)[─-]*\s*/;
const BRANCHES = /^[\s│|├└─`+-]*/;
const DULL =
  /(?:^|[\s/])(?:node_modules|\.git|dist|build|target|vendor|__pycache__|\.cache|coverage|\.venv)(?:\/|$)|\.(?:lock|pyc|map|snap|min\.js)$|^total \d+$|\s\.{1,2}$/;
const NOTE = /^(?:\d+ (?:files|directories)|Found |No |Error|find: |ls: )/;

const DULL_WEIGHT = 0.05;
const ENTRY_WEIGHT = 1;
const FOLDER_WEIGHT = 1.1;

/** Names of files, each shown with the folder above it where the line does not say it. */
export function listingUnits(text: string): Unit[] {
  return lineUnits(text, createListingJudge());
}

function createListingJudge(): Judge {
  const folders = new HeadingStack();
  return (line, unit) => {
    if (line.trim() === "") return { weight: 0, heading: NO_HEADING };
    if (NOTE.test(line)) return { weight: 1.6, heading: NO_HEADING };
    if (TREE.test(line)) return treeEntry(folders, line, unit);
    if (FOLDER.test(line)) {
      folders.enter(0);
      folders.push(0, unit);
      return { weight: FOLDER_WEIGHT, heading: NO_HEADING };
    }
    return { weight: DULL.test(line) ? DULL_WEIGHT : ENTRY_WEIGHT, heading: folders.enter(1) };
  };
}

/** Every entry of a tree may be a folder; how far it is indented tells of which. */
function treeEntry(folders: HeadingStack, line: string, unit: number): ReturnType<Judge> {
  const level = BRANCHES.exec(line)?.[0].length ?? 0;
  const heading = folders.enter(level);
  folders.push(level, unit);
  return { weight: DULL.test(line) ? DULL_WEIGHT : ENTRY_WEIGHT, heading };
}
