/** Of bits that flip in the file of a store, every one that changes anything a reader can get is found by verify. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { openStore, type Store } from "../src/history/index.ts";
import { verifyStore, verifyThread } from "../src/history/verify.ts";
import { PalimpsestError } from "../src/index.ts";
import { cases, seed } from "./support/run-settings.ts";
import { readStore, writeFixtureThreads } from "./support/stores/fixture-threads.ts";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-flips-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Beside flips that change nothing: unused pages, bits that nobody reads. */
const FLIPS = Math.max(60, Math.min(cases(), 5_000));

async function opened<T>(bytes: Uint8Array, use: (store: Store) => Promise<T>): Promise<T> {
  const path = join(folder, "flipped.db");
  for (const file of ["", "-wal", "-shm"]) rmSync(`${path}${file}`, { force: true });
  writeFileSync(path, bytes);
  const store = await openStore(`sqlite:${path}`, { create: false });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function readAll(bytes: Uint8Array): Promise<string> {
  try {
    return await opened(bytes, async (store) => JSON.stringify([await readStore(store), await store.memo("key")]));
  } catch (error) {
    return `cannot be read: ${String(error)}`;
  }
}

async function isFound(bytes: Uint8Array): Promise<boolean> {
  try {
    return await opened(bytes, async (store) => {
      const faults = [...(await verifyStore(store))];
      for (const { id } of await store.threads()) faults.push(...(await verifyThread(store, id)).faults);
      return faults.length > 0;
    });
  } catch {
    return true;
  }
}

/** Notes are a small part of a file: most flips would not meet them. */
async function writeNotes(store: Store): Promise<void> {
  const notes = Array.from({ length: 200 }, (_, number) => ({
    thread: `thread ${number % 3}`,
    kind: number % 2 === 0 ? "call" : "about",
    key: `main/${number}`,
    at: 1_700_000_000_000 + number,
    value: `value ${number} `.repeat(number % 20),
  }));
  await store.putNotes(notes);
}

async function writeThreads(store: Store): Promise<void> {
  await writeFixtureThreads(store);
  await store.setMemo("key", "what was computed once");
}

async function written(name: string, write: (store: Store) => Promise<void>): Promise<Buffer> {
  const path = join(folder, name);
  const store = await openStore(`sqlite:${path}`);
  await write(store);
  await store.close();
  return readFileSync(path);
}

const FILES: Readonly<Record<string, (store: Store) => Promise<void>>> = { threads: writeThreads, notes: writeNotes };

describe("a bit that flips in the file", { timeout: 1_200_000 }, () => {
  for (const [what, write] of Object.entries(FILES))
    it(`is found by verify, of ${FLIPS} in a file of ${what} each that changes what is read`, () => find(what, write));

  async function find(what: string, write: (store: Store) => Promise<void>): Promise<void> {
    const whole = await written(`${what}.db`, write);
    const expected = await readAll(whole);
    assert.ok(!(await isFound(whole)));
    const missed: string[] = [];
    let changed = 0;
    for (const bit of fc.sample(fc.nat({ max: whole.length * 8 - 1 }), { numRuns: FLIPS, seed: seed() })) {
      const flipped = Buffer.from(whole);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const read = await readAll(flipped);
      if (read === expected) continue;
      changed++;
      if (!(await isFound(flipped))) missed.push(`byte ${bit >> 3}, bit ${bit & 7}: ${difference(expected, read)}`);
    }
    assert.ok(changed > 0);
    assert.deepEqual(missed, [], `${missed.length} of ${changed} are missed`);
  }

  it("is told as a failure of the store where it stops a reader, and not as a fault of this package", async () => {
    const whole = await written("whole.db", writeThreads);
    for (const bit of fc.sample(fc.nat({ max: whole.length * 8 - 1 }), { numRuns: 30, seed: seed() + 1 })) {
      const flipped = Buffer.from(whole);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await opened(flipped, readStore).catch((error: unknown) => {
        assert.ok(PalimpsestError.isInstance(error), `byte ${bit >> 3}, bit ${bit & 7}: ${String(error)}`);
      });
    }
  });
});

function difference(a: string, b: string): string {
  let at = 0;
  while (a[at] === b[at]) at++;
  return `${a.slice(at - 40, at + 40)} / ${b.slice(at - 40, at + 40)}`;
}
