import { fileEvents, type FileAction } from "../../content/files/ledger.ts";
import { groupPaths, commonRoot, type ToldPath } from "./group-paths.ts";
import type { PartMarks } from "./part-marks.ts";
import { describeRanges, linesRead, type LineRange } from "./read-lines.ts";
import type { DigestedCall } from "./told-call.ts";
import type { Digestible } from "../digestible.ts";

/** Of each kind, the newest are named. */
const MOST_CHANGED = 200;
const MOST_READ = 60;

interface FileStory {
  readonly path: string;
  /** What became of it; `read`: nothing did. */
  fate: FileAction;
  changes: number;
  readonly ranges: LineRange[];
  isReadWhole: boolean;
  readonly turns: Digestible[];
  lastAt: number;
}

const HEADINGS: readonly (readonly [FileAction, string])[] = [
  ["made", "created"],
  ["changed", "changed"],
  ["deleted", "deleted"],
  ["read", "read"],
];

/** What was done to files, below their common root. Reads before `readsFrom` are not told. */
export function fileLines(calls: readonly DigestedCall[], turnOf: (position: number) => Digestible, readsFrom: number, marks: PartMarks | undefined): string[] {
  const stories = storiesOf(calls, turnOf, readsFrom);
  if (stories.length === 0) return [];
  const root = commonRoot(stories.map(({ path }) => path));
  const lines = HEADINGS.flatMap(([fate, heading]) => {
    const all = stories.filter((story) => story.fate === fate);
    const most = fate === "read" ? MOST_READ : MOST_CHANGED;
    const told = all.slice(-most);
    const others = all.length > told.length ? ` and ${all.length - told.length} others before` : "";
    return told.length === 0 ? [] : [`${heading}: ${groupPaths(told.map((story) => toldPath(story, root)), (turns) => marks?.of(turns) ?? "").join(", ")}${others}`]; // prettier-ignore
  });
  return [root === "" ? "Files:" : `Files below ${JSON.stringify(root)}:`, ...lines];
}

function storiesOf(calls: readonly DigestedCall[], turnOf: (position: number) => Digestible, readsFrom: number): FileStory[] {
  const stories = new Map<string, FileStory>();
  for (const { call, path, action } of fileEvents(calls)) {
    if (action === undefined) continue;
    let story = stories.get(path);
    if (story === undefined)
      stories.set(
        path,
        (story = {
          path: /^[A-Za-z]:\\/.test(path) ? path.replaceAll("\\", "/") : path,
          fate: action,
          changes: 0,
          ranges: [],
          isReadWhole: false,
          turns: [],
          lastAt: 0,
        }),
      );
    if (action === "read") {
      const lines = linesRead(call.input, call.command);
      if (lines === undefined) story.isReadWhole = true;
      else story.ranges.push(lines);
    } else {
      story.changes++;
      // What was made here and changed since was made here.
      if (action !== "changed" || story.fate !== "made") story.fate = action;
    }
    story.lastAt = call.position;
    const turn = turnOf(call.position);
    if (story.turns.at(-1) !== turn) story.turns.push(turn);
  }
  return [...stories.values()].filter(({ fate, lastAt }) => fate !== "read" || lastAt >= readsFrom);
}

function toldPath({ path, fate, changes, ranges, isReadWhole, turns }: FileStory, root: string): ToldPath {
  const below = root === "" ? path : path.slice(root.length + 1);
  if (fate === "read") return { path: below, note: isReadWhole ? "" : describeRanges(ranges), turns };
  return { path: below, note: fate !== "deleted" && changes > 1 ? `${changes}x` : "", turns };
}
