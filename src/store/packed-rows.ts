import { packText, unpackText } from "./packed-text.ts";
import { storeFailed } from "./store-failed.ts";
import type { NewCommit, StoredStep } from "./store.ts";
import { decodeText } from "./stored-text.ts";

export interface PackedRow {
  readonly packed: Uint8Array;
}

export interface SealedRow extends PackedRow {
  readonly seal: string;
}

export interface ContentRow extends PackedRow {
  readonly hash: string;
}

export interface StepRow extends PackedRow {
  readonly length: number;
}

/** Packs contents before the transaction, because it takes time that would hold the lock. */
export async function packContents(added: readonly NewCommit[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const texts = new Map(added.map(({ content }) => [content.hash, content.text]));
  return new Map(await Promise.all([...texts].map(async ([hash, text]) => [hash, await packText(text)] as const)));
}

/** Unpacks contents. Those damaged on the disk are missing: `verify` reports which commit they belong to. */
export async function unpackContents(rows: readonly ContentRow[]): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(
    rows.map(({ hash, packed }) =>
      unpackText(packed).then(
        (text) => [[decodeText(hash), text] as const],
        () => [],
      ),
    ),
  );
  return new Map(texts.flat());
}

export async function unpackSteps(store: string, rows: readonly StepRow[]): Promise<StoredStep[]> {
  try {
    return await Promise.all(rows.map(async ({ length, packed }) => ({ length, value: await unpackText(packed) })));
  } catch (cause) {
    throw storeFailed(store, "steps", "a recorded call of the model is damaged", cause);
  }
}
