import type { ConversationRow } from "../../answers.ts";

export interface TreeRow {
  readonly row: ConversationRow;
  /** The row is the conversation's side calls, not the conversation itself. */
  readonly isSide: boolean;
  readonly key: string;
  readonly level: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
}

export function keyOf({ thread, branch }: { readonly thread: string; readonly branch: string }): string {
  return `${thread}/${branch}`;
}

/** Returns the visible rows, children below their parents. A tree sorts by its newest member; deeper levels are shown as the third. */
export function treeRows(rows: readonly ConversationRow[], closed: ReadonlySet<string>): readonly TreeRow[] {
  const known = new Set(rows.map(keyOf));
  const children = new Map<string, ConversationRow[]>();
  const tops: ConversationRow[] = [];
  for (const row of rows) {
    const parent = row.parent === undefined ? undefined : keyOf(row.parent);
    if (parent === undefined || !known.has(parent) || parent === keyOf(row)) tops.push(row);
    else children.set(parent, [...(children.get(parent) ?? []), row]);
  }
  const newest = new Map<string, number>();
  const newestOf = (row: ConversationRow, depth = 0): number => {
    const key = keyOf(row);
    const there = newest.get(key);
    if (there !== undefined || depth > 50) return there ?? row.lastMs;
    const latest = Math.max(row.lastMs, ...(children.get(key) ?? []).map((child) => newestOf(child, depth + 1)));
    newest.set(key, latest);
    return latest;
  };
  const shown: TreeRow[] = [];
  const add = (row: ConversationRow, level: number): void => {
    const key = keyOf(row);
    const own = children.get(key) ?? [];
    const hasSide = row.sideCalls > 0 && row.calls > 0;
    const hasChildren = own.length > 0 || hasSide;
    const isOpen = hasChildren && !closed.has(key);
    shown.push({ row, isSide: false, key, level: Math.min(level, 3), hasChildren, isOpen });
    // Guards against a conversation that is its own ancestor.
    if (isOpen && level < 50) for (const child of own.toSorted((a, b) => a.beganMs - b.beganMs)) add(child, level + 1);
    if (isOpen && hasSide) shown.push({ row, isSide: true, key: `${key}/side`, level: Math.min(level + 1, 3), hasChildren: false, isOpen: false });
  };
  for (const top of tops.toSorted((a, b) => newestOf(b) - newestOf(a))) add(top, 1);
  return shown;
}
