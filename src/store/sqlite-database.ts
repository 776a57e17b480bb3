import { closeSync, existsSync, openSync } from "node:fs";
import type * as Sqlite from "node:sqlite";
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { unwritableAddress } from "./sqlite-read-only.ts";
import { SEALED_FROM, SQLITE_MIGRATIONS } from "./sqlite-schema.ts";
import { sealAll } from "./sqlite-seals.ts";
import { schemaNewer, storeClosed, storeFailed, storeMissing } from "./store-failed.ts";

/** What survives if the machine loses power: every acknowledged write, or all but the last ones. */
export type Durability = "full" | "normal";

type Row = Readonly<Record<string, SQLOutputValue>>;

/** How long SQLite itself waits for a lock. That blocks the process, so longer waits consist of many of these. */
const LOCK_MS = 100;
/** How long to try in total while other processes hold the lock. */
const PATIENCE_MS = 10_000;

/**
 * The words of a thread are scattered over pages among those of others: a search in a long thread needs more than SQLite's default of 2 MB. What keeps
 * running conversations ("normal") mostly writes, and should be small.
 */
const CACHE_KIB: Readonly<Record<Durability, number>> = { full: 32_768, normal: 8_192 };

const BUSY = 5;
const READ_ONLY = 8;
const CANNOT_OPEN = 14;
const REASONS: Readonly<Record<number, string>> = {
  [BUSY]: `another process has held the lock for ${PATIENCE_MS / 1000} seconds`,
  [READ_ONLY]: "the file or its folder is read-only",
  10: "the disk cannot be read or written",
  11: "the file is damaged",
  13: "the disk is full",
  [CANNOT_OPEN]: "the file cannot be opened",
  26: "the file is not an SQLite database",
};

const VERSION_TABLE = "CREATE TABLE palimpsest_schema (version INTEGER NOT NULL)";

/** One connection. Statements run synchronously, so a transaction is a plain function that nothing in this process can interrupt. */
export class SqliteDatabase {
  readonly name: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #isClosed = false;

  private constructor(name: string, db: DatabaseSync) {
    this.name = name;
    this.#db = db;
  }

