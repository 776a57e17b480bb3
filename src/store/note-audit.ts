import { isWhole, type NoteRow } from "./note-rows.ts";
import type { Query } from "./query.ts";
import type { StoreFault } from "./store.ts";
import { decodeText, encodeText } from "./stored-text.ts";

/** Notes checked at a time. */
const PAGE = 500;

/** Returns the damaged notes of one thread. */
export function threadNoteFaults(query: Query, thread: string): Promise<StoreFault[]> {
  return faultsWhere(query, "n.thread = $1", encodeText(thread));
}

/** Returns damaged notes of ids without a thread, which no audit of a thread would find. */
export function strayNoteFaults(query: Query): Promise<StoreFault[]> {
  return faultsWhere(query, "NOT EXISTS (SELECT 1 FROM palimpsest_threads t WHERE t.id = n.thread)");
}

async function faultsWhere(query: Query, condition: string, ...values: string[]): Promise<StoreFault[]> {
  const faults: StoreFault[] = [];
  for (let last: NoteRow | undefined; ;) {
    const [first, second, third] = [1, 2, 3].map((place) => `$${values.length + place}`);
    const rows = (await query(
      `SELECT n.thread, n.kind, n.key, n.at, n.packed, n.seal FROM palimpsest_notes n WHERE ${condition}
       ${last === undefined ? "" : `AND (n.thread, n.kind, n.key) > (${first}, ${second}, ${third})`} ORDER BY n.thread, n.kind, n.key LIMIT ${PAGE}`,
      ...values,
      ...(last === undefined ? [] : [last.thread, last.kind, last.key]),
    )) as NoteRow[];
    for (const row of rows) if (!isWhole(row)) faults.push({ fault: `${nameOf(row)} is not what was written`, isDerived: false });
    if (rows.length < PAGE) return faults;
    last = rows.at(-1);
  }
}

function nameOf({ thread, kind, key }: NoteRow): string {
  return `the note ${quoted(kind)} ${quoted(key)} of thread ${quoted(thread)}`;
}

function quoted(name: unknown): string {
  return typeof name === "string" ? JSON.stringify(decodeText(name)) : "(damaged)";
}
