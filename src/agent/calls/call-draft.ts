import type { Decision } from "../../policy/decision.ts";
import type { Edit } from "../../edits/edit.ts";
import type { Place } from "../../messages/place.ts";
import type { Usage } from "../../messages/usage.ts";
import { NO_METRICS, type CallMetrics } from "../front-end/metrics.ts";
import type { CallContext } from "./call-context.ts";
import type { CallKind, CallRecord, CallRound, CallTotals } from "./call-record.ts";

/** A record lists at most this many edits. */
const MOST_EDITS = 200;
/** Clients can send paths of any length. */
const MOST_PATH_CHARS = 500;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** What becomes known when the call is over. */
export interface CallEnd {
  readonly thread: string;
  readonly branch: string;
  readonly upTo: number;
  readonly end: number;
  readonly tokens: CallRecord["tokens"];
  readonly metrics: CallMetrics;
  readonly total: CallTotals;
  readonly decision: Decision | undefined;
}

/** Collects the record of a call in progress. */
export class CallDraft {
  readonly #context: CallContext;
  readonly #startedMs: number;
  readonly #atMs: number;
  readonly #rounds: Writable<CallRound>[] = [];
  readonly #failures: CallRecord["failures"][number][] = [];
  readonly #edits: string[] = [];
  #editCount = 0;
  kind: CallKind = "unread";
  model: string | undefined;
  title: string | undefined;
  policy: string | undefined;
  streamed = false;
  clientMessages = 0;
  head: CallRecord["head"] = { hash: "", systemTokens: 0, toolsTokens: 0, tools: 0, added: [] };
  nothing: string | undefined;
  firstChanged: Place | undefined;
  markers: CallRecord["markers"] = [];
  stopReason: string | undefined;

  /** `startedMs`: in the time of `performance.now`. */
  constructor(context: CallContext, startedMs: number = performance.now()) {
    this.#context = context;
    this.#startedMs = startedMs;
    this.#atMs = Math.round(Date.now() - (performance.now() - startedMs));
  }

  get editCount(): number {
    return this.#editCount;
  }

  /** Notes that a request is sent. `retry`: why it is sent again. */
  sent(retry?: string): void {
    const now = this.#now();
    const beganMs = this.#rounds.at(-1)?.endMs ?? 0;
    this.#rounds.push({ status: 0, beganMs, sentMs: now, ...(retry === undefined ? {} : { retry }) });
  }

  /** Notes that its answer has begun. */
  begun(status: number): void {
    const round = this.#rounds.at(-1);
    if (round !== undefined) Object.assign(round, { status, firstByteMs: this.#now() });
  }

  /** Notes that its answer is complete. */
  ended(usage: Usage | undefined, hidden: CallRound["hidden"] = []): void {
    const round = this.#rounds.at(-1);
    if (round === undefined) return;
    round.endMs = this.#now();
    if (usage !== undefined) {
      const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
      round.usage = {
        input: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
        cacheRead: cacheReadTokens,
        cacheWrite: cacheWriteTokens,
        output: outputTokens,
      };
    }
    if (hidden.length > 0) round.hidden = hidden;
  }

  /** Notes a call that was passed through and is over. */
  passed({ firstByteMs, endMs, ...round }: CallRound): void {
    this.#rounds.push({ ...round, ...(firstByteMs === undefined ? {} : { firstByteMs: hundredths(firstByteMs) }), endMs: hundredths(endMs ?? 0) });
  }

  edited(edits: readonly Edit[]): void {
    this.#editCount += edits.length;
    for (const { id } of edits) if (this.#edits.length < MOST_EDITS) this.#edits.push(id);
  }

  failed(stage: string, error: unknown, sent?: string): void {
    this.#failures.push({ stage, message: messageOf(error), ...(sent === undefined ? {} : { sent }) });
  }

  /** The status that the client got. A stream that has begun keeps its status, whatever happens to a later round. */
  get #status(): number {
    const begun = this.streamed ? this.#rounds.find(({ status }) => status >= 200 && status < 300) : undefined;
    return (begun ?? this.#rounds.at(-1))?.status ?? 0;
  }

  record(api: CallRecord["api"], end: CallEnd): CallRecord {
    const { owner, client, bytes, method, path } = this.#context;
    const { metrics, decision, ...rest } = end;
    return {
      version: 1,
      kind: this.kind,
      owner,
      atMs: this.#atMs,
      api,
      ...(this.model === undefined ? {} : { model: this.model }),
      ...(method === undefined ? {} : { method }),
      ...(path === undefined ? {} : { path: path.slice(0, MOST_PATH_CHARS) }),
      client,
      ...(this.title === undefined ? {} : { title: this.title }),
      ...(this.policy === undefined ? {} : { policy: this.policy }),
      status: this.#status,
      streamed: this.streamed,
      bytes: bytes(),
      clientMessages: this.clientMessages,
      head: this.head,
      edits: this.#edits,
      editCount: this.#editCount,
      ...(this.nothing === undefined ? {} : { nothing: this.nothing }),
      ...(decision === undefined ? {} : { decision }),
      ...(this.firstChanged === undefined ? {} : { firstChanged: this.firstChanged }),
      markers: this.markers,
      rounds: this.#rounds,
      ...(this.stopReason === undefined ? {} : { stopReason: this.stopReason }),
      failures: this.#failures,
      cost: totalsOf(metrics),
      ...rest,
    };
  }

  #now(): number {
    return hundredths(performance.now() - this.#startedMs);
  }
}

function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}

export const NO_TOTALS: CallTotals = totalsOf(NO_METRICS);

export function totalsOf({ inputTokens, cacheReadTokens, cacheWriteTokens, dollarsSaved: _, ...metrics }: CallMetrics): CallTotals {
  return { ...metrics, inputTokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens), cacheReadTokens, cacheWriteTokens };
}

export function sumOfTotals(a: CallTotals, b: CallTotals): CallTotals {
  return Object.fromEntries(Object.entries(a).map(([name, value]) => [name, (value as number) + b[name as keyof CallTotals]])) as unknown as CallTotals;
}

/** Cut to about a line, so that no error can carry a whole request into the record. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}
