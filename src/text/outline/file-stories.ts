import { fileEvents, type FileAction, type FileEvent } from "../../content/files/ledger.ts";
import type { OutlinedCall } from "./outlined-call.ts";
import { describeRanges, linesRead } from "./read-lines.ts";

/** What the calls of a stretch did to a file. */
export interface FileStory<C extends OutlinedCall> {
  readonly path: string;
  /** What became of the file; `read`: it was only read. */
  readonly fate: FileAction;
  /** The lines that were read, or how often it was changed; "" for a whole file, and for once. */
  readonly note: string;
  /** The calls that read or changed it. */
  readonly calls: readonly C[];
}

/** Returns the stories in the order in which the files first appear. */
export function fileStories<C extends OutlinedCall>(calls: readonly C[]): FileStory<C>[] {
  const events = [...fileEvents(calls)].filter(({ action }) => action !== undefined);
  return [...Map.groupBy(events, ({ path }) => path)].map(([path, own]) => storyOf(path, own));
}

function storyOf<C extends OutlinedCall>(path: string, events: readonly FileEvent<C>[]): FileStory<C> {
  const changes = events.flatMap(({ action }) => (action === undefined || action === "read" ? [] : [action]));
  // A file that was created here and changed later counts as created.
  const fate = changes.reduce<FileAction>((before, action) => (action === "changed" && before === "made" ? before : action), "read");
  return {
    path: /^[A-Za-z]:\\/.test(path) ? path.replaceAll("\\", "/") : path,
    fate,
    note: fate === "read" ? linesOf(events) : fate !== "deleted" && changes.length > 1 ? `${changes.length}x` : "",
    calls: events.map(({ call }) => call),
  };
}

function linesOf(reads: readonly FileEvent<OutlinedCall>[]): string {
  const ranges = reads.map(({ call }) => linesRead(call.input, call.command));
  return ranges.includes(undefined) ? "" : describeRanges(ranges.filter((range) => range !== undefined));
}
