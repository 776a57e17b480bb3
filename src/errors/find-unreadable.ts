/** A value that no message, edit or option can hold. */
export interface Unreadable {
  readonly path: string;
  readonly expected: string;
  readonly found: unknown;
}

/** Deeper than any sensible data, and far from overflowing the stack. */
const MOST_LEVELS = 500;
/** A longer path is of no help. */
const NAMED_LEVELS = 8;

interface Open {
  readonly value: object;
  readonly path: string;
  readonly entries: Iterator<readonly [key: string, held: unknown]>;
}

/** Returns the first value that cannot be read or written as JSON. Not recursive, because the value may be nested too deep. */
export function findUnreadable(root: unknown, name: string): Unreadable | undefined {
  const first = unreadable(root, name);
  if (first !== undefined) return first;
  if (!isList(root)) return undefined;
  const done = new Set<object>();
  const open: Open[] = [{ value: root, path: name, entries: entriesOf(root) }];
  const above = new Set<object>([root]);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    let next: IteratorResult<readonly [key: string, held: unknown]>;
    try {
      next = top.entries.next();
    } catch {
      return { path: top.path, expected: "fields that can be read", found: "a getter that throws" };
    }
    if (next.done === true) {
      open.pop();
      above.delete(top.value);
      done.add(top.value);
      continue;
    }
    const [key, held] = next.value;
    const path = open.length <= NAMED_LEVELS ? `${top.path}.${key}` : top.path;
    const found = unreadable(held, path);
    if (found !== undefined) return found;
    if (!isList(held) || done.has(held)) continue;
    if (above.has(held)) return { path, expected: "data that is not circular", found: held };
    if (open.length >= MOST_LEVELS) return { path, expected: `data that is nested at most ${MOST_LEVELS} levels deep`, found: held };
    open.push({ value: held, path, entries: entriesOf(held) });
    above.add(held);
  }
  return undefined;
}

function unreadable(value: unknown, path: string): Unreadable | undefined {
  if (typeof value !== "bigint" && typeof value !== "symbol") return undefined;
  return { path, expected: "something that can be written as JSON", found: value };
}

/** Bytes do not count as a list of values. */
function isList(value: unknown): value is object {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
}

function* entriesOf(value: object): Generator<readonly [key: string, held: unknown], void> {
  for (const key of Object.keys(value)) yield [key, (value as Readonly<Record<string, unknown>>)[key]];
}
