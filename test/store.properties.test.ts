import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { cases, seed } from "./support/run-settings.ts";
import { storeKinds } from "./support/stores/open-stores.ts";
import { everythingIn, operations } from "./support/stores/operations.ts";

const kinds = storeKinds();

/** The same answer from all stores: the first one's. */
async function agreed(stores: readonly Store[], says: string, ask: (store: Store) => Promise<unknown>): Promise<unknown> {
  const [expected, ...others] = await Promise.all(stores.map(ask));
  for (const [index, answer] of others.entries()) assert.deepEqual(answer, expected, `${stores[index + 1]?.name ?? ""}: ${says}`);
  return expected;
}

// A case is dozens of transactions in three stores, so there are fewer of them than elsewhere.
test("whatever is done, all stores give the same answers, and are empty when all is forgotten", { timeout: 60_000 + cases() * 1_000 }, async () => {
  const stores = await Promise.all(kinds.map(async ({ createPlace }) => openStore(await createPlace())));
  const property = fc.asyncProperty(operations, async (list) => {
    for (const { says, run } of list) await agreed(stores, says, run);
    await agreed(stores, "everything", everythingIn);
    await agreed(stores, "retain", (store) => store.retain(Number.MAX_SAFE_INTEGER));
    assert.deepEqual(await agreed(stores, "everything", everythingIn), { threads: [], branches: [], seen: [], contents: [], notes: [] });
  });
  try {
    await fc.assert(property, { numRuns: Math.ceil(cases() / 5), seed: seed() });
  } finally {
    for (const store of stores) await store.close();
  }
});
