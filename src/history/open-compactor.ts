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
  /** "sqlite:path", "postgres://…", or a store that is open. */
  readonly store: string | Store;
  /** Its id. Handles are scoped to it. */
  readonly thread: string;
}

/** What is known of the call that is about to be made. It is recorded with the thread. */
export interface StoredCall extends CallStep {
  /** When. Default: now. */
  readonly atMs?: number;
  /** What the provider reported last: kept with the call. */
  readonly usage?: ReportedUsage;
}

/**
 * Keeps a thread in a store small, call by call; what is said in it, others write. All that it goes on from is in the store: another
 * one, in another process, now or later, goes on with the same bytes. Of several that are asked for the same call at the same time,
 * the first decides it for all.
 */
export interface StoredCompactor {
  /** The next call of the model, with all that is in the thread by now. Its edits are durable when it is fulfilled. */
  next(call?: StoredCall): Promise<Compacted>;
  /** The original of something that was shortened in this thread, or a part of it. */
  recall(handle: string, options?: RecallOptions): Promise<Recalled>;
  /** The same, as a model asks for it. */
  recall(input: RecallInput): Promise<Recalled>;
  /** What `recall` takes, in the order in which it was shortened. */
  handles(): Promise<string[]>;
  /** Why the last call of this compactor was sent as it was. Undefined before the first. */
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

/** A policy that has decided a call, and the conversation that it knows. */
interface Decided {
  readonly policy: PresetPolicy;
  readonly conversation: Conversation;
  readonly step: Step;
}

class BranchCompactor implements StoredCompactor {
  readonly #store: Store;
  readonly #options: ParsedPolicy;
  /** To close in the end. */
  readonly #ownStore: Store | undefined;
  readonly #ref: BranchRef;
  readonly #branch: BranchLog;
  readonly #calls = new TaskQueue();
  /** What has decided the last call here. */
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

  /** Where the log has grown meanwhile, it is a call with the longer log. */
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
      if (newest === undefined) throw new PalimpsestError("EMPTY_THREAD", "Nothing was said yet that a model could be called with.");
      const recorded = parseStep({ ...call, upTo: messages.length }, messages.length, Date.now());
      await this.#store.addStep(this.#ref, { length: entries.length, value: JSON.stringify(recorded) });
      return { recorded, newest };
    });
  }

  /** Undefined: the log has grown. Only while it is as it was is something committed: whoever makes a later call finds all that was decided for earlier ones. */
  #decide(state: BranchState, chain: CommitChain, { step, before }: DecisiveStep, newest: Message): Decided | undefined {
    // Results of one round may come in one by one: the newest message grows then.
    if (state.messages.length !== step.upTo || state.messages.at(-1) !== newest) return undefined;
    // A call that is sent again was decided here, and a policy made anew would not know what it has said of earlier ones.
    if (this.#known?.conversation === state.conversation && isSameCall(this.#known.step, step)) return this.#known;
    const conversation = beforeCall(state, step.upTo);
    conversation.target = this.#targetOf(step.model);
    const policy = this.#policyFor(conversation, step, before);
    const proposals = conversation.settle(policy.beforeCall(conversation.situation, step), false);
    addEdits(state, chain, makeEdits(conversation.log, proposals, policy.tokens));
    return { policy, conversation, step };
  }

  /** The one of the last call, if it has read up to the call before this one. A call that fails spoils it. */
  #policyFor(conversation: Conversation, step: Step, before: Step | undefined): PresetPolicy {
    const known = this.#known;
    this.#known = undefined;
    if (known?.conversation === conversation && before !== undefined && isSameCall(before, known.step)) return known.policy;
    const policy = new PresetPolicy(this.#options);
    if (before !== undefined) policy.resume(conversation.situation, before);
    return policy;
  }

  #targetOf(model: string): Target {
    // No model was named: the strictest target then.
    const known = model === UNNAMED ? {} : targetFor(model, { onWarning: () => undefined });
    return parseTarget({ ...known, ...this.#options.target });
  }
}

const UNNAMED = "unknown";

/** The conversation without what was decided for this very call by whoever was faster: it is decided here again, and comes out the same. */
function beforeCall({ conversation }: BranchState, length: number): Conversation {
  const isDecided = (edit: Edit): boolean => isOfPolicy(edit) && edit.madeAt === length && edit.undoneAt === undefined;
  if (!conversation.edits.some(isDecided)) return conversation;
  const state = conversation.toJSON();
  return new Conversation(conversation.target, { ...state, edits: state.edits.filter((edit) => !isDecided(edit)) });
}

/** Others may have written more by now: this call is made without it. */
function shownAt({ conversation }: BranchState, length: number, newest: Message, target: Target): Compacted {
  const isNow = conversation.length === length && conversation.log.at(-1) === newest;
  const state = isNow ? undefined : conversation.stateAt(length);
  const then = state === undefined ? conversation : new Conversation(target, { ...state, log: [...state.log.slice(0, -1), newest] });
  then.target = target;
  const { log, edits } = then;
  return {
    messages: answeredView(then.arrange().messages),
    edits,
    // It measures every message: only for those who ask.
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
