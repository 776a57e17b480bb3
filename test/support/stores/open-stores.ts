import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { startPostgres, type Postgres } from "../postgres.ts";

export interface StoreKind {
  readonly kind: "memory" | "sqlite" | "postgres";
  /** An address where nothing is yet. */
  readonly createPlace: () => Promise<string>;
}

/** Every kind of store, with a PostgreSQL for the tests of the file that calls this. */
export function storeKinds(): readonly StoreKind[] {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-stores-"));
  let postgres: Postgres | undefined;
  let files = 0;
  before(async () => {
    postgres = await startPostgres();
  });
  after(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return [
    { kind: "memory", createPlace: () => Promise.resolve("memory") },
    { kind: "sqlite", createPlace: () => Promise.resolve(`sqlite:${join(folder, `${++files}.db`)}`) },
    {
      kind: "postgres",
      createPlace: () => {
        if (postgres === undefined) throw new Error("PostgreSQL is not running yet");
        return postgres.createDatabase();
      },
    },
  ];
}

/** A new store, closed when the test with it ends. */
export async function withStore({ createPlace }: StoreKind, body: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(await createPlace());
  try {
    await body(store);
  } finally {
    await store.close();
  }
}
