/** How often a history asks PostgreSQL. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { openHistory } from "../src/history/index.ts";
import { startPostgres, type Postgres } from "./support/postgres.ts";
import { use } from "./support/build.ts";

/** Statements that are sent while `run` does its work. */
async function statements(run: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function (this: unknown, ...args: unknown[]): unknown {
    const [statement] = args;
    sent.push(typeof statement === "string" ? statement : String((statement as { readonly text?: unknown }).text));
    return query.apply(this, args);
  };
  try {
    await run();
  } finally {
    prototype.query = query;
  }
  return sent.map((statement) => statement.trim().split(/\s+/).slice(0, 3).join(" "));
}

describe("in PostgreSQL", () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  test("a tool result takes at most four statements, with a handler of results too", async () => {
    const history = await openHistory({ store: await postgres.createDatabase(), thread: "t" });
    await history.user("q");
    await history.assistant([use("a"), use("b")]);
    const plain = await statements(() => history.toolResult("a", "read", "one"));
    assert.ok(plain.length > 0 && plain.length <= 4, plain.join("; "));
    await history.on("tool_result", (pending) => pending.edit("shorter"));
    const handled = await statements(() => history.toolResult("b", "read", "two"));
    assert.ok(handled.length <= 4, handled.join("; "));
    assert.equal((await history.verify()).ok, true);
    await history.close();
  });

  test("what another process has written is seen before anything is refused", async () => {
    const store = await postgres.createDatabase();
    const [first, second] = await Promise.all([openHistory({ store, thread: "t" }), openHistory({ store, thread: "t" })]);
    await first.user("q");
    await second.messages();
    await first.assistant([use("a")]);
    await second.toolResult("a", "read", "one");
    await first.user("Go on.");
    assert.equal((await second.messages()).length, 4);
    await Promise.all([first.close(), second.close()]);
  });
});
