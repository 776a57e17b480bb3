import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inspect, promisify } from "node:util";
import { openStore } from "./open-store.ts";

const MODULE = fileURLToPath(new URL("open-store.ts", import.meta.url));

/** What opening a store loads, and what it says on stderr. */
async function opening(where: string): Promise<{ sqlite: boolean; pg: boolean; stderr: string }> {
  const script = `
    const { openStore } = await import(${JSON.stringify(MODULE)});
    const store = await openStore(${JSON.stringify(where)}).catch(() => undefined);
    await store?.close();
    const { createRequire } = await import("node:module");
    const packages = Object.keys(createRequire(${JSON.stringify(MODULE)}).cache);
    const sqlite = process.moduleLoadList.includes("NativeModule sqlite");
    console.log(JSON.stringify({ sqlite, pg: packages.some((path) => path.includes("node_modules/pg/")) }));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  return { ...(JSON.parse(stdout) as { sqlite: boolean; pg: boolean }), stderr };
}

test("what a store needs is loaded only if it is used, and nothing is said about it", async () => {
  assert.deepEqual(await opening("memory"), { sqlite: false, pg: false, stderr: "" });
  assert.deepEqual(await opening("sqlite::memory:"), { sqlite: true, pg: false, stderr: "" });
  assert.deepEqual(await opening("postgres://user:secret@127.0.0.1:1/x"), { sqlite: false, pg: true, stderr: "" });
});

test("warnings of others are heard before and after SQLite is loaded", async () => {
  const emitWarning: unknown = Reflect.get(process, "emitWarning");
  await (await openStore("sqlite::memory:")).close();
  assert.equal(Reflect.get(process, "emitWarning"), emitWarning);
});

test("the name says what it is", async () => {
  for (const where of ["memory", "sqlite::memory:"]) {
    const store = await openStore(where, { durability: "normal" });
    assert.equal(store.name, where);
    await store.close();
  }
});

const REFUSED: readonly unknown[] = ["", "Memory", "sqlite:", "sqlite", "mysql://user:secret@host/x", "postgres:/user:secret@host", undefined, 3, {}];

for (const where of REFUSED) {
  test(`${JSON.stringify(where) ?? "undefined"} is no store: it says what is, and tells no secret`, async () => {
    await assert.rejects(openStore(where as string), (error) => {
      assert.equal((error as { code?: unknown }).code, "INVALID_OPTION");
      assert.match(String(error), /"memory", "sqlite:path\/of\/a\/file" or "postgres:\/\/user:password@host:port\/database"/);
      assert.ok(typeof where !== "string" || !where.includes(":") || !inspect(error).includes("secret"));
      return true;
    });
  });
}

test("an address that cannot be read is refused without repeating it", async () => {
  await assert.rejects(openStore("postgres://user:secret@host:port/x"), (error) => {
    assert.equal((error as { code?: unknown }).code, "INVALID_OPTION");
    assert.ok(!inspect(error, { showHidden: true, depth: 9 }).includes("secret"));
    return true;
  });
});

test("without create, nothing is made of a file that is not there, is empty, or is of something else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-open-"));
  try {
    const foreign = new DatabaseSync(join(folder, "foreign.db"));
    foreign.exec("CREATE TABLE other (x)");
    foreign.close();
    writeFileSync(join(folder, "empty.db"), "");
    const files = (): unknown[] => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "hex")]);
    const before = files();
    for (const name of ["missing.db", "nowhere/missing.db", "empty.db", "foreign.db"]) {
      const where = `sqlite:${join(folder, name)}`;
      await assert.rejects(openStore(where, { create: false }), {
        code: "STORE_FAILED",
        message: `${where}: open failed: it is not a store of histories. Open it without { create: false } to create one.`,
        data: { store: where, operation: "open", missing: true },
      });
      assert.deepEqual(files(), before);
    }
    const where = `sqlite:${join(folder, "missing.db")}`;
    await (await openStore(where)).close();
    assert.deepEqual(await (await openStore(where, { create: false })).threads(), []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("options that are none", async () => {
  for (const options of [{ create: 1 }, { make: false }, { durability: "off" }, 3, null])
    await assert.rejects(openStore("memory", options as object), { code: "INVALID_OPTION" });
});

test("a PostgreSQL address tells no secret where it cannot be opened, wherever in it the secret stands", async () => {
  const places = [
    "postgres://user:secret@127.0.0.1:1/x",
    "postgres://user:12/secret@127.0.0.1:1/x",
    "postgres://127.0.0.1:1/x?user=me&password=secret",
    "postgres://127.0.0.1:1/x?sslmode=require&sslpassword=secret&sslkey=secret",
    "postgres://127.0.0.1:1/x?sslcert=secret",
  ];
  await Promise.all(
    places.map((where) =>
      assert.rejects(openStore(where), (error) => {
        assert.ok(!`${String(error)} ${JSON.stringify((error as { data?: unknown }).data)}`.includes("secret"), String(error));
        return true;
      }),
    ),
  );
});
