import pg from "pg";

/** The rows of all our tables as INSERT statements, and where their counters stand. */
export async function dumpTables(address: string): Promise<string> {
  return withClient(address, async (client) => {
    const lines: string[] = [];
    const tables = await namesIn(client, "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE 'palimpsest\\_%' ORDER BY oid");
    for (const table of tables) {
      const columns = await namesIn(client, `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 ORDER BY attnum`);
      const quoted = columns.map((column) => `quote_nullable(${column})`).join(" || ', ' || ");
      const rows = await client.query<{ line: string }>(`SELECT ${quoted} AS line FROM ${table} ORDER BY 1`);
      for (const { line } of rows.rows) lines.push(`INSERT INTO ${table} (${columns.join(", ")}) OVERRIDING SYSTEM VALUE VALUES (${line});`);
      if (columns.includes("number"))
        lines.push(`SELECT setval(pg_get_serial_sequence('${table}', 'number'), (SELECT coalesce(max(number), 0) + 1 FROM ${table}), false);`);
    }
    return `SET session_replication_role = replica;\n${lines.join("\n")}\nSET session_replication_role = DEFAULT;\n`;
  });
}

export async function runSql(address: string, sql: string): Promise<readonly object[]> {
  return withClient(address, async (client) => (await client.query<object>(sql)).rows);
}

async function namesIn(client: pg.Client, sql: string): Promise<string[]> {
  return (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name);
}

async function withClient<T>(address: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
