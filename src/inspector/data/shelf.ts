import type { CallRecord } from "../../agent/calls/call-record.ts";
import { HEAD, HEAD_PART, openHead } from "../../agent/calls/head-parts.ts";
import type { ConversationAbout } from "../../agent/calls/conversation-about.ts";
import type { Edit } from "../../edits/edit.ts";
import { BranchLog } from "../../history/branch-log.ts";
import type { BranchState } from "../../history/branch-state.ts";
import { TaskQueue } from "../../history/task-queue.ts";
import type { Message } from "../../messages/message.ts";
import type { ConversationRef, ConversationRow } from "../answers.ts";
import type { Note, Store } from "../../store/store.ts";
import { CallIndex, readRecord, type IndexedCall } from "./call-index.ts";
import { callKey } from "./call-key.ts";
import { LeastRecent } from "./least-recent.ts";

/** Conversations kept open at a time: each may hold megabytes. */
const MOST_OPEN = 6;
const SPARK_POINTS = 28;
const PARTS_AT_A_TIME = 500;

/** Where a page of conversations ended. */
export type AboutCursor = Pick<Note, "thread" | "key" | "at">;

/** A conversation as its history holds it. */
export interface StoredConversation {
  readonly log: readonly Message[];
  readonly edits: readonly Edit[];
  readonly state: BranchState;
}

/** The conversations of one store, read only as far as they are needed. */
export class Shelf {
  readonly store: Store;
  readonly isDemo: boolean;
  readonly #logs = new LeastRecent<BranchLog>(MOST_OPEN);
  readonly #calls = new LeastRecent<CallIndex>(MOST_OPEN * 4);
  readonly #sparks = new LeastRecent<{ readonly calls: number; readonly spark: ConversationRow["spark"] }>(1_000);

  constructor(store: Store, isDemo = false) {
    this.store = store;
    this.isDemo = isDemo;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.store.notes({ kind: "about", limit: 1 })).length === 0;
  }

  async about({ thread, branch }: ConversationRef): Promise<ConversationAbout | undefined> {
    const [note] = await this.store.notes({ kind: "about", thread, keys: [branch], limit: 1 });
    return note === undefined ? undefined : readAbout(note.value);
  }

  /** Newest first. */
  async abouts(limit: number, after?: AboutCursor): Promise<readonly { readonly about: ConversationAbout; readonly cursor: AboutCursor }[]> {
    const notes = await this.store.notes({ kind: "about", newestFirst: true, limit, ...(after === undefined ? {} : { after }) });
    return notes.flatMap((note) => {
      const about = readAbout(note.value);
      return about === undefined ? [] : [{ about, cursor: { thread: note.thread, key: note.key, at: note.at } }];
    });
  }

  async row(about: ConversationAbout): Promise<ConversationRow> {
    const { version: _, owner: _owner, ...rest } = about;
    return { ...rest, isDemo: this.isDemo, spark: await this.#sparkOf(about) };
  }

  async record({ thread, branch }: ConversationRef, sequence: number): Promise<CallRecord | undefined> {
    const [note] = await this.store.notes({ kind: "call", thread, keys: [callKey(branch, sequence)], limit: 1 });
    return note === undefined ? undefined : readRecord(note.value);
  }

  /** System, tools and settings of a request. */
  async head({ thread }: ConversationRef, hash: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const [note] = await this.store.notes({ kind: HEAD, thread, keys: [hash], limit: 1 });
    return note === undefined ? undefined : openHead(note.value, (hashes) => this.#headParts(thread, hashes));
  }

  async #headParts(thread: string, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const parts = new Map<string, string>();
    for (let from = 0; from < hashes.length; from += PARTS_AT_A_TIME) {
      const notes = await this.store.notes({ kind: HEAD_PART, thread, keys: hashes.slice(from, from + PARTS_AT_A_TIME) });
      for (const { key, value } of notes) parts.set(key, value);
    }
    return parts;
  }

  calls(ref: ConversationRef): Promise<readonly IndexedCall[]> {
    const key = keyOf(ref);
    return (this.#calls.get(key) ?? this.#calls.set(key, new CallIndex(this.store, ref))).read();
  }

  conversation(ref: ConversationRef): Promise<StoredConversation> {
    const key = keyOf(ref);
    const log = this.#logs.get(key) ?? this.#logs.set(key, new BranchLog(this.store, { thread: ref.thread, branch: ref.branch }, new TaskQueue()));
    return log.read((state) => ({ log: state.messages, edits: state.edits, state }));
  }

  async #sparkOf({ thread, branch, calls, sideCalls }: ConversationAbout): Promise<ConversationRow["spark"]> {
    const key = keyOf({ thread, branch });
    const total = calls + sideCalls;
    const known = this.#sparks.get(key);
    if (known?.calls === total) return known.spark;
    const step = Math.max(1, (total - 1) / (SPARK_POINTS - 1));
    const wanted = new Set(Array.from({ length: Math.min(total, SPARK_POINTS) }, (_, number) => Math.round(1 + number * step)));
    const notes = await this.store.notes({ kind: "call", thread, keys: [...wanted].map((sequence) => callKey(branch, sequence)), limit: SPARK_POINTS });
    const records = notes.flatMap(({ value }) => readRecord(value) ?? []).filter(({ kind }) => kind === "conversation");
    const spark = { sent: records.map(({ tokens }) => tokens.sent), full: records.map(({ tokens }) => tokens.full) };
    this.#sparks.set(key, { calls: total, spark });
    return spark;
  }
}

export function keyOf({ thread, branch }: ConversationRef): string {
  return `${thread}\n${branch}`;
}

function readAbout(value: string): ConversationAbout | undefined {
  try {
    const about = JSON.parse(value) as ConversationAbout;
    return (about as { readonly version: number }).version === 1 ? about : undefined;
  } catch {
    return undefined;
  }
}
