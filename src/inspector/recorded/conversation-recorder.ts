import type { CallRecord, CallRound, CallTotals } from "../../agent/calls/call-record.ts";
import { NO_TOTALS, sumOfTotals } from "../../agent/calls/call-draft.ts";
import { titleOf, type ConversationAbout } from "../../agent/calls/conversation-about.ts";
import { frontiersOf } from "../../agent/front-end/cache-markers.ts";
import { sizeOf } from "../../agent/front-end/message-size.ts";
import { isHiddenTool, runHiddenCalls, type HiddenTools } from "../../agent/thread/hidden-calls.ts";
import { ThreadEvents } from "../../agent/thread/thread-events.ts";
import { Conversation, type ShownView } from "../../conversation/conversation.ts";
import { PolicyRunner } from "../../conversation/policy-runner.ts";
import { compactTool, CONTINUE } from "../../conversation/tools/compact-tool.ts";
import { recallTool } from "../../conversation/tools/recall-tool.ts";
import type { Edit } from "../../edits/edit.ts";
import { firstPlace } from "../../edits/edit-places.ts";
import { ConversationWriter } from "../../history/conversation-writer.ts";
import { blocksOf, isToolUse, textBlock, type Block, type Message } from "../../messages/message.ts";
import { comparePlaces, type Place } from "../../messages/place.ts";
import { parseTarget } from "../../messages/target.ts";
import type { PresetName } from "../../policy/policy-options.ts";
import { parsePolicies } from "../../policy/shortening-options.ts";
import { targetFor } from "../../pricing/target-for.ts";
import { contentId } from "../../replay/replay-head.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import type { Store } from "../../store/store.ts";
import { CallBiller, infoOf, uncachedDollars } from "./call-bill.ts";

export interface RecordedHead {
  readonly system: string;
  readonly tools: readonly object[];
}

export interface RecorderOptions {
  readonly store: Store;
  readonly thread: string;
  readonly branch?: string;
  readonly policy: PresetName | "none";
  readonly tools: HiddenTools;
  readonly head: RecordedHead;
  readonly api: CallRecord["api"];
  readonly path: string;
  readonly client: CallRecord["client"];
  readonly title?: string;
  readonly parent?: Pick<ConversationAbout, "parent" | "parentKind">;
}

/** How long the parts of a request took; missing if unknown. */
export interface Timing {
  readonly ownMs: number;
  readonly firstByteMs: number;
  readonly streamMs: number;
}

export interface CallToRecord {
  readonly model: string;
  readonly atMs: number;
  /** The model's answers, round by round. All calls in all but the last are of hidden tools. */
  readonly answers: readonly ((conversation: Conversation) => Message)[];
  /** One for each answer. */
  readonly timings?: readonly Timing[];
  readonly stopReason?: string;
}

/** A call outside the conversation, such as for a title or a summary. */
export interface SideCall {
  readonly kind: "side" | "compaction";
  readonly model: string;
  readonly atMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly timing?: Timing;
}

/**
 * Writes a conversation as if it had been sent through the proxy: its history, and the records of its calls with what a policy
 * would have done. Costs are estimated from sizes, as a provider with a prompt cache would charge.
 */
export class ConversationRecorder {
  readonly conversation: Conversation;
  readonly #options: RecorderOptions;
  readonly #branch: string;
  readonly #policies: PolicyRunner;
  readonly #writer: ConversationWriter;
  readonly #shown = new CallBiller();
  readonly #full = new CallBiller();
  readonly #headTokens: { readonly system: number; readonly tools: number; readonly added: number };
  readonly #headHash: string;
  readonly #client: Message[] = [];
  #before: readonly Message[] = [];
  #edits: readonly Edit[] = [];
  #arrived: Edit[] = [];
  #sequence = 0;
  #sideCalls = 0;
  #total = NO_TOTALS;
  #beganMs: number | undefined;
  #last: Pick<ConversationAbout, "sentTokens" | "fullTokens"> = { sentTokens: 0, fullTokens: 0 };
  #model: string | undefined;

