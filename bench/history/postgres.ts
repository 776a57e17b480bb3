import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { openStore } from "../../src/store/open-store.ts";
import { startPostgres as startServer } from "../../test/support/postgres.ts";
import { TABLES, TARGET, type BareWriter, type Database, type Engine, type TableSize } from "./database.ts";
import type { Row } from "./rows.ts";

const PARTITIONS = readFileSync(join(import.meta.dirname, "partition.sql"), "utf8");

/** Starts PostgreSQL with its default settings, so acknowledged writes are durable. */
export async function startPostgres(partitioned: boolean): Promise<Engine> {
  const server = await startServer({ waitsForDisk: true });
  return {
    name: partitioned ? "PostgreSQL, partitioned" : "PostgreSQL",
    create: async () => {
      const address = await server.createDatabase();
      await (await openStore(address)).close();
      if (partitioned) await withClient(address, (client) => client.query(PARTITIONS));
      return databaseAt(address, () => server.dropDatabase(address));
    },
    stop: () => server.stop(),
  };
}

function databaseAt(address: string, remove: () => Promise<void>): Database {
  return {
    address,
    openBare: () => openBare(address),
    fill: (rows, threads) => withClient(address, (client) => fill(client, rows, threads)),
    tables: () => withClient(address, tablesOf),
    diskBytes: () => withClient(address, (client) => numberOf(client, "SELECT pg_database_size(current_database()) AS value")),
    vacuum: () => withClient(address, async (client) => void (await client.query("VACUUM FULL"))),
    makeNewer: (threads) =>
      withClient(address, async (client) => void (await client.query("UPDATE palimpsest_threads SET time = 3 WHERE number <= $1", [threads]))),
    watchLog: async () => {
      const start = await withClient(address, logPosition);
      return { bytes: async () => (await withClient(address, logPosition)) - start, end: () => Promise.resolve() };
    },
    remove,
  };
}

async function openBare(address: string): Promise<BareWriter> {
  const client = await connected(address);
  await client.query("INSERT INTO palimpsest_threads (number, id) OVERRIDING SYSTEM VALUE VALUES (1, 'bare')");
  await client.query(
    "INSERT INTO palimpsest_branches (number, thread, name, start, length, token) OVERRIDING SYSTEM VALUE VALUES (1, 1, 'main', 0, 0, gen_random_uuid())",
  );
  return {
    insert: async (rows) => {
      await client.query("BEGIN");
      await insertContents(client, rows);
      await client.query(
        `INSERT INTO palimpsest_commits (segment, sequence, thread, hash, kind, role, is_error, tokens, content, record)
         SELECT 1, sequence, 1, hash, kind, role, is_error, tokens, content, record
         FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::double precision[], $7::bigint[], $8::text[])
           AS r (sequence, hash, kind, role, is_error, tokens, content, record)`,
        commitColumns(rows),
      );
      await client.query("INSERT INTO palimpsest_marks (segment, mark, sequence) SELECT 1, * FROM unnest($1::bytea[], $2::bigint[])", markColumns(rows));
      await client.query("COMMIT");
    },
    close: () => client.end(),
  };
}

async function insertContents(client: pg.Client, rows: readonly Row[]): Promise<void> {
  const columns = contentColumns(rows);
  if (columns[0]?.length === 0) return;
  await client.query(
    `WITH contents AS (
       INSERT INTO palimpsest_contents (number, hash, commits, packed) OVERRIDING SYSTEM VALUE
         SELECT content, hash, 1, packed FROM unnest($1::bigint[], $2::text[], $3::bytea[]) AS r (content, hash, packed) RETURNING number
     )
     INSERT INTO palimpsest_words (content, words)
       SELECT number, words FROM contents JOIN unnest($1::bigint[], $4::text[]) AS r (content, words) ON content = number WHERE words IS NOT NULL`,
    columns,
  );
}

