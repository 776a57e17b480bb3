import type { CallRecord } from "../../agent/calls/call-record.ts";
import { modelInfo } from "../../pricing/model-info.ts";
import type { CallPoint, ConversationRef, Mark } from "../answers.ts";
import type { Store } from "../../store/store.ts";
import { callKey, sequenceOf } from "./call-key.ts";

const PAGE = 1_000;

/** A call's point, and what the sums of the conversation need, so that records are read only once. */
export interface IndexedCall {
  readonly point: CallPoint;
  readonly upTo: number;
  readonly end: number;
  readonly rewrittenTokens: number;
  /** The cost of rounds that the client did not see. */
  readonly hiddenDollars: number;
  readonly recalls: number;
}

/** The calls of one conversation, in order. Reads new records when asked. */
export class CallIndex {
  readonly #store: Store;
  readonly #ref: ConversationRef;
  #calls: IndexedCall[] = [];
  #reading: Promise<readonly IndexedCall[]> | undefined;

  constructor(store: Store, ref: ConversationRef) {
    this.#store = store;
    this.#ref = ref;
  }

  read(): Promise<readonly IndexedCall[]> {
    this.#reading ??= this.#catchUp().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #catchUp(): Promise<readonly IndexedCall[]> {
    const { thread, branch } = this.#ref;
    const prefix = `${branch}/`;
    const [first] = await this.#store.notes({ kind: "call", thread, prefix, limit: 1 });
    // Retention has removed the oldest calls.
    if (first === undefined || sequenceOf(first.key) !== (this.#calls[0]?.point.sequence ?? sequenceOf(first.key))) this.#calls = [];
    for (;;) {
      const last = this.#calls.at(-1)?.point.sequence;
      const after = last === undefined ? {} : { after: { thread, key: callKey(branch, last), at: 0 } };
      const notes = await this.#store.notes({ kind: "call", thread, prefix, limit: PAGE, ...after });
      const added: IndexedCall[] = [];
      for (const { key, value } of notes) {
        const record = readRecord(value);
        const before = added.findLast(isOfConversation) ?? this.#calls.findLast(isOfConversation);
        if (record !== undefined) added.push(indexed(sequenceOf(key), record, before?.point));
      }
      // A new array, because callers may still hold the old one.
      if (added.length > 0) this.#calls = [...this.#calls, ...added];
      if (notes.length < PAGE) return this.#calls;
    }
  }
}

function isOfConversation({ point }: IndexedCall): boolean {
  return point.kind === "conversation";
}

/** Returns undefined for a record of an unknown version. */
export function readRecord(value: string): CallRecord | undefined {
  try {
    const record = JSON.parse(value) as CallRecord;
    return (record as { readonly version: number }).version === 1 ? record : undefined;
  } catch {
    return undefined;
  }
}

const BATCHES: readonly string[] = ["it pays", "the cache is cold", "over the limit", "the floor is above the limit"];

function indexed(sequence: number, record: CallRecord, before: CallPoint | undefined): IndexedCall {
  const { decision, rounds, upTo, end } = record;
  const removes = decision !== undefined && decision.removedTokens > 0 && BATCHES.includes(decision.because);
  const hidden = rounds.flatMap((round) => round.hidden ?? []);
  const share = rounds.length > 1 ? (rounds.length - 1) / rounds.length : 0;
  return {
    point: pointOf(sequence, record, before, removes),
    upTo,
    end,
    rewrittenTokens: removes ? decision.rewrittenTokens : 0,
    hiddenDollars: hidden.length === 0 ? 0 : record.cost.dollars * share,
    recalls: hidden.filter(({ tool }) => tool === "recall").length,
  };
}

function pointOf(sequence: number, record: CallRecord, before: CallPoint | undefined, removes: boolean): CallPoint {
  const { kind, atMs, model, status, tokens, rounds, cost, editCount, nothing, decision, failures, firstChanged } = record;
  const usage = rounds.find((round) => round.usage !== undefined)?.usage;
  const hidden = rounds.flatMap((round) => round.hidden ?? []);
  const endMs = rounds.at(-1)?.endMs;
  const pauseMs = before === undefined || kind !== "conversation" ? undefined : pauseBetween(before.atMs, atMs, model);
  const marks: Mark[] = [
    ...(failures.length > 0 ? (["fault"] as const) : []),
    ...(kind === "compaction" || hidden.some(({ tool }) => tool === "compact") ? (["compaction"] as const) : []),
    ...(removes || (firstChanged !== undefined && editCount > 0) ? (["batch"] as const) : []),
    ...(hidden.some(({ tool }) => tool === "recall") ? (["recall"] as const) : []),
    ...(pauseMs === undefined ? [] : (["pause"] as const)),
  ];
  return {
    sequence,
    kind,
    atMs,
    ...(model === undefined ? {} : { model }),
    status,
    sent: tokens.sent,
    full: tokens.full,
    read: usage?.cacheRead ?? 0,
    written: usage?.cacheWrite ?? 0,
    uncached: usage?.input ?? 0,
    output: cost.outputTokens,
    dollars: cost.dollars,
    fullDollars: cost.fullDollars,
    ...(endMs === undefined ? {} : { ms: endMs }),
    edits: editCount,
    marks,
    ...(pauseMs === undefined ? {} : { pauseMs }),
    ...(nothing === undefined ? {} : { nothing }),
    ...(decision === undefined ? {} : { because: decision.because }),
  };
}

/** Returns the pause if it is longer than the cache lifetime of the model. */
function pauseBetween(beforeMs: number, atMs: number, model: string | undefined): number | undefined {
  const livesMs = cacheLifeOf(model);
  return livesMs !== undefined && atMs - beforeMs > livesMs ? atMs - beforeMs : undefined;
}

export function cacheLifeOf(model: string | undefined): number | undefined {
  if (model === undefined || model.trim() === "") return undefined;
  const { cache } = modelInfo(model, { onWarning: () => undefined });
  return cache.kind === "prefix" ? cache.idleMs : cache.ttlMs[cache.defaultTtl];
}