  private constructor(options: RecorderOptions, writer: ConversationWriter) {
    this.#options = options;
    this.#branch = options.branch ?? "main";
    this.#writer = writer;
    const { system, tools } = options.head;
    this.conversation = new Conversation(parseTarget({}), { id: options.thread, log: [], edits: [], pins: [], seenFrom: 0, steps: [] });
    const policies = options.policy === "none" ? [] : parsePolicies(options.policy, "policy").policies({ thread: options.thread, named: options.tools.recall });
    this.#policies = new PolicyRunner(this.conversation, policies, options.tools.recall);
    this.#headTokens = { system: estimateTokens(system), tools: toolTokens(tools), added: toolTokens(this.#ownTools()) };
    this.#headHash = contentId(JSON.stringify(options.head));
  }

  static async begin(options: RecorderOptions): Promise<ConversationRecorder> {
    const { writer } = await ConversationWriter.open(options.store, { thread: options.thread, branch: options.branch ?? "main" });
    const recorder = new ConversationRecorder(options, writer);
    const { system, tools } = options.head;
    const all = { ...(system === "" ? {} : { system }), tools };
    await options.store.putNotes([{ thread: options.thread, kind: "head", key: recorder.#headHash, at: Date.now(), value: JSON.stringify(all) }]);
    return recorder;
  }

  /** Adds a message that the client sends before the next call. */
  say(message: Message): void {
    const { compact } = this.#options.tools;
    const isOpen = compact && message.role === "user";
    const position = this.conversation.append(isOpen ? { ...message, content: [...blocksOf(message), this.conversation.newCheckpoint()] } : message);
    this.#client.push(message);
    if (message.role === "user") this.#arrived.push(...this.#policies.arrived(position));
  }

  /** Writes the record of a call and the model's answers. */
  async call({ model, atMs, answers, timings, stopReason }: CallToRecord): Promise<void> {
    this.#beganMs ??= atMs;
    this.#model = model;
    const { conversation } = this;
    conversation.target = parseTarget(targetFor(model, { onWarning: () => undefined }));
    const before = this.#edits;
    this.#policies.beforeCall({ model, atMs, headHash: this.#headHash, upTo: conversation.length });
    const upTo = conversation.length;
    const arrived = this.#arrived;
    this.#arrived = [];
    const view = conversation.view();
    const firstChanged = this.#firstChanged(view.messages, view.positions, before);
    const made = newEdits(before, conversation.edits, arrived);
    this.#edits = conversation.edits;
    const { system, tools, added } = this.#headTokens;
    const clientMessages = this.#client.length;
    const client = this.#client.slice();
    const rounds: CallRound[] = [];
    let dollars = 0;
    let clock = 0;
    let sent = 0;
    for (const [number, answer] of answers.entries()) {
      const { messages: shown, positions } = number === 0 ? view : conversation.view();
      const markedEnds = frontiersOf({ messages: shown, positions }, conversation.inForce).slice(0, MOST_FRONTIERS);
      this.#before = shown;
      const message = answer(conversation);
      const outputTokens = Math.max(1, Math.round(sizeOf(message) * infoOf(model).tokenFactor));
      const billed = this.#shown.bill(shown, { model, headTokens: system + tools + added, outputTokens, atMs: atMs + clock, markedEnds });
      dollars += billed.dollars;
      if (number === 0) sent = billed.usage.input + billed.usage.cacheRead + billed.usage.cacheWrite;
      const timing = timings?.[number];
      const beganMs = clock;
      const sentMs = beganMs + (timing?.ownMs ?? 0);
      clock = sentMs + (timing?.firstByteMs ?? 0) + (timing?.streamMs ?? 0);
      const hidden = this.#answered(message, number < answers.length - 1);
      rounds.push({
        status: 200,
        beganMs,
        sentMs,
        ...(timing === undefined ? {} : { firstByteMs: sentMs + timing.firstByteMs, endMs: clock }),
        usage: billed.usage,
        ...(hidden.length === 0 ? {} : { hidden }),
      });
    }
    // Without us there would have been no hidden round.
    const full = this.#full.bill(client, { model, headTokens: system + tools, outputTokens: rounds.at(-1)?.usage?.output ?? 0, atMs });
    const fullTokens = full.usage.input + full.usage.cacheRead + full.usage.cacheWrite;
    const cost = totalsOf(rounds, { dollars, fullTokens, fullDollars: full.dollars });
    this.#total = sumOfTotals(this.#total, cost);
    this.#last = { sentTokens: sent, fullTokens };
    const decision = this.#policies.explain();
    const record: CallRecord = {
      ...this.#frame("conversation", atMs, model),
      streamed: true,
      tokens: { sent, full: fullTokens },
      bytes: { received: 0, sent: 0 },
      upTo,
      end: conversation.length,
      clientMessages,
      head: this.#recordedHead(true),
      edits: made.slice(0, 200).map(({ id }) => id),
      editCount: made.length,
      ...(made.length > 0
        ? {}
        : { nothing: this.#options.policy === "none" ? "no-policy" : decision?.because === "it would not pay" ? "would-not-pay" : "nothing-to-do" }),
      ...(decision === undefined ? {} : { decision }),
      ...(firstChanged === undefined ? {} : { firstChanged }),
      markers: markersOf(view, conversation.inForce),
      rounds,
      ...(stopReason === undefined ? {} : { stopReason }),
      cost,
      total: this.#total,
    };
    // Hidden rounds belong to this call, so their edits are not new in the next.
    this.#edits = conversation.edits;
    await this.#write(record, atMs + clock);
  }

  async side({ kind, model, atMs, inputTokens, outputTokens, timing }: SideCall): Promise<void> {
    this.#beganMs ??= atMs;
    const dollars = uncachedDollars({ model, inputTokens, outputTokens, atMs });
    const uncached = { input: inputTokens, cacheRead: 0, cacheWrite: 0, output: outputTokens };
    const times = timing === undefined ? {} : { firstByteMs: timing.ownMs + timing.firstByteMs, endMs: timing.ownMs + timing.firstByteMs + timing.streamMs };
    const rounds: CallRound[] = [{ status: 200, beganMs: 0, sentMs: timing?.ownMs ?? 0, ...times, usage: uncached }];
    const cost = totalsOf(rounds, { dollars, fullTokens: uncached.input, fullDollars: dollars });
    this.#sideCalls++;
    this.#total = sumOfTotals(this.#total, cost);
    const { length } = this.conversation;
    const record: CallRecord = {
      ...this.#frame(kind, atMs, model),
      streamed: false,
      tokens: { sent: uncached.input, full: uncached.input },
      bytes: { received: 0, sent: 0 },
      upTo: length,
      end: length,
      clientMessages: 0,
      head: this.#recordedHead(false),
      edits: [],
      editCount: 0,
      nothing: kind === "side" ? "no-tools" : "compaction",
      markers: [],
      rounds,
      stopReason: "end_turn",
      cost,
      total: this.#total,
    };
    await this.#write(record, atMs);
  }

  /** Runs hidden calls and returns their records. The client sees neither the calls nor the results. */
  #answered(message: Message, goesOn: boolean): NonNullable<CallRound["hidden"]> {
    const { tools } = this.#options;
    const position = this.conversation.append(message);
    const results = runHiddenCalls(this.conversation, position, { tools, strip: "after-edit", events: new ThreadEvents() });
    const hidden = blocksOf(message)
      .filter(isToolUse)
      .filter(({ name }) => isHiddenTool(name, tools));
    if (!goesOn) {
      this.#client.push(message);
      return [];
    }
    const isCompacted = hidden.every(({ name }) => name === compactTool.name);
    const content: Block[] = [...results, ...(isCompacted ? [textBlock(CONTINUE)] : []), ...(tools.compact ? [this.conversation.newCheckpoint()] : [])];
    this.#policies.arrived(this.conversation.append({ role: "user", content }));
    return hidden.map(({ name, input }, number) => {
      const handle = (input as { readonly handle?: unknown }).handle;
      return { tool: name, ...(typeof handle === "string" ? { handle } : {}), ...(results[number]?.is_error === true ? { isError: true } : {}) };
    });
  }

  #firstChanged(messages: readonly Message[], positions: readonly number[], known: readonly Edit[]): Place | undefined {
    const before = this.#before;
    const differs = before.findIndex((message, number) => message !== messages[number]);
    if (differs === -1) return undefined;
    const isKnown = new Map(known.map((edit) => [edit.id, edit]));
    const places = this.conversation.edits.filter((edit) => isKnown.get(edit.id) !== edit).map(firstPlace);
    return places.sort(comparePlaces)[0] ?? { position: Math.max(0, positions[differs] ?? 0), block: 0 };
  }

  #ownTools(): readonly object[] {
    const { compact, recall } = this.#options.tools;
    return [...(compact ? [compactTool] : []), ...(recall ? [recallTool] : [])];
  }

  #recordedHead(withTools: boolean): CallRecord["head"] {
    const { system, tools } = this.#headTokens;
    const names = this.#ownTools().map((tool) => (tool as { readonly name: string }).name);
    const scaled = (tokens: number): number => Math.round(tokens * infoOf(this.#model ?? "unknown").tokenFactor);
    if (!withTools) return { hash: this.#headHash, systemTokens: 0, toolsTokens: 0, tools: 0, added: [] };
    return { hash: this.#headHash, systemTokens: scaled(system), toolsTokens: scaled(tools), tools: this.#options.head.tools.length, added: names };
  }

  #frame(
    kind: CallRecord["kind"],
    atMs: number,
    model: string,
  ): Pick<
    CallRecord,
    "version" | "kind" | "thread" | "branch" | "owner" | "atMs" | "api" | "model" | "method" | "path" | "client" | "title" | "policy" | "status" | "failures"
  > {
    const { thread, api, path, client, policy } = this.#options;
    return {
      version: 1,
      kind,
      thread,
      branch: this.#branch,
      owner: "local",
      atMs,
      api,
      model,
      method: "POST",
      path,
      client,
      title: this.#title,
      policy,
      status: 200,
      failures: [],
    };
  }

  get #title(): string {
    return this.#options.title ?? titleOf(this.conversation.log.slice(0, 50));
  }

  async #write(record: CallRecord, lastMs: number): Promise<void> {
    const { store, thread, api, client, policy, parent } = this.#options;
    this.#sequence++;
    this.#writer.write(this.conversation);
    await this.#writer.flush();
    const about: ConversationAbout = {
      version: 1,
      thread,
      branch: this.#branch,
      owner: "local",
      title: this.#title,
      api,
      ...(this.#model === undefined ? {} : { model: this.#model }),
      client,
      policy,
      ...parent,
      beganMs: this.#beganMs ?? lastMs,
      lastMs,
      calls: this.#sequence - this.#sideCalls,
      sideCalls: this.#sideCalls,
      messages: this.conversation.length,
      ...this.#last,
      total: this.#total,
      faults: 0,
    };
    const key = `${this.#branch}/${String(this.#sequence).padStart(8, "0")}`;
    await store.putNotes([
      { thread, kind: "call", key, at: record.atMs, value: JSON.stringify(record) },
      { thread, kind: "about", key: this.#branch, at: lastMs, value: JSON.stringify(about) },
    ]);
  }
}

function newEdits(before: readonly Edit[], now: readonly Edit[], arrived: readonly Edit[]): readonly Edit[] {
  if (before === now && arrived.length === 0) return [];
  const known = new Set(before);
  return now.filter((edit) => !known.has(edit));
}

/** Of four markers, one is after the head and one at the end. */
const MOST_FRONTIERS = 2;

function markersOf(view: ShownView, edits: readonly Edit[]): CallRecord["markers"] {
  const ends = [view.positions.length - 1, ...frontiersOf(view, edits).slice(0, MOST_FRONTIERS)];
  const positions = [...new Set(ends.map((end) => view.positions[end] ?? -1))].filter((position) => position >= 0).sort((a, b) => a - b);
  return [{ at: "system" }, ...positions.map((position) => ({ at: { position, block: 0 } }))];
}

function totalsOf(rounds: readonly CallRound[], rest: Pick<CallTotals, "dollars" | "fullTokens" | "fullDollars">): CallTotals {
  const sum = (of: (usage: NonNullable<CallRound["usage"]>) => number): number =>
    rounds.reduce((total, { usage }) => total + (usage === undefined ? 0 : of(usage)), 0);
  return {
    calls: 1,
    requests: rounds.length,
    inputTokens: sum((usage) => usage.input),
    cacheReadTokens: sum((usage) => usage.cacheRead),
    cacheWriteTokens: sum((usage) => usage.cacheWrite),
    outputTokens: sum((usage) => usage.output),
    ...rest,
    unpricedCalls: 0,
  };
}

const sizesOfTools = new WeakMap<object, number>();

function toolTokens(tools: readonly object[]): number {
  return tools.reduce<number>((sum, tool) => {
    const tokens = sizesOfTools.get(tool) ?? estimateTokens(JSON.stringify(tool));
    sizesOfTools.set(tool, tokens);
    return sum + tokens;
  }, 0);
}
