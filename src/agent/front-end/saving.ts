import { invalid } from "../../errors/palimpsest-error.ts";
import { storeFailed } from "../../store/store-failed.ts";
import type { Store } from "../../store/store.ts";
import type { FrontEndEvent } from "./front-end-event.ts";
import { RecordWriter, type FinishedRecord } from "./record-writer.ts";
import type { Redact } from "./redaction.ts";
import { SessionArchive, type Place } from "./session-archive.ts";
import type { SessionKeeper } from "./session-keeper.ts";

/** How long a call waits for its store before it continues from memory. */
const LONGEST_WAIT_MS = 2_000;
/** How long a process waits for its store at the end, unless it passes its own limit. */
const LONGEST_CLOSE_MS = 5_000;
const LEAST_CLOSE_MS = 100;
/** How long a call waits for a whole conversation to be read. */
const LONGEST_READ_MS = 5_000;
/** How often an unavailable store is retried. */
const RETRY_MS = 1_000;
const STORE_ADDRESS = /^(memory$|sqlite:.|postgres(ql)?:\/\/)/s;
/** How many conversations are read at a time. */
const PAGE = 500;

/** Reads from a store that may hang or be unavailable. */
export type ReadStore = <T>(read: (archive: SessionArchive) => Promise<T>) => Promise<T | undefined>;

export type OpenStore = (address: string) => Promise<Store>;

export interface SavingOptions {
  readonly store: string | Store | undefined;
  /** Undefined: this runtime cannot open a store by its address. */
  readonly openStore: OpenStore | undefined;
  /** Applied to every text before it is stored. */
  readonly redact: Redact | undefined;
  readonly onEvent: (event: FrontEndEvent) => void;
  /** Returns the keepers of conversations in memory, which may have something unwritten. */
  readonly keepers: (archive: SessionArchive) => readonly SessionKeeper[];
  /** Returns the conversations that have something unwritten. */
  readonly unwritten: () => readonly Place[];
  /** Returns whether no conversation is in memory. */
  readonly isEmpty: () => boolean;
}

/** Writes to a store in the background, and knows whether it is available. */
export class Saving {
  readonly #options: SavingOptions;
  #archive: Promise<SessionArchive | undefined> | undefined;
  /** Why the store is unavailable. */
  #away: { readonly error: unknown } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #records: RecordWriter;
  #isClosed = false;

