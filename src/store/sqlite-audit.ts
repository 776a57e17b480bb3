import { schemaOf, type SqliteDatabase } from "./sqlite-database.ts";
import type { StoreFault } from "./store.ts";

/** The most findings of SQLite that are reported. */
const FINDINGS = 20;

/** Returns the faults of the file itself: its pages, indexes and tables, and orphaned rows. */
export function databaseFaults(db: SqliteDatabase): StoreFault[] {
  const findings = db.all(`PRAGMA integrity_check(${FINDINGS})`).map((row) => String(row["integrity_check"]));
  // Words of a lost content do no harm, and the commit that lost it is already reported.
  const strays = db.all("PRAGMA foreign_key_check").flatMap((row) => (row["table"] === "palimpsest_words" ? [] : [String(row["table"])]));
  const isOurs = JSON.stringify(db.schema()) === JSON.stringify(schemaOf());
  return [
    ...findings.filter((finding) => finding !== "ok").map((finding) => ({ fault: `the file is damaged: ${finding.trim()}`, isDerived: /index/.test(finding) })),
    ...[...new Set(strays)].map((table) => ({ fault: `rows of ${table} belong to something that is gone`, isDerived: false })),
    ...(isOurs ? [] : [{ fault: "the tables are not those that this version creates", isDerived: false }]),
  ];
}
