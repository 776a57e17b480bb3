import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import { isLostConnection, isLostRace, reasonOf } from "./postgres-errors.ts";
import { POSTGRES_MIGRATIONS, SEALED_FROM } from "./postgres-schema.ts";
import type { Run, SqlValue } from "./postgres-run.ts";
import { sealAll } from "./postgres-seals.ts";
import { schemaNewer, storeClosed, storeFailed, storeMissing } from "./store-failed.ts";

/**
 * Called again if the connection was lost. If its COMMIT was already sent, `unconfirmed` is what the first call returned, and it must
 * find out whether that was done.
 */
type Change<T> = (run: Run, unconfirmed: T | undefined) => Promise<T>;

/** Enough time for a server to restart. */
const PATIENCE_MS = 20_000;
/** Shorter, so that a wrong address is reported soon. */
const OPENING_PATIENCE_MS = 2000;
const INT8 = pg.types.builtins.INT8;
const DEFAULT_PORT = 5432;
const CONNECTING_MS = 10_000;
const CLOSING_MS = 3_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1000;

/** The advisory lock for migrations: any number will do, as long as it never changes. */
const MIGRATION_LOCK = 7_029_460_185;

/** Lock waits are limited. An acknowledged write is on the disk, even if the server is configured not to wait for it. */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL lock_timeout = '10s';
  SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'`;

export class PostgresDatabase {
  readonly name: string;
  readonly #pool: pg.Pool;
  readonly #clients = new Set<pg.PoolClient>();
  #isClosed = false;

  private constructor(name: string, pool: pg.Pool) {
    this.name = name;
    this.#pool = pool;
    // An idle connection that breaks is replaced when the next one is needed. Without listeners these events would end the process.
    pool.on("error", () => undefined);
    pool.on("connect", (client) => {
      client.on("error", () => undefined);
      this.#clients.add(client);
    });
    pool.on("remove", (client) => this.#clients.delete(client));
  }

  /** Without `create`, throws if the database has no tables of this version, and changes nothing. */
  static async open(url: string, create: boolean): Promise<PostgresDatabase> {
    const name = nameOf(url);
    const pool = new pg.Pool({
      connectionString: url,
      connectionTimeoutMillis: CONNECTING_MS,
      keepAlive: true,
      allowExitOnIdle: true,
      fallback_application_name: "palimpsest",
      // pg returns 8-byte integers as text. Ours are counts, which fit a number.
      types: { getTypeParser: (type, format): unknown => (type === INT8 ? Number : pg.types.getTypeParser(type, format)) },
    });
    const opened = new PostgresDatabase(name, pool);
    try {
      await opened.#migrate(create);
    } catch (error) {
      await opened.close();
      throw error;
    }
    return opened;
  }

  /** Runs one statement that only reads. */
  read(operation: string, sql: string, ...values: SqlValue[]): Promise<object[]> {
    return this.#patiently(operation, PATIENCE_MS, async () => (await this.#pool.query<object>(sql, values)).rows);
  }

  /** Runs a change as a transaction. Fulfilled when the server has it on its disk. */
  write<T>(operation: string, change: Change<T>): Promise<T> {
    return this.#write(operation, PATIENCE_MS, change);
  }

  /** What runs may end; but a server that does not answer is left, or its connections would keep the process alive. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const leaving = setTimeout(() => {
      for (const client of this.#clients) client.connection.stream.destroy();
    }, CLOSING_MS);
    await this.#pool.end();
    clearTimeout(leaving);
  }

  #write<T>(operation: string, patienceMs: number, change: Change<T>): Promise<T> {
    let unconfirmed: T | undefined;
    return this.#patiently(operation, patienceMs, async () => {
      const client = await this.#pool.connect();
      try {
        await client.query(BEGIN);
        const result = await change(async (sql, ...values) => (await client.query<object>(sql, values)).rows, unconfirmed);
        await client.query("COMMIT").catch((error: unknown) => {
          if (isLostConnection(error)) unconfirmed = result;
          throw error;
        });
        client.release();
        return result;
      } catch (error) {
        // Closing the connection ends the transaction, whatever state it is in.
        client.release(true);
        throw error;
      }
    });
  }

  async #patiently<T>(operation: string, patienceMs: number, attempt: () => Promise<T>): Promise<T> {
    const end = performance.now() + patienceMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      if (this.#isClosed) throw storeClosed(this.name, operation);
      try {
        return await attempt();
      } catch (error) {
        if (PalimpsestError.isInstance(error)) throw error;
        const isPassing = isLostConnection(error) || isLostRace(error);
        if (!isPassing || performance.now() + pauseMs > end) throw storeFailed(this.name, operation, reasonOf(error), error);
      }
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }

  /** One process migrates, and others that open the store at the same time wait for it. */
  async #migrate(create: boolean): Promise<void> {
    const run: Run = (sql, ...values) => this.#patiently("open", OPENING_PATIENCE_MS, async () => (await this.#pool.query<object>(sql, values)).rows);
    if ((await this.#version(run)) === POSTGRES_MIGRATIONS.length) return;
    if (!create && (await this.#version(run)) === 0) throw storeMissing(this.name);
    await this.#write("open", PATIENCE_MS, async (runInTransaction) => {
      await runInTransaction("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK);
      const version = await this.#version(runInTransaction);
      if (version === 0) {
        await runInTransaction("CREATE TABLE palimpsest_schema (version bigint NOT NULL)");
        await runInTransaction("INSERT INTO palimpsest_schema VALUES (0)");
      }
      for (const migration of POSTGRES_MIGRATIONS.slice(version)) await runInTransaction(migration);
      if (version > 0 && version < SEALED_FROM) await sealAll(runInTransaction);
      await runInTransaction("UPDATE palimpsest_schema SET version = $1", POSTGRES_MIGRATIONS.length);
    });
  }

  /** Returns the version of the schema; 0: there is none yet. */
  async #version(run: Run): Promise<number> {
    // Not to_regclass(): it may have cached, before the lock, that there is no such table.
    const tables = await run("SELECT 1 FROM pg_catalog.pg_class WHERE relname = 'palimpsest_schema' AND pg_catalog.pg_table_is_visible(oid)");
    if (tables.length === 0) return 0;
    const [row] = (await run("SELECT version FROM palimpsest_schema")) as { version: number }[];
    const found = row?.version ?? 0;
    if (found > POSTGRES_MIGRATIONS.length) throw schemaNewer(this.name, found, POSTGRES_MIGRATIONS.length);
    return found;
  }
}

/** Returns the address without user and password. */
function nameOf(url: string): string {
  try {
    const { host, port, database = "" } = new pg.Client({ connectionString: url });
    // A password that is not encoded, and cut in two.
    if (`${host}${database}`.includes("@")) return "postgres://…";
    return `postgres://${host}${port === DEFAULT_PORT ? "" : `:${port}`}/${database}`;
  } catch {
    // The original error's message contains the whole address.
    throw invalid("INVALID_OPTION", "store", '"postgres://user:password@host:port/database"', "postgres://…");
  }
}
