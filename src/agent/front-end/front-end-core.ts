import { CallDraft, sumOfTotals, NO_TOTALS, totalsOf } from "../calls/call-draft.ts";
import { BESIDE, NO_CONTEXT, type ConversationHints } from "../calls/call-context.ts";
import type { ConversationAbout } from "../calls/conversation-about.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { PassedCall } from "../calls/passed-call.ts";
import type { ParsedFrontEndOptions } from "./front-end-options.ts";
import { NO_METRICS, sumOfMetrics, type CallMeter, type CallMetrics } from "./metrics.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { Saving, type OpenStore, type ReadStore } from "./saving.ts";
import type { Session } from "./session.ts";
import { SessionFinder } from "./session-finder.ts";
import { Sessions } from "./sessions.ts";

/** What is known about a call when it is over. */
export interface FinishedCall {
  readonly api: CallRecord["api"];
  readonly session: Session | undefined;
  readonly isCopy: boolean;
  readonly owner: string;
  readonly hints: ConversationHints;
  readonly upTo: number;
  readonly meter: Pick<CallMeter, "metrics" | "tokens">;
}

/** Owners are kept apart. The owner of this machine needs no name. */
function besideOf(owner: string): string {
  return owner === NO_CONTEXT.owner ? BESIDE : `${BESIDE}-${owner}`;
}

/** What all calls of a front end share: the conversations, their store, and the metrics. */
export class FrontEndCore {
  readonly options: ParsedFrontEndOptions;
  readonly sessions: Sessions;
  readonly finder: SessionFinder;
  readonly keptAnswers: KeptAnswers;
  readonly saving: Saving;
  /** Models whose provider refuses a request for the usage of a stream. */
  readonly asksNoUsage: Set<string> = new Set();
  readonly #abouts = new WeakMap<Session, ConversationAbout>();
  /** By owner. */
  readonly #besides = new Map<string, ConversationAbout>();
  #lastBeside = 0;
  #total: CallMetrics = NO_METRICS;

  constructor(options: ParsedFrontEndOptions, openStore: OpenStore | undefined) {
    this.options = options;
    this.saving = new Saving({
      store: options.store,
      openStore,
      redact: options.redact,
      onEvent: options.onEvent,
      keepers: (archive) => this.sessions.all.flatMap((session) => this.sessions.keep(session, archive) ?? []),
      unwritten: () =>
        this.sessions.all.filter((session) => this.sessions.keeperOf(session)?.isBehind !== false).map((session) => this.sessions.placeOf(session)),
      isEmpty: () => this.sessions.all.length === 0,
    });
    const reading: ReadStore = (read) => this.saving.reading(read);
    this.sessions = new Sessions(options.maxMemoryMb);
    this.finder = new SessionFinder(options, this.sessions, reading);
    this.keptAnswers = new KeptAnswers(this.sessions, this.finder, reading, (error) =>
      options.onEvent({ type: "failed", stage: "store", error, sent: "nothing" }),
    );
  }

  get metrics(): CallMetrics {
    return this.#total;
  }

  answered(thread: string, metrics: CallMetrics): void {
    this.#total = sumOfMetrics(this.#total, metrics);
    this.options.onEvent({ type: "answered", thread, metrics });
  }

  /** Before a request: writes what a later view needs and the client does not send again. Its own messages are written with the answer. */
  async saveDecisions(session: Session, head: { readonly hash: string; readonly read: () => object }): Promise<void> {
    if (this.sessions.keeperOf(session)?.lacksDecisions !== false) await this.save(session, head);
  }

  /** Writes what is new in a conversation, if there is a store. Waits for it, but not for long. */
  async save(session: Session, head: { readonly hash: string; readonly read: () => object }): Promise<void> {
    if (!this.saving.isKept) return;
    session.heads.add(head.hash, head.read);
    let keeper = this.sessions.keeperOf(session);
    if (keeper === undefined) {
      try {
        const archive = await this.saving.reading((opened) => Promise.resolve(opened));
        if (archive !== undefined) keeper = this.sessions.keep(session, archive);
      } catch (error) {
        this.saving.isAway(error);
      }
    }
    if (keeper !== undefined) await this.saving.save(keeper);
  }

