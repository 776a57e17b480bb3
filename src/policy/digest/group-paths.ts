import { quoteName } from "../../text/quote.ts";
import type { Digestible } from "../digestible.ts";

export interface ToldPath {
  readonly path: string;
  /** A remark on it: lines, or how often. */
  readonly note: string;
  readonly turns: readonly Digestible[];
}

/** Returns the folder that all absolute paths are in, without a trailing `/`; "" if there is none worth naming. */
export function commonRoot(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  if (others.length === 0) return "";
  let shared = first.split("/").slice(0, -1);
  for (const path of others) {
    const parts = path.split("/");
    const differs = shared.findIndex((part, index) => index >= parts.length - 1 || part !== parts[index]);
    if (differs >= 0) shared = shared.slice(0, differs);
  }
  return shared.join("/");
}

/** `internal/gitproto/{pktline, refs 3x, fetch}.go [3…9]`: joins the paths of one folder with the same ending, in the order of their first. */
export function groupPaths(paths: readonly ToldPath[], markOf: (turns: readonly Digestible[]) => string): string[] {
  const groups = Map.groupBy(paths, ({ path }) => {
    const { folder, ending } = partsOf(path);
    return `${folder}\n${ending}`;
  });
  return [...groups.values()].map((group) => `${groupName(group)}${markOf(group.flatMap(({ turns }) => turns))}`);
}

function groupName(group: readonly ToldPath[]): string {
  const [only] = group;
  if (only !== undefined && group.length === 1) return withNote(quoteName(only.path), only.note);
  const { folder, ending } = partsOf(only?.path ?? "");
  const names = group.map(({ path, note }) => withNote(quoteName(partsOf(path).stem), note));
  return `${folder === "" ? "" : quoteName(folder)}{${names.join(", ")}}${ending === "" ? "" : quoteName(ending)}`;
}

function withNote(name: string, note: string): string {
  return note === "" ? name : `${name} ${note}`;
}

function partsOf(path: string): { readonly folder: string; readonly stem: string; readonly ending: string } {
  const slash = path.lastIndexOf("/") + 1;
  const name = path.slice(slash);
  const dot = name.lastIndexOf(".");
  const at = dot > 0 && name.length - dot <= 8 ? dot : name.length;
  return { folder: path.slice(0, slash), stem: name.slice(0, at), ending: name.slice(at) };
}
