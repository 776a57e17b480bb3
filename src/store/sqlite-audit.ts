import { schemaOf, type SqliteDatabase } from "./sqlite-database.ts";
import type { StoreFault } from "./store.ts";

/** How much of SQLite's own findings is told. */
const FINDINGS = 20;

/** Of the file itself: its pages, its indexes, its tables, and rows that belong to nothing. */
export function databaseFaults(db: SqliteDatabase): StoreFault[] {
  const findings = db.all(`PRAGMA integrity_check(${FINDINGS})`).map((row) => String(row["integrity_check"]));
  // Words of a content that is gone harm nobody, and the commit that has lost it is named already.
  const strays = db.all("PRAGMA foreign_key_check").flatMap((row) => (row["table"] === "palimpsest_words" ? [] : [String(row["table"])]));
  const isOurs = JSON.stringify(db.schema()) === JSON.stringify(schemaOf());
  return [
    ...findings.filter((finding) => finding !== "ok").map((finding) => ({ fault: `the file is damaged: ${finding.trim()}`, isDerived: /index/.test(finding) })),
    ...[...new Set(strays)].map((table) => ({ fault: `rows of ${table} belong to something that is gone`, isDerived: false })),
    ...(isOurs ? [] : [{ fault: "the tables are not those that this version makes", isDerived: false }]),
  ];
}