  constructor(options: SavingOptions) {
    const { store, openStore } = options;
    this.#options = options;
    this.#records = new RecordWriter(
      () => this.archive(),
      () => this.#isBack(),
      (error) => this.isAway(error),
    );
    if (typeof store !== "string") return;
    if (openStore === undefined || !STORE_ADDRESS.test(store)) {
      const expected = openStore === undefined ? "an open store: this runtime cannot open one by its address" : '"memory", "sqlite:PATH" or "postgres://…"';
      // Only the scheme, because the address may contain a password.
      throw invalid("INVALID_OPTION", "options.store", expected, store.split(":", 1)[0]);
    }
    // Opened at once, so that a mistyped address is reported before the first call.
    this.archive().catch((error: unknown) => this.isAway(error));
  }

  get isKept(): boolean {
    return this.#options.store !== undefined;
  }

  /** Undefined: there is no store. Rejects if it cannot be opened now. */
  archive(): Promise<SessionArchive | undefined> {
    // After `close`, calls continue from memory.
    if (this.#options.store === undefined || this.#isClosed) return Promise.resolve(undefined);
    const opening = (this.#archive ??= this.#open(this.#options.store));
    // The next call tries again.
    opening.catch(() => {
      if (this.#archive === opening) this.#archive = undefined;
    });
    return within(opening);
  }

  /** Undefined: there is no store, or it does not answer. A store that hangs is not asked again before it is back. */
  async reading<T>(read: (archive: SessionArchive) => Promise<T>): Promise<T | undefined> {
    if (this.#away?.error instanceof NoAnswer) return undefined;
    try {
      const archive = await this.archive();
      return archive === undefined ? undefined : await within(this.#readAfterWrites(archive, read), LONGEST_READ_MS);
    } catch (error) {
      // Asked just before it was closed.
      if (this.#isClosed) return undefined;
      if (!(error instanceof NoAnswer)) throw error;
      this.isAway(error);
      return undefined;
    }
  }

  /** Returns why nothing can be stored at the moment. Undefined: it can. */
  whyNotReady(): string | undefined {
    return this.#away === undefined ? undefined : `the store is unavailable (${messageOf(this.#away.error)}); calls continue from memory`;
  }

  /** Waits until it is written, but no longer than a call should wait. */
  async save(keeper: SessionKeeper): Promise<void> {
    if (this.#isClosed) return;
    const saving = keeper.save().then(
      () => this.#isBack(),
      (error: unknown) => this.isAway(error),
    );
    if (this.#away !== undefined) return;
    await within(saving).catch((error: unknown) => this.isAway(error));
  }

  /** Queues a record. Does not wait. */
  record(finished: FinishedRecord): void {
    if (this.isKept && !this.#isClosed) this.#records.add(finished);
  }

  /** Fulfilled when everything is durable. */
  async saved(): Promise<void> {
    if (!this.isKept || this.#isClosed) return;
    const isNothing = this.#options.isEmpty() && this.#records.waiting.length === 0;
    const archive = isNothing ? undefined : await this.archive();
    const unwritten = archive === undefined ? [] : this.#options.keepers(archive).filter(({ isBehind }) => isBehind);
    // If one conversation cannot be written, the others still are.
    const outcomes = await Promise.allSettled([...unwritten.map((keeper) => keeper.save()), this.#records.write(true)]);
    const failed = outcomes.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  /** Deletes threads of conversations, and records of calls, that were last used before this time. Other data in the store stays. */
  async retain(olderThanMs: number): Promise<void> {
    const store = (await this.archive())?.store;
    if (store === undefined) return;
    await store.dropNotes("call", olderThanMs);
    for (;;) {
      const old = (await store.notes({ kind: "about", limit: PAGE })).filter(({ at }) => at < olderThanMs);
      if (old.length === 0) return;
      await store.retain(olderThanMs, [...new Set(old.map(({ thread }) => thread))]);
      await store.dropNotes("about", olderThanMs);
    }
  }

  /** Writes waiting records first, because the read may need them: they say how many calls there were. */
  async #readAfterWrites<T>(archive: SessionArchive, read: (archive: SessionArchive) => Promise<T>): Promise<T> {
    if (this.#away === undefined) await this.#records.write();
    return read(archive);
  }

  /** Waits up to `maxMs` until everything is durable and the store is closed. Rejects if something could not be written and is lost. */
  async close(maxMs: number = LONGEST_CLOSE_MS): Promise<void> {
    if (!this.isKept || this.#isClosed) return;
    const endsAtMs = performance.now() + maxMs;
    try {
      await within(this.saved(), maxMs);
    } catch (error) {
      const lost = this.#unwritten();
      if (lost > 0)
        throw storeFailed(
          this.#storeName,
          "close",
          `new messages or records of ${lost === 1 ? "one conversation" : `${lost} conversations`} are lost (${messageOf(error)})`,
          error,
        );
    } finally {
      this.#isClosed = true;
      clearTimeout(this.#timer);
      this.#records.close();
      const closed = this.#closeStore();
      await within(closed, Math.max(LEAST_CLOSE_MS, endsAtMs - performance.now())).catch(() => undefined);
    }
  }

  async #closeStore(): Promise<void> {
    const opening = this.#archive;
    this.#archive = undefined;
    const archive = await opening?.catch(() => undefined);
    // A store that was passed in open is closed by the caller.
    if (typeof this.#options.store === "string") await archive?.store.close();
  }

  /** Returns how many conversations have something unwritten. */
  #unwritten(): number {
    const records = this.#records.waiting.map(({ about: { thread, branch } }) => JSON.stringify([thread, branch]));
    return new Set([...this.#options.unwritten().map(({ thread, branch }) => JSON.stringify([thread, branch])), ...records]).size;
  }

  /** Only the scheme of an address, which may contain a password. */
  get #storeName(): string {
    const { store } = this.#options;
    return typeof store === "string" ? (store.split(":", 1)[0] ?? "") : (store?.name ?? "");
  }

  async #open(store: string | Store): Promise<SessionArchive> {
    const { openStore, redact } = this.#options;
    return new SessionArchive(typeof store === "string" && openStore !== undefined ? await openStore(store) : (store as Store), redact);
  }

  /** Reports a failure of the store, and starts to retry. */
  isAway(error: unknown): void {
    if (this.#isClosed) return;
    const isNew = this.#away === undefined;
    this.#away = { error };
    if (isNew) this.#options.onEvent({ type: "failed", stage: "store", error, sent: "nothing" });
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#retry();
    }, RETRY_MS);
    // The timer alone does not keep the process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  async #retry(): Promise<void> {
    try {
      await within(this.saved());
      // If nothing was waiting, the store has not been asked anything yet.
      await within(this.archive().then((archive) => archive?.store.notes({ kind: "about", limit: 1 })));
      this.#isBack();
    } catch (error) {
      this.isAway(error);
    }
  }

  #isBack(): void {
    if (this.#away === undefined) return;
    this.#away = undefined;
    this.#options.onEvent({ type: "store-back" });
    // Writes what was not written in the meantime.
    void this.saved().catch((error: unknown) => this.isAway(error));
  }
}

class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

async function within<T>(work: Promise<T>, ms = LONGEST_WAIT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`no answer within ${Math.round(ms / 100) / 10} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