  /** Returns what is known about a conversation and its calls. Undefined: no call is over yet. */
  aboutOf(session: Session): ConversationAbout | undefined {
    return this.#abouts.get(session) ?? session.aboutBefore;
  }

  /** Records a call that was not read: its contents and cost are unknown. */
  passed({ api, context, nothing, requests, status, totalMs, firstByteMs }: PassedCall): void {
    const draft = new CallDraft(context, performance.now() - totalMs);
    draft.nothing = nothing;
    if (requests > 0) draft.passed({ status, beganMs: 0, sentMs: 0, endMs: totalMs, ...(firstByteMs === undefined ? {} : { firstByteMs }) });
    const meter = { tokens: { sent: 0, full: 0 }, metrics: () => ({ ...NO_METRICS, calls: 1, requests, unpricedCalls: 1 }) };
    this.finish(draft, { api, session: undefined, isCopy: false, owner: context.owner, hints: context.hints, upTo: 0, meter });
  }

  finish(draft: CallDraft, call: FinishedCall): void {
    const metrics = call.meter.metrics();
    const session = call.isCopy || call.session === undefined ? this.sessions.namedLike(call.hints, call.owner, call.session) : call.session;
    const before = session === undefined ? this.#besides.get(call.owner) : this.aboutOf(session);
    const place = session === undefined ? { thread: besideOf(call.owner), branch: "main" } : this.sessions.placeOf(session);
    const isOwn = session !== undefined && session === call.session;
    const total = sumOfTotals(before?.total ?? NO_TOTALS, totalsOf(metrics));
    const { tokens } = call.meter;
    const record: CallRecord = draft.record(call.api, {
      ...place,
      upTo: isOwn ? call.upTo : 0,
      end: isOwn ? session.conversation.length : 0,
      tokens,
      metrics,
      total,
      decision: isOwn ? session.decision : undefined,
    });
    const about = this.#aboutNow(record, session, before, isOwn);
    if (session === undefined) this.#besides.set(call.owner, about);
    else this.#abouts.set(session, about);
    const sequence = session === undefined ? this.#nextBeside(record.atMs) : about.calls + about.sideCalls;
    this.sessions.evict();
    this.saving.record({ about, sequence, record, keeper: session === undefined ? undefined : (archive) => this.sessions.keep(session, archive) });
    this.options.onEvent({ type: "called", record });
  }

  /** Calls outside of conversations are numbered by time, because several processes may write them. Two in the same moment get different numbers. */
  #nextBeside(atMs: number): number {
    return (this.#lastBeside = Math.max(atMs, this.#lastBeside + 1));
  }

  #aboutNow(record: CallRecord, session: Session | undefined, before: ConversationAbout | undefined, isOwn: boolean): ConversationAbout {
    const { thread, branch, owner, api, client, model, policy, tokens, atMs, total } = record;
    const parent = parentOf(session);
    const shown = isOwn || before === undefined ? tokens : { sent: before.sentTokens, full: before.fullTokens };
    const named = isOwn || before === undefined ? { api, client, ...(model === undefined ? {} : { model }), ...(policy === undefined ? {} : { policy }) } : {};
    return {
      ...before,
      version: 1,
      thread,
      branch,
      owner,
      title:
        session === undefined ? "Calls outside of any conversation" : before?.title === undefined || before.title === "" ? (record.title ?? "") : before.title,
      api,
      client,
      ...named,
      ...parent,
      beganMs: before?.beganMs ?? atMs,
      lastMs: Date.now(),
      calls: (before?.calls ?? 0) + (isOwn ? 1 : 0),
      sideCalls: (before?.sideCalls ?? 0) + (isOwn ? 0 : 1),
      messages: session?.conversation.length ?? 0,
      sentTokens: shown.sent,
      fullTokens: shown.full,
      total,
      faults: (before?.faults ?? 0) + (record.failures.length > 0 ? 1 : 0),
    };
  }
}

/** Reads the branch late, because the parent may get another one until it is written. */
function parentOf(session: Session | undefined): Pick<ConversationAbout, "parent" | "parentKind"> {
  const parent = session?.origin.parent;
  if (parent === undefined) return {};
  return {
    parent: {
      thread: parent.thread,
      get branch() {
        return parent.branch;
      },
    },
    parentKind: parent.kind,
  };
}
