import { Conversation } from "../conversation/conversation.ts";
import type { Recalled } from "../conversation/recall.ts";
import { recallIn } from "../conversation/recallable.ts";
import type { RecallInput, RecallOptions } from "../conversation/tools/recall-tool.ts";
import type { CallStep, Compacted } from "../conversation/compactor.ts";
import type { Edit } from "../edits/edit.ts";
import { makeEdits } from "../edits/make-edits.ts";
import { report, type ViewReport } from "../edits/report.ts";
import { isRecord } from "../errors/is-record.ts";
import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Message } from "../messages/message.ts";
import { parseTarget, type Target } from "../messages/target.ts";
import { inWords, type Decision } from "../policy/decision.ts";
import type { Step } from "../policy/step.ts";
import { parsePolicy, type ParsedPolicy, type PolicyOptions } from "../policy/policy-options.ts";
import { PresetPolicy } from "../policy/preset-policy.ts";
import { targetFor } from "../pricing/target-for.ts";
import type { ReportedUsage } from "../stateless/input-tokens-of.ts";
import { openStore } from "../store/open-store.ts";
import type { BranchRef, Store } from "../store/store.ts";
import { answeredView } from "./answered-view.ts";
import { BranchLog } from "./branch-log.ts";
import type { BranchState } from "./branch-state.ts";
import type { CommitChain } from "./commit-chain.ts";
import { addEdits } from "./commit-edits.ts";
import { decisiveStep, type DecisiveStep } from "./decisive-step.ts";
import { name } from "./history-input.ts";
import { isOfPolicy } from "./is-of-policy.ts";
import { parseStep, readStep, type RecordedStep } from "./steps.ts";
import { TaskQueue } from "./task-queue.ts";

export interface OpenCompactorOptions extends PolicyOptions {
  /** "sqlite:path", "postgres://…", or an open store. */
  readonly store: string | Store;
  /** The thread's id. Handles are valid only within the thread. */
  readonly thread: string;
}

/** What is known about the next call. It is recorded with the thread. */
export interface StoredCall extends CallStep {
  /** The time of the call. Default: now. */
  readonly atMs?: number;
  /** What the provider reported last: kept with the call. */
  readonly usage?: ReportedUsage;
}

/**
 * Keeps a stored thread small, call by call; others write its messages. All of its state is in the store, so a compactor
 * in another process, now or later, goes on with the same bytes. If several are asked about the same call at the same time,
 * the first decides for all.
 */
export interface StoredCompactor {
  /** Decides the next call of the model, with everything in the thread so far. When the promise is fulfilled, its edits are durable. */
  next(call?: StoredCall): Promise<Compacted>;
  /** Returns the original of something that was shortened in this thread, or part of it. */
  recall(handle: string, options?: RecallOptions): Promise<Recalled>;
  /** Does the same for the input of a model's call of the recall tool. */
  recall(input: RecallInput): Promise<Recalled>;
  /** Returns the handles that `recall` takes, oldest edit first. */
  handles(): Promise<string[]>;
  /** Explains why the last call of this compactor was sent as it was. Undefined before the first. */
  explain(): (Decision & { readonly words: string }) | undefined;
  /** Closes the store, if it was opened for this compactor. */
  close(): Promise<void>;
}

const BRANCH = "main";

export async function openCompactor(options: OpenCompactorOptions): Promise<StoredCompactor> {
  if (!isRecord(options)) throw invalid("INVALID_OPTION", "options", "an object", options);
  const { store: where, ...policy } = options;
  if (!name.accepts(policy.thread)) throw invalid("INVALID_OPTION", "options.thread", name.expected, policy.thread);
  const parsed = parsePolicy(policy);
  if (isStore(where)) return new BranchCompactor(where, parsed, undefined);
  const store = await openStore(where);
  return new BranchCompactor(store, parsed, store);
}

/** A policy that has decided a call, and the conversation that it read. */
interface Decided {
  readonly policy: PresetPolicy;
  readonly conversation: Conversation;
  readonly step: Step;
}

class BranchCompactor implements StoredCompactor {
  readonly #store: Store;
  readonly #options: ParsedPolicy;
  /** The store, if `close` has to close it. */
  readonly #ownStore: Store | undefined;
  readonly #ref: BranchRef;
  readonly #branch: BranchLog;
  readonly #calls = new TaskQueue();
  /** The decision of the last call here. */
  #known: Decided | undefined;
  #decision: Decision | undefined;

  constructor(store: Store, options: ParsedPolicy, ownStore: Store | undefined) {
    this.#store = store;
    this.#options = options;
    this.#ownStore = ownStore;
    this.#ref = { thread: options.thread, branch: BRANCH };
    this.#branch = new BranchLog(store, this.#ref, new TaskQueue());
  }

  next(call: StoredCall = {}): Promise<Compacted> {
    return this.#calls.run(() => this.#next(call));
  }

