import { invalid } from "../../errors/palimpsest-error.ts";
import { storeFailed } from "../../store/store-failed.ts";
import type { Note, Store } from "../../store/store.ts";
import type { ConversationAbout } from "../calls/conversation-about.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { FrontEndEvent } from "./front-end-event.ts";
import { numbered, SessionArchive, type Place } from "./session-archive.ts";
import { redactedJson, type Redact } from "./redaction.ts";
import type { SessionKeeper } from "./session-keeper.ts";

/** A call does not wait longer for its store: it goes on from memory. */
const LONGEST_WAIT_MS = 2_000;
/** Nor does a process that ends: whoever is told to be quick closes within this time, and whoever has a limit of its own says so. */
const LONGEST_CLOSE_MS = 5_000;
const LEAST_CLOSE_MS = 100;
/** Nor for a whole conversation that is read from it. */
const LONGEST_READ_MS = 5_000;
/** How often a store that is away is tried. */
const RETRY_MS = 1_000;
const STORE_ADDRESS = /^(memory$|sqlite:.|postgres(ql)?:\/\/)/s;
/** Conversations that are looked at together. */
const PAGE = 500;
/** Records of calls that end within this time are written together. */
const TOGETHER_MS = 20;
/** Records that wait for a store that is away; the oldest go first. */
const MOST_WAITING = 10_000;

/** Asks a store that may hang, or not be there. */
export type ReadStore = <T>(read: (archive: SessionArchive) => Promise<T>) => Promise<T | undefined>;

export type OpenStore = (address: string) => Promise<Store>;

export interface SavingOptions {
  readonly store: string | Store | undefined;
  /** Undefined: this runtime can open none by its address. */
  readonly openStore: OpenStore | undefined;
  /** What becomes of every text before it is stored. */
  readonly redact: Redact | undefined;
  readonly onEvent: (event: FrontEndEvent) => void;
  /** What is in memory and may be behind the store. */
  readonly keepers: (archive: SessionArchive) => readonly SessionKeeper[];
  /** Where conversations are that have something that is not written yet. */
  readonly behind: () => readonly Place[];
  /** There is none in memory. */
  readonly isEmpty: () => boolean;
}

/** What is known of a call that is over. */
export interface FinishedRecord {
  readonly about: ConversationAbout;
  readonly sequence: number;
  readonly record: CallRecord;
  /** What keeps its conversation, which knows the branch that this gets. Undefined: it belongs to none, and is where the record says. */
  readonly keeper: ((archive: SessionArchive) => SessionKeeper | undefined) | undefined;
}