  /** Without `create`, throws if the file does not exist or has no tables of this version, and changes nothing. */
  static async open(path: string, create = true, name = `sqlite:${path}`, durability: Durability = "full"): Promise<SqliteDatabase> {
    if (!create && !existsSync(path)) throw storeMissing(name);
    if (create) makeFile(path);
    try {
      return await SqliteDatabase.#openAt(name, path, (opened) => opened.#prepareFile(create, durability));
    } catch (error) {
      const address = isUnwritable(error) ? unwritableAddress(path) : undefined;
      if (address === undefined) throw error;
      return SqliteDatabase.#openAt(name, address, (opened) => {
        opened.#db.exec("PRAGMA locking_mode = EXCLUSIVE");
        opened.#prepareFile(create, durability);
      });
    }
  }

  static async #openAt(name: string, address: string, prepare: (opened: SqliteDatabase) => void): Promise<SqliteDatabase> {
    const { DatabaseSync } = loadSqlite();
    const db = failing(name, "open", () => new DatabaseSync(address));
    const opened = new SqliteDatabase(name, db);
    try {
      await opened.#patiently("open", () => prepare(opened));
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  /** Returns how many rows the statement has changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Everything that `get` reads is from the same state of the database. */
  read<T>(operation: string, get: () => T): Promise<T> {
    return this.#patiently(operation, () => this.#transaction("BEGIN", get));
  }

  /** Fulfilled when the change is written, as durably as the database was opened. Takes the lock first, so what `change` reads is current when it writes. */
  write<T>(operation: string, change: () => T): Promise<T> {
    return this.#patiently(operation, () => this.#transaction("BEGIN IMMEDIATE", change));
  }

  /** Returns the SQL of its tables and indexes. */
  schema(): Row[] {
    return this.all(SCHEMA);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#statements.clear();
    this.#db.close();
  }

  #prepareFile(create: boolean, durability: Durability): void {
    this.#db.exec(`PRAGMA busy_timeout = ${LOCK_MS}; PRAGMA cache_size = -${CACHE_KIB[durability]}`);
    const version = this.#transaction("BEGIN", () => this.#version());
    const isCurrent = version === SQLITE_MIGRATIONS.length;
    if (version === 0 && !create) throw storeMissing(this.name);
    // WAL: readers do not wait for the writer. FULL: a transaction is on the disk before it is acknowledged. NORMAL: only the operating system has it.
    if (!isCurrent) this.#db.exec("PRAGMA journal_mode = WAL");
    this.#db.exec(`PRAGMA synchronous = ${durability}`);
    if (!isCurrent) this.#migrateFrom(version);
  }

  /** Migrates all of the file or nothing: if that fails, the file stays as it was. */
  #migrateFrom(version: number): void {
    try {
      this.#transaction("BEGIN IMMEDIATE", () => this.#migrate());
    } catch (error) {
      if (version === 0 || resultCode(error) !== READ_ONLY) throw error;
      throw storeFailed(
        this.name,
        "open",
        `it was written by an earlier version (${version}, now ${SQLITE_MIGRATIONS.length}) and cannot be migrated, because it cannot be written to; open a copy of it elsewhere`,
        error,
      );
    }
  }

  /** Returns the version of the schema; 0: there is none yet. */
  #version(): number {
    if (this.get("SELECT 1 FROM sqlite_schema WHERE name = 'palimpsest_schema'") === undefined) return 0;
    const found = Number(this.get("SELECT version FROM palimpsest_schema")?.["version"]);
    if (found > SQLITE_MIGRATIONS.length) throw schemaNewer(this.name, found, SQLITE_MIGRATIONS.length);
    return found;
  }

  /** Reads the version again, because another process may have migrated meanwhile. */
  #migrate(): void {
    const version = this.#version();
    if (version === 0) this.#db.exec(`${VERSION_TABLE}; INSERT INTO palimpsest_schema VALUES (0)`);
    for (const migration of SQLITE_MIGRATIONS.slice(version)) this.#db.exec(migration);
    if (version > 0 && version < SEALED_FROM) sealAll(this);
    this.run("UPDATE palimpsest_schema SET version = ?", SQLITE_MIGRATIONS.length);
  }

  #transaction<T>(begin: "BEGIN" | "BEGIN IMMEDIATE", body: () => T): T {
    this.#db.exec(begin);
    try {
      const result = body();
      this.#db.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  #rollback(): void {
    try {
      this.#db.exec("ROLLBACK");
    } catch {
      // SQLite has already rolled back, as it does when the disk is full.
    }
  }

  async #patiently<T>(operation: string, body: () => T): Promise<T> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        if (this.#isClosed) throw storeClosed(this.name, operation);
        return body();
      } catch (error) {
        if (resultCode(error) !== BUSY || performance.now() > end) throw failure(this.name, operation, error);
      }
      await sleep(Math.random() * 20);
    }
  }

  #statement(sql: string): StatementSync {
    const prepared = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

/**
 * Creates the file readable by the user only, because conversations are private; SQLite would let others read it. The log and its index get the mode
 * of the file. An existing file is never opened here: closing it would release the locks that this process has on it.
 */
function makeFile(path: string): void {
  if (path === ":memory:" || path.startsWith("file:")) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch {
    // The file exists, or cannot be created, and then SQLite says why.
  }
}

const SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name LIKE 'palimpsest%' ORDER BY name";

/** Returns the SQL of the tables and indexes of this version. */
export function schemaOf(): Row[] {
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(":memory:");
  try {
    db.exec(VERSION_TABLE);
    for (const migration of SQLITE_MIGRATIONS) db.exec(migration);
    return db.prepare(SCHEMA).all();
  } finally {
    db.close();
  }
}

function failing<T>(store: string, operation: string, get: () => T): T {
  try {
    return get();
  } catch (error) {
    throw failure(store, operation, error);
  }
}

function failure(store: string, operation: string, error: unknown): unknown {
  const code = resultCode(error);
  if (code === undefined || PalimpsestError.isInstance(error)) return error;
  return storeFailed(store, operation, REASONS[code] ?? (error as Error).message, error);
}

/** Returns whether the file may still be readable. */
function isUnwritable(error: unknown): boolean {
  const code = error instanceof Error ? resultCode(error.cause) : undefined;
  return code === READ_ONLY || code === CANNOT_OPEN;
}

/** Returns SQLite's result code without the details in its higher bits. Undefined: not an error of SQLite. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
}

/** Node warns once that its SQLite is experimental. Relying on it is our decision, so users of this package need not see that. */
function loadSqlite(): typeof Sqlite {
  const emitWarning: unknown = Reflect.get(process, "emitWarning");
  Reflect.set(process, "emitWarning", () => undefined);
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    Reflect.set(process, "emitWarning", emitWarning);
  }
}
