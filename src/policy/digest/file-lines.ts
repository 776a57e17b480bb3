import type { FileAction } from "../../content/files/ledger.ts";
import type { FileStory } from "../../text/outline/file-stories.ts";
import type { Digestible } from "../digestible.ts";
import type { DigestedCall } from "./digested-call.ts";
import { commonRoot, groupPaths } from "./group-paths.ts";
import type { PartMarks } from "./part-marks.ts";

/** The most files of each kind that are named, newest first. */
const MOST_CHANGED = 200;
const MOST_READ = 60;

const HEADINGS: readonly (readonly [FileAction, string])[] = [
  ["made", "created"],
  ["changed", "changed"],
  ["deleted", "deleted"],
  ["read", "read"],
];

/** Returns lines of what was done to files, below their common root. Leaves out reads before `readsFrom`. */
export function fileLines(
  all: readonly FileStory<DigestedCall>[],
  turnOf: (position: number) => Digestible,
  readsFrom: number,
  marks: PartMarks | undefined,
): string[] {
  const stories = all.filter(({ fate, calls }) => fate !== "read" || (calls.at(-1)?.position ?? 0) >= readsFrom);
  if (stories.length === 0) return [];
  const root = commonRoot(stories.map(({ path }) => path));
  const lines = HEADINGS.flatMap(([fate, heading]) => {
    const all = stories.filter((story) => story.fate === fate);
    const told = all.slice(fate === "read" ? -MOST_READ : -MOST_CHANGED);
    const others = all.length > told.length ? ` and ${all.length - told.length} others before` : "";
    const below = told.map(({ path, note, calls }) => ({ path: root === "" ? path : path.slice(root.length + 1), note, turns: calls.map(({ position }) => turnOf(position)) })); // prettier-ignore
    const paths = groupPaths(below, (turns) => marks?.of(turns) ?? "");
    return told.length === 0 ? [] : [`${heading}: ${paths.join(", ")}${others}`];
  });
  return [root === "" ? "Files:" : `Files below ${JSON.stringify(root)}:`, ...lines];
}
