import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { openStore } from "../../src/store/open-store.ts";
import { TABLES, TARGET, type BareWriter, type Database, type Engine, type TableSize } from "./database.ts";
import type { Row } from "./rows.ts";

export function startSqlite(): Engine {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  let databases = 0;
  return {
    name: "SQLite",
    create: async () => {
      const path = join(folder, `${++databases}.db`);
      await (await openStore(`sqlite:${path}`)).close();
      return databaseAt(path);
    },
    stop: () => {
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

function databaseAt(path: string): Database {
  return {
    address: `sqlite:${path}`,
    openBare: () => Promise.resolve(openBare(path)),
    fill: (rows, threads) => Promise.resolve(fill(path, rows, threads)),
    tables: () => Promise.resolve(tablesOf(path)),
    diskBytes: () => Promise.resolve(execute(path, "PRAGMA wal_checkpoint(TRUNCATE)")).then(() => statSync(path).size),
    vacuum: () => Promise.resolve(execute(path, "VACUUM")),
    makeNewer: (threads) => Promise.resolve(execute(path, `UPDATE palimpsest_threads SET time = 3 WHERE number <= ${threads}`)),
    watchLog: () => {
      // An open reader prevents a reset of the log, so its length is the number of bytes written.
      const reader = new DatabaseSync(path);
      reader.exec("PRAGMA wal_checkpoint(TRUNCATE); BEGIN; SELECT count(*) FROM palimpsest_threads");
      return Promise.resolve({
        bytes: () => Promise.resolve(statSync(`${path}-wal`).size),
        end: () => Promise.resolve(reader.close()),
      });
    },
    remove: () => {
      for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
      return Promise.resolve();
    },
  };
}

function openBare(path: string): BareWriter {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA synchronous = FULL; INSERT INTO palimpsest_threads (number, id) VALUES (1, 'bare')");
  db.exec("INSERT INTO palimpsest_branches (number, thread, name, start, length) VALUES (1, 1, 'main', 0, 0)");
  const content = db.prepare("INSERT INTO palimpsest_contents (number, hash, packed) VALUES (?, ?, ?)");
  const words = db.prepare("INSERT INTO palimpsest_words (content, words) VALUES (?, ?)");
  const commit = db.prepare(
    "INSERT INTO palimpsest_commits (segment, sequence, thread, hash, kind, role, is_error, tokens, content, record) VALUES (1, ?, 1, ?, ?, ?, ?, ?, ?, ?)",
  );
  const mark = db.prepare("INSERT INTO palimpsest_marks (segment, mark, sequence) VALUES (1, ?, ?)");
  const insert = (row: Row): void => {
    if (row.added !== undefined) content.run(row.content, row.added.hash, row.added.packed);
    if (row.added !== undefined && row.added.words !== null) words.run(row.content, row.added.words);
    commit.run(row.sequence, row.hash, row.kind, row.role, row.isError ? 1 : 0, row.tokens, row.content, row.record);
    for (const digest of row.marks) mark.run(digest, row.sequence);
  };
  return {
    insert: (rows) => {
      db.exec("BEGIN IMMEDIATE");
      for (const row of rows) insert(row);
      db.exec("COMMIT");
      return Promise.resolve();
    },
    close: () => Promise.resolve(db.close()),
  };
}

/** Writes the rows into temporary tables first, and copies them by SQL into every thread. */
function fill(path: string, rows: readonly Row[], threads: number): void {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; PRAGMA temp_store = MEMORY; BEGIN;
    CREATE TEMP TABLE numbers (k INTEGER PRIMARY KEY);
    CREATE TEMP TABLE row (sequence INTEGER PRIMARY KEY, hash, kind, role, is_error, tokens, content, record);
    CREATE TEMP TABLE content (content INTEGER PRIMARY KEY, hash, packed, words);
    CREATE TEMP TABLE mark (sequence, mark)`);
  const insertAll = (sql: string, list: readonly SQLInputValue[][]): void => {
    const statement = db.prepare(sql);
    for (const values of list) statement.run(...values);
  };
  insertAll(
    "INSERT INTO numbers VALUES (?)",
    Array.from({ length: threads }, (_, k) => [k]),
  );
  insertAll(
    "INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    rows.map((row) => [row.sequence, row.hash, row.kind, row.role, row.isError ? 1 : 0, row.tokens, row.content, row.record]),
  );
  insertAll(
    "INSERT INTO content VALUES (?, ?, ?, ?)",
    rows.flatMap(({ content, added }) => (added === undefined ? [] : [[content, added.hash, added.packed, added.words]])),
  );
  insertAll(
    "INSERT INTO mark VALUES (?, ?)",
    rows.flatMap(({ sequence, marks }) => marks.map((mark) => [sequence, mark])),
  );
  const last = rows.at(-1);
  const otherHash = "CASE k WHEN 0 THEN hash ELSE lower(hex(randomblob(32))) END";
  db.exec(`
    INSERT INTO palimpsest_threads (number, id, commits, time) SELECT k + 1, CASE k WHEN 0 THEN '${TARGET}' ELSE 'thread-' || k END, ${rows.length}, 1 FROM numbers;
    INSERT INTO palimpsest_branches (number, thread, name, start, length, head) SELECT k + 1, k + 1, 'main', 0, ${rows.length}, '${last?.hash ?? ""}' FROM numbers;
    INSERT INTO palimpsest_contents (number, hash, packed)
      SELECT content * ${threads} + k + 1, ${otherHash}, CASE k WHEN 0 THEN packed ELSE substr(packed, 1, 100) END FROM content, numbers ORDER BY content, k;
    INSERT INTO palimpsest_words (content, words)
      SELECT content * ${threads} + k + 1, CASE k WHEN 0 THEN words ELSE substr(words, 1, 100) END FROM content, numbers WHERE words IS NOT NULL ORDER BY content, k;
    INSERT INTO palimpsest_commits (segment, sequence, thread, hash, kind, role, is_error, tokens, content, record)
      SELECT k + 1, sequence, k + 1, ${otherHash}, kind, role, is_error, tokens, content * ${threads} + k + 1, record FROM row, numbers ORDER BY sequence, k;
    INSERT INTO palimpsest_marks (segment, mark, sequence) SELECT k + 1, mark, sequence FROM mark, numbers ORDER BY sequence, k;
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
}

function execute(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

function tablesOf(path: string): TableSize[] {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const bytes = db.prepare("SELECT coalesce(sum(d.pgsize), 0) AS bytes FROM sqlite_schema s JOIN dbstat d ON d.name = s.name WHERE s.tbl_name = ?");
  const sizes = TABLES.map((table) => ({
    table,
    rows: Number(db.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.["rows"]),
    bytes: Number(bytes.get(table)?.["bytes"]),
  }));
  db.close();
  return sizes;
}