  recall(asked: unknown, options?: unknown): Promise<Recalled> {
    return this.#branch.read(({ conversation }) => recallIn(conversation, asked, options));
  }

  handles(): Promise<string[]> {
    return this.#branch.read(({ conversation }) => conversation.handles);
  }

  explain(): (Decision & { readonly words: string }) | undefined {
    return this.#decision === undefined ? undefined : { ...this.#decision, words: inWords(this.#decision) };
  }

  async close(): Promise<void> {
    await this.#ownStore?.close();
  }

  /** If the log has grown meanwhile, decides a call with the longer log. */
  async #next(call: StoredCall): Promise<Compacted> {
    const model = call.model ?? this.#options.model;
    const target = this.#targetOf(model);
    for (;;) {
      const { recorded, newest } = await this.#record({ ...call, model });
      const decisive = decisiveStep((await this.#store.steps(this.#ref)).map(readStep), recorded);
      const decided = await this.#branch.write((state, chain) => this.#decide(state, chain, decisive, newest));
      if (decided === undefined) continue;
      this.#known = decided;
      this.#decision = decided.policy.explain();
      return this.#branch.read((state) => shownAt(state, recorded.upTo, newest, target));
    }
  }

  async #record(call: StoredCall & { readonly model: string }): Promise<{ readonly recorded: RecordedStep; readonly newest: Message }> {
    return this.#branch.read(async ({ messages, entries }) => {
      const newest = messages.at(-1);
      if (newest === undefined) throw new PalimpsestError("EMPTY_THREAD", "The thread has no messages yet, so there is nothing to call a model with.");
      const recorded = parseStep({ ...call, upTo: messages.length }, messages.length, Date.now());
      await this.#store.addStep(this.#ref, { length: entries.length, value: JSON.stringify(recorded) });
      return { recorded, newest };
    });
  }

  /** Undefined: the log has grown. Commits only if it has not, so that a later call finds everything that was decided for earlier ones. */
  #decide(state: BranchState, chain: CommitChain, { step, before }: DecisiveStep, newest: Message): Decided | undefined {
    // The newest message can grow: results of one round may come in one by one.
    if (state.messages.length !== step.upTo || state.messages.at(-1) !== newest) return undefined;
    // A call that is sent again was already decided here, and a new policy would not know what it explained about earlier calls.
    if (this.#known?.conversation === state.conversation && isSameCall(this.#known.step, step)) return this.#known;
    const conversation = beforeCall(state, step.upTo);
    conversation.target = this.#targetOf(step.model);
    const policy = this.#policyFor(conversation, step, before);
    const proposals = conversation.settle(policy.beforeCall(conversation.situation, step), false);
    addEdits(state, chain, makeEdits(conversation.log, proposals, policy.tokens));
    return { policy, conversation, step };
  }

  /** Returns the policy of the last call if it has read up to the call before this one, else a new one. A call that fails makes it unusable. */
  #policyFor(conversation: Conversation, step: Step, before: Step | undefined): PresetPolicy {
    const known = this.#known;
    this.#known = undefined;
    if (known?.conversation === conversation && before !== undefined && isSameCall(before, known.step)) return known.policy;
    const policy = new PresetPolicy(this.#options);
    if (before !== undefined) policy.resume(conversation.situation, before);
    return policy;
  }

  #targetOf(model: string): Target {
    // If no model was named, assume the strictest target.
    const known = model === UNNAMED ? {} : targetFor(model, { onWarning: () => undefined });
    return parseTarget({ ...known, ...this.#options.target });
  }
}

const UNNAMED = "unknown";

/** Returns the conversation without what a faster process decided for this same call: deciding it again here has the same outcome. */
function beforeCall({ conversation }: BranchState, length: number): Conversation {
  const isDecided = (edit: Edit): boolean => isOfPolicy(edit) && edit.madeAt === length && edit.undoneAt === undefined;
  if (!conversation.edits.some(isDecided)) return conversation;
  const state = conversation.toJSON();
  return new Conversation(conversation.target, { ...state, edits: state.edits.filter((edit) => !isDecided(edit)) });
}

/** Returns the view at `length`: others may have written more by now, which this call leaves out. */
function shownAt({ conversation }: BranchState, length: number, newest: Message, target: Target): Compacted {
  const isNow = conversation.length === length && conversation.log.at(-1) === newest;
  const state = isNow ? undefined : conversation.stateAt(length);
  const then = state === undefined ? conversation : new Conversation(target, { ...state, log: [...state.log.slice(0, -1), newest] });
  then.target = target;
  const { log, edits } = then;
  return {
    messages: answeredView(then.arrange().messages),
    edits,
    // Computed on demand, because it measures every message.
    get report(): ViewReport {
      return report(log.slice(0, length), edits, { ...target, seenFrom: 0 });
    },
  };
}

function isSameCall(a: Step, b: Step): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isStore(where: string | Store): where is Store {
  return isRecord(where) && "append" in where;
}