/** What is under way to a store, and whether it is there at all. */
export class Saving {
  readonly #options: SavingOptions;
  #archive: Promise<SessionArchive | undefined> | undefined;
  /** Why it is away. */
  #away: { readonly error: unknown } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Records that are not written yet. */
  #waiting: FinishedRecord[] = [];
  #writing: Promise<void> = Promise.resolve();
  #wroteAtMs = 0;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: SavingOptions) {
    const { store, openStore } = options;
    this.#options = options;
    if (typeof store !== "string") return;
    if (openStore === undefined || !STORE_ADDRESS.test(store)) {
      const expected = openStore === undefined ? "a store that is open: this runtime opens none by its address" : '"memory", "sqlite:PATH" or "postgres://…"';
      // There may be a password in it.
      throw invalid("INVALID_OPTION", "options.store", expected, store.split(":", 1)[0]);
    }
    // Whoever has mistyped an address hears of it before the first call.
    this.archive().catch((error: unknown) => this.isAway(error));
  }

  get isKept(): boolean {
    return this.#options.store !== undefined;
  }

  /** Undefined: there is no store. Rejected: it cannot be opened now. */
  archive(): Promise<SessionArchive | undefined> {
    // Once it is closed, calls go on from memory.
    if (this.#options.store === undefined || this.#isClosed) return Promise.resolve(undefined);
    const opening = (this.#archive ??= this.#open(this.#options.store));
    // The next one tries again.
    opening.catch(() => {
      if (this.#archive === opening) this.#archive = undefined;
    });
    return within(opening);
  }

  /** Undefined: there is no store, or it does not answer. Whoever hangs is not asked again before it is back. */
  async reading<T>(read: (archive: SessionArchive) => Promise<T>): Promise<T | undefined> {
    if (this.#away?.error instanceof NoAnswer) return undefined;
    try {
      const archive = await this.archive();
      return archive === undefined ? undefined : await within(this.#readAfterWrites(archive, read), LONGEST_READ_MS);
    } catch (error) {
      // What was asked just before it was closed.
      if (this.#isClosed) return undefined;
      if (!(error instanceof NoAnswer)) throw error;
      this.isAway(error);
      return undefined;
    }
  }

  /** Undefined: all is well. */
  whyNotReady(): string | undefined {
    return this.#away === undefined ? undefined : `the store is away (${wordsOf(this.#away.error)}); calls go on from memory`;
  }

  /** Waits until it is written, but no longer than a call should. */
  async save(keeper: SessionKeeper): Promise<void> {
    if (this.#isClosed) return;
    const saving = keeper.save().then(
      () => this.#isBack(),
      (error: unknown) => this.isAway(error),
    );
    if (this.#away !== undefined) return;
    await within(saving).catch((error: unknown) => this.isAway(error));
  }

  /** Does not wait. */
  record(finished: FinishedRecord): void {
    if (!this.isKept || this.#isClosed) return;
    this.#waiting.push(finished);
    if (this.#waiting.length > MOST_WAITING) this.#waiting = this.#waiting.slice(-MOST_WAITING);
    // A single call's is written at once; those of many calls together.
    if (Date.now() - this.#wroteAtMs >= TOGETHER_MS) void this.#write();
    else this.#soon ??= setTimeout(() => void this.#write(), TOGETHER_MS);
  }

  /** Fulfilled when all is durable. */
  async saved(): Promise<void> {
    if (!this.isKept || this.#isClosed) return;
    const isNothing = this.#options.isEmpty() && this.#waiting.length === 0;
    const archive = isNothing ? undefined : await this.archive();
    const behind = archive === undefined ? [] : this.#options.keepers(archive).filter(({ isBehind }) => isBehind);
    // One that cannot be written is no reason to lose the others.
    const outcomes = await Promise.allSettled([...behind.map((keeper) => keeper.save()), this.#write(true)]);
    const failed = outcomes.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  /** Takes away what was last used before this time: threads of conversations, and records of calls. What others keep in the store stays. */
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

  /** What is read may be what is still waiting here: the records say how many calls there were. */
  async #readAfterWrites<T>(archive: SessionArchive, read: (archive: SessionArchive) => Promise<T>): Promise<T> {
    if (this.#away === undefined) await this.#write();
    return read(archive);
  }

  /** Waits until all is durable and the store is closed, but not for longer. Rejected: what is not written by then is lost. */
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
          `what is new in ${lost === 1 ? "one conversation" : `${lost} conversations`} is lost (${wordsOf(error)})`,
          error,
        );
    } finally {
      this.#isClosed = true;
      clearTimeout(this.#timer);
      clearTimeout(this.#soon);
      const closed = this.#closeStore();
      await within(closed, Math.max(LEAST_CLOSE_MS, endsAtMs - performance.now())).catch(() => undefined);
    }
  }

  async #closeStore(): Promise<void> {
    const opening = this.#archive;
    this.#archive = undefined;
    const archive = await opening?.catch(() => undefined);
    // A store that was given open is the caller's to close.
    if (typeof this.#options.store === "string") await archive?.store.close();
  }

  /** How many conversations have something that is in no store. */
  #unwritten(): number {
    const records = this.#waiting.map(({ about: { thread, branch } }) => JSON.stringify([thread, branch]));
    return new Set([...this.#options.behind().map(({ thread, branch }) => JSON.stringify([thread, branch])), ...records]).size;
  }

  /** An address may hold a password. */
  get #storeName(): string {
    const { store } = this.#options;
    return typeof store === "string" ? (store.split(":", 1)[0] ?? "") : (store?.name ?? "");
  }

  async #open(store: string | Store): Promise<SessionArchive> {
    const { openStore, redact } = this.#options;
    return new SessionArchive(typeof store === "string" && openStore !== undefined ? await openStore(store) : (store as Store), redact);
  }

  /** One write after the other, each with all that waits. */
  #write(throws = false): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#wroteAtMs = Date.now();
    const write = async (): Promise<void> => {
      const finished = [...this.#waiting];
      if (finished.length === 0) return;
      try {
        const archive = await this.archive();
        if (archive !== undefined) await archive.store.putNotes(await this.#notesOf(finished, archive));
        const written = new Set(finished);
        this.#waiting = this.#waiting.filter((one) => !written.has(one));
        this.#isBack();
      } catch (error) {
        this.isAway(error);
        throw error;
      }
    };
    const written = this.#writing.then(write);
    this.#writing = written.catch(() => undefined);
    return throws ? written : this.#writing;
  }

  /** Of what is known of a conversation, the last is enough. */
  async #notesOf(finished: readonly FinishedRecord[], archive: SessionArchive): Promise<Note[]> {
    const { redact } = this.#options;
    const calls: Note[] = [];
    const abouts = new Map<string, Note>();
    const places = new Map<SessionKeeper | undefined, Place | undefined>();
    for (const { about, sequence, record, keeper } of finished) {
      const kept = keeper?.(archive);
      if (!places.has(kept)) places.set(kept, await kept?.settle());
      const { thread, branch } = places.get(kept) ?? about;
      const at = about.lastMs;
      calls.push({ thread, kind: "call", key: numbered(branch, sequence), at, value: redactedJson({ ...record, branch }, redact) });
      abouts.set(JSON.stringify([thread, branch]), { thread, kind: "about", key: branch, at, value: redactedJson({ ...about, branch }, redact) });
    }
    return [...calls, ...abouts.values()];
  }

  /** The store did not do what it should. */
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
    // Nobody stays alive only to wait for it.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  async #retry(): Promise<void> {
    try {
      await within(this.saved());
      // Where nothing waits, nobody has asked it anything.
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
    // What others have left behind meanwhile.
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

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
