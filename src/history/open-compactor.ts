import { arrange } from "../edits/arrange.ts";
import type { Edit, Proposal } from "../edits/edit.ts";
import { isSpanEdit } from "../edits/edit-places.ts";
import { makeEdits } from "../edits/make-edits.ts";
import { report, type ViewReport } from "../edits/report.ts";
import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import type { LogIndex } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";
import { parseLog } from "../messages/parse-messages.ts";
import { parseTarget, type Target } from "../messages/target.ts";
import type { CallStep, Compacted } from "../conversation/compactor.ts";
import { inWords, type Decision } from "../policy/decision.ts";
import { Fold, type Step } from "../policy/fold.ts";
import { parsePolicy, type ParsedPolicy, type PolicyOptions } from "../policy/policy-options.ts";
import { targetFor } from "../pricing/target-for.ts";
import type { ReportedUsage } from "../stateless/input-tokens-of.ts";
import { openStore } from "../store/open-store.ts";
import type { BranchRef, Store } from "../store/store.ts";
import { answeredView } from "./answered-view.ts";
import { BranchLog } from "./branch-log.ts";
import { addEdits } from "./commit-edits.ts";
import { decisiveCall, type DecisiveCall } from "./decisive-call.ts";
import { name } from "./history-input.ts";
import { isOfPolicy, settleBeside } from "./policy-edits.ts";
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

/** A fold, and what it has read. It is used again only where the store still says the same. */
interface KnownFold {
  readonly fold: Fold;
  readonly log: readonly Message[];
  readonly step: Step;
  readonly inForce: readonly Edit[];
}

class BranchCompactor implements StoredCompactor {
  readonly #store: Store;
  readonly #options: ParsedPolicy;
  /** To close in the end. */
  readonly #ownStore: Store | undefined;
  readonly #ref: BranchRef;
  readonly #branch: BranchLog;
  readonly #calls = new TaskQueue();
  #known: KnownFold | undefined;
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

  explain(): (Decision & { readonly words: string }) | undefined {
    return this.#decision === undefined ? undefined : { ...this.#decision, words: inWords(this.#decision) };
  }

  async close(): Promise<void> {
    await this.#ownStore?.close();
  }

  /** Where the log has grown meanwhile, it is a call with the longer log. */
  async #next(call: StoredCall): Promise<Compacted> {
    const model = call.model ?? this.#options.model;
    for (;;) {
      const { log, recorded } = await this.#record({ ...call, model });
      const decisive = decisiveCall((await this.#store.steps(this.#ref)).map(readStep), recorded);
      const decided = await this.#decide(log, decisive, this.#targetOf(model));
      if (decided !== undefined) return decided;
    }
  }

  /** Gives the log that the call is made with. */
  async #record(call: StoredCall & { readonly model: string }): Promise<{ readonly log: readonly Message[]; readonly recorded: RecordedStep }> {
    const { log, length } = await this.#branch.read((state) => ({ log: [...state.messages], length: state.entries.length }));
    if (log.length === 0) throw new PalimpsestError("EMPTY_THREAD", "Nothing was said yet that a model could be called with.");
    const recorded = parseStep({ ...call, upTo: log.length }, log.length, Date.now());
    await this.#store.addStep(this.#ref, { length, value: JSON.stringify(recorded) });
    return { log, recorded };
  }

  /** Undefined: the log has grown. */
  async #decide(log: readonly Message[], { step, before }: DecisiveCall, target: Target): Promise<Compacted | undefined> {
    const { index } = parseLog(log);
    const edits = inForceIn(await this.#editsOf(log));
    const fold = this.#takeFold(log, edits, [before, step]) ?? new Fold(this.#options);
    // What was decided for this very call, by whoever was faster, is decided here again: it comes out the same.
    const earlier = edits.filter((edit) => edit.madeAt < log.length || !isOfPolicy(edit));
    const read = fold.last ?? before;
    // What lies over messages that the fold has not read yet, it takes note of behind the call.
    const known = earlier.filter((edit) => edit.kind !== "replace-range" || edit.to.position <= (read?.upTo ?? 0));
    if (fold.last === undefined && before !== undefined) fold.restore(log, index, known, before);
    else fold.commit(known);
    if (earlier.some((edit) => isSpanEdit(edit) && !isOfPolicy(edit))) {
      fold.setShown(new Set(arrange(log, index, earlier, { ...target, seenFrom: 0 }).positions));
    }
    const isDone = await this.#commit(log, index, fold.step(log, index, step, this.#targetOf(step.model)));
    if (!isDone) return undefined;
    const committed = await this.#editsOf(log);
    fold.commit(inForceIn(committed));
    this.#known = { fold, log, step, inForce: inForceIn(committed) };
    this.#decision = fold.decision;
    // The model has seen every edit since it was made, as in `view()` of a history.
    return compacted(log, index, committed, { ...target, seenFrom: 0 });
  }

  /** Only while the log is what it was decided for: whoever makes a later call finds all that was decided for the earlier ones. */
  #commit(log: readonly Message[], index: LogIndex, proposals: readonly Proposal[]): Promise<boolean> {
    return this.#branch.write((state, chain) => {
      if (state.messages.length !== log.length || state.messages.at(-1) !== log.at(-1)) return false;
      addEdits(state, chain, makeEdits(log, settleBeside(proposals, index, state.edits)));
      return true;
    });
  }

  /** Others may have written more by now: this call is made without it. */
  async #editsOf(log: readonly Message[]): Promise<Edit[]> {
    const edits = await this.#branch.read((state) => state.edits);
    return edits.filter(({ madeAt }) => madeAt <= log.length);
  }

  /** The fold of the last call, if it has read up to the call before this one, or has decided this one already. A call that fails spoils it. */
  #takeFold(log: readonly Message[], inForce: readonly Edit[], calls: readonly (Step | undefined)[]): Fold | undefined {
    const known = this.#known;
    this.#known = undefined;
    return known !== undefined && goesOn(known, log, inForce, calls) ? known.fold : undefined;
  }

  #targetOf(model: string): Target {
    // No model was named: the strictest target then.
    const known = model === UNNAMED ? {} : targetFor(model, { onWarning: () => undefined });
    return parseTarget({ ...known, ...this.#options.target });
  }
}

const UNNAMED = "unknown";

/** Is what the fold has read still there, and nothing of it taken back? */
function goesOn(known: KnownFold, log: readonly Message[], inForce: readonly Edit[], calls: readonly (Step | undefined)[]): boolean {
  const ids = new Set(inForce.map(({ id }) => id));
  const isSameCall = calls.some((call) => JSON.stringify(call) === JSON.stringify(known.step));
  return isSameCall && known.log.every((message, position) => message === log[position]) && known.inForce.every(({ id }) => ids.has(id));
}

function isStore(where: string | Store): where is Store {
  return isRecord(where) && "append" in where;
}

function inForceIn(edits: readonly Edit[]): Edit[] {
  return edits.filter(({ undoneAt }) => undoneAt === undefined);
}

function compacted(log: readonly Message[], index: LogIndex, edits: readonly Edit[], target: Target & { readonly seenFrom: number }): Compacted {
  return {
    messages: answeredView(arrange(log, index, edits, target).messages),
    edits,
    // It measures every message: only for those who ask.
    get report(): ViewReport {
      return report(log, edits, target);
    },
  };
}