/** Writes the rows into temporary tables first, and copies them by SQL into every thread. */
async function fill(client: pg.Client, rows: readonly Row[], threads: number): Promise<void> {
  await client.query("SET synchronous_commit = off; SET work_mem = '256MB'");
  await client.query("CREATE TEMP TABLE row (sequence bigint, hash text, kind text, role text, is_error boolean, tokens float8, content bigint, record text)");
  await client.query("CREATE TEMP TABLE content (content bigint, hash text, packed bytea, words text); CREATE TEMP TABLE mark (mark bytea, sequence bigint)");
  await client.query(
    `INSERT INTO row SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::float8[], $7::bigint[], $8::text[])`,
    commitColumns(rows),
  );
  await client.query("INSERT INTO content SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::text[])", contentColumns(rows));
  await client.query("INSERT INTO mark SELECT * FROM unnest($1::bytea[], $2::bigint[])", markColumns(rows));
  const last = rows.at(-1);
  const numbers = `generate_series(0, ${threads - 1}) AS k`;
  const otherHash = "CASE k WHEN 0 THEN hash ELSE md5(hash || k) || md5(k || hash) END";
  const statements = [
    `INSERT INTO palimpsest_threads (number, id, commits, time) OVERRIDING SYSTEM VALUE
       SELECT k + 1, CASE k WHEN 0 THEN '${TARGET}' ELSE 'thread-' || k END, ${rows.length}, 1 FROM ${numbers}`,
    `INSERT INTO palimpsest_branches (number, thread, name, start, length, head, token) OVERRIDING SYSTEM VALUE
       SELECT k + 1, k + 1, 'main', 0, ${rows.length}, '${last?.hash ?? ""}', gen_random_uuid() FROM ${numbers}`,
    `INSERT INTO palimpsest_contents (number, hash, commits, packed) OVERRIDING SYSTEM VALUE
       SELECT content * ${threads} + k + 1, ${otherHash}, 1, CASE k WHEN 0 THEN packed ELSE substr(packed, 1, 100) END FROM content, ${numbers} ORDER BY content, k`,
    `INSERT INTO palimpsest_words (content, words)
       SELECT content * ${threads} + k + 1, CASE k WHEN 0 THEN words ELSE left(words, 100) END FROM content, ${numbers} WHERE words IS NOT NULL ORDER BY content, k`,
    `INSERT INTO palimpsest_commits (segment, sequence, thread, hash, kind, role, is_error, tokens, content, record)
       SELECT k + 1, sequence, k + 1, ${otherHash}, kind, role, is_error, tokens, content * ${threads} + k + 1, record FROM row, ${numbers} ORDER BY sequence, k`,
    `INSERT INTO palimpsest_marks (segment, mark, sequence) SELECT k + 1, mark, sequence FROM mark, ${numbers} ORDER BY sequence, k`,
    // What the server does by itself after a while.
    "VACUUM ANALYZE",
    "CHECKPOINT",
  ];
  for (const statement of statements) await client.query(statement);
}

function commitColumns(rows: readonly Row[]): unknown[][] {
  return [
    rows.map(({ sequence }) => sequence),
    rows.map(({ hash }) => hash),
    rows.map(({ kind }) => kind),
    rows.map(({ role }) => role),
    rows.map(({ isError }) => isError),
    rows.map(({ tokens }) => tokens),
    rows.map(({ content }) => content),
    rows.map(({ record }) => record),
  ];
}

function contentColumns(rows: readonly Row[]): unknown[][] {
  const added = rows.flatMap((row) => (row.added === undefined ? [] : [{ content: row.content, ...row.added }]));
  return [added.map(({ content }) => content), added.map(({ hash }) => hash), added.map(({ packed }) => Buffer.from(packed)), added.map(({ words }) => words)];
}

function markColumns(rows: readonly Row[]): unknown[][] {
  const marks = rows.flatMap((row) => row.marks.map((mark) => ({ mark, sequence: row.sequence })));
  return [marks.map(({ mark }) => mark), marks.map(({ sequence }) => sequence)];
}

async function tablesOf(client: pg.Client): Promise<TableSize[]> {
  const sizes: TableSize[] = [];
  for (const table of TABLES) {
    const { rows } = await client.query<{ rows: string; bytes: string }>(
      `SELECT (SELECT count(*) FROM ${table}) AS rows,
         (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE oid = '${table}'::regclass OR oid IN (SELECT relid FROM pg_partition_tree('${table}'))) AS bytes`,
    );
    sizes.push({ table, rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes) });
  }
  return sizes;
}

function logPosition(client: pg.Client): Promise<number> {
  return numberOf(client, "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS value");
}

async function numberOf(client: pg.Client, sql: string): Promise<number> {
  const { rows } = await client.query<{ value: string }>(sql);
  return Number(rows[0]?.value);
}

async function withClient<T>(address: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connected(address);
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function connected(address: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  return client;
}
