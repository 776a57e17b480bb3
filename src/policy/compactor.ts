import { arrange } from "../edits/arrange.ts";
import { hash64 } from "../edits/edit-id.ts";
import type { Edit, Proposal } from "../edits/edit.ts";
import { makeEdits } from "../edits/make-edits.ts";
import { report, type ViewReport } from "../edits/report.ts";
import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import { count, parseOptions, string, type Field } from "../errors/parse-options.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { LogIndexer } from "../messages/log-indexer.ts";
import type { Message } from "../messages/message.ts";
import { parseLog, parseMessages } from "../messages/parse-messages.ts";
import { parseTarget, type Target } from "../messages/target.ts";
import { targetFor } from "../pricing/target-for.ts";
import { parseCompactorState, COMPACTOR_VERSION, type CompactorState } from "./compactor-state.ts";
import { inWords, type Decision } from "./decision.ts";
import { Fold, type Step } from "./fold.ts";
import { isRecord } from "../errors/is-record.ts";
import { guardMethods } from "../errors/guarded.ts";
import { parsePolicy, type ParsedPolicy, type PolicyOptions } from "./policy-options.ts";

/** What is known of the call that is about to be made. */
export interface CallStep {
  /** Default: the option `model`. */
  readonly model?: string;
  /** Of system and tools: another one means that nothing is cached any more. */
  readonly headHash?: string;
  /** When. Without it, or where it is before that of an earlier call, no time is taken to have passed. */
  readonly atMs?: number;
}

export interface Compacted {
  /** What to send. */
  readonly messages: Message[];
  /** All edits so far, the new ones last. */
  readonly edits: readonly Edit[];
  readonly report: ViewReport;
}

export interface CompactorOptions extends PolicyOptions {
  /** What `toJSON()` of a compactor gave: this one goes on from there, with the same messages. */
  readonly state?: unknown;
}

/** Keeps one conversation small, call by call. A method that throws has changed nothing. */
export interface Compactor {
  /** The next call, with all messages so far. If earlier ones are not those of before, it goes on from where they part. */
  next(messages: readonly Message[], step?: CallStep): Compacted;
  /** The next call, with what is new since the last one. */
  append(added: readonly Message[], step?: CallStep): Compacted;
  /** Nothing of the message at this position is shortened any more. What is shortened already stays so: undoing is the caller's. */
  pin(position: number): void;
  unpin(position: number): void;
  /** Why the last call was sent as it was. Undefined before the first. */
  explain(): (Decision & { readonly words: string }) | undefined;
  toJSON(): CompactorState;
}

export function createCompactor(options: CompactorOptions = {}): Compactor {
  if (!isRecord(options)) throw invalid("INVALID_OPTION", "options", "an object", options);
  const { state, ...policy } = options;
  const compactor = new FoldingCompactor(parsePolicy(policy), state === undefined ? undefined : parseCompactorState(state));
  return guardMethods(compactor, { next: ["messages", "step"], append: ["messages", "step"], toJSON: [] });
}

/** The messages as a first call would send them, where nothing is cached: for a single use. */
export function compact(messages: readonly Message[], options: PolicyOptions = {}): Compacted {
  const parsed = parsePolicy(options);
  const { log, index } = parseLog(messages);
  const target = targetOf(parsed, parsed.model);
  const fold = new Fold(parsed);
  const proposals = fold.step(log, index, { upTo: log.length, model: parsed.model, headHash: "", isCold: true }, target);
  // The model has seen the messages as they are.
  return showable(log, index, makeEdits(log, proposals, fold), { ...target, seenFrom: log.length });
}

/** The edits that `compact` would make. */
export function plan(messages: readonly Message[], options: PolicyOptions = {}): Edit[] {
  return [...compact(messages, options).edits];
}

const aTime: Field<number> = { expected: "a time in milliseconds", accepts: (value): value is number => typeof value === "number" && Number.isFinite(value) };

class FoldingCompactor implements Compactor {
  readonly #options: ParsedPolicy;
  #fold: Fold;
  #log: readonly Message[] = [];
  readonly #indexer = new LogIndexer();
  /** Per message: its hash, made when it is needed to compare it with one that is not the same object. */
  readonly #keys = new Map<number, string>();
  #edits: readonly Edit[] = [];
  #steps: readonly Step[] = [];
  #seenFrom = 0;
  #pins: ReadonlySet<number>;
  /** Not taken up yet: the messages that it belongs to come with the first call. */
  #state: CompactorState | undefined;

  constructor(options: ParsedPolicy, state: CompactorState | undefined) {
    this.#options = options;
    this.#pins = new Set([...options.pins, ...(state?.pins ?? [])]);
    this.#fold = this.#newFold();
    this.#state = state;
  }

  pin(position: number): void {
    if (!count.accepts(position)) throw invalid("INVALID_INPUT", "position", count.expected, position);
    this.#setPins([...this.#pins, position]);
  }

  unpin(position: number): void {
    if (!this.#pins.has(position)) throw invalid("INVALID_INPUT", "position", "one that is pinned", position);
    this.#setPins([...this.#pins].filter((pin) => pin !== position));
  }

  #setPins(pins: readonly number[]): void {
    this.#pins = new Set(pins);
    this.#fold.setPinned(this.#pins);
  }

  #newFold(): Fold {
    return new Fold({ ...this.#options, pins: [...this.#pins] });
  }

  next(messages: readonly Message[], step: CallStep = {}): Compacted {
    const { log, index } = parseLog(messages, this.#indexer);
    const { model = this.#options.model, headHash = "", atMs } = parseOptions(step, "step", { model: string, headHash: string, atMs: aTime });
    if (this.#state !== undefined) this.#resume(this.#state, log, index);
    const kept = this.#sharedWith(log);
    if (kept < this.#log.length) this.#goBack(log, index, kept);
    const target = targetOf(this.#options, model);
    const recorded: Step = { upTo: log.length, model, headHash, ...(atMs === undefined ? {} : { atMs }) };
    const proposals = this.#decide(log, index, recorded, target);
    const made = makeEdits(log, proposals, this.#fold);
    this.#fold.commit(made);
    if (this.#steps.length === 0) this.#seenFrom = log.some(({ role }) => role === "assistant") ? log.length : 0;
    this.#log = log;
    this.#steps = [...this.#steps, recorded];
    if (made.length > 0) this.#edits = [...this.#edits, ...made];
    const shown = showable(log, index, this.#edits, { ...target, seenFrom: this.#seenFrom });
    if (shown.edits !== this.#edits) {
      this.#edits = shown.edits;
      this.#restore(log, index);
    }
    return shown;
  }

  append(added: readonly Message[], step: CallStep = {}): Compacted {
    return this.next([...this.#log, ...parseMessages(added)], step);
  }

  explain(): (Decision & { readonly words: string }) | undefined {
    const { decision } = this.#fold;
    return decision === undefined ? undefined : { ...decision, words: inWords(decision) };
  }

  toJSON(): CompactorState {
    return {
      version: COMPACTOR_VERSION,
      keys: this.#log.map((message, position) => this.#keyAt(message, position)),
      edits: this.#edits,
      steps: this.#steps,
      seenFrom: this.#seenFrom,
      ...(this.#pins.size === 0 ? {} : { pins: [...this.#pins] }),
    };
  }

  /** A fold that has read a call and then refused it has read too much: it begins anew. */
  #decide(log: readonly Message[], index: LogIndex, step: Step, target: Target): Proposal[] {
    try {
      return this.#fold.step(log, index, step, target);
    } catch (error) {
      this.#restore(this.#log, this.#indexer.indexOf(this.#log));
      throw error;
    }
  }

  #restore(log: readonly Message[], index: LogIndex): void {
    this.#fold = this.#newFold();
    const last = this.#steps.at(-1);
    const inForce = this.#edits.filter(({ undoneAt }) => undoneAt === undefined);
    if (last !== undefined) this.#fold.restore(log, index, inForce, last);
  }

  /** How many messages at the start are the known ones. */
  #sharedWith(log: readonly Message[]): number {
    let position = 0;
    for (const known of this.#log) {
      const message = log[position];
      if (message !== known && (message === undefined || keyOf(message, position) !== this.#keyAt(known, position))) return position;
      position++;
    }
    return position;
  }

  /** The log has changed from here on: what was decided later never was. */
  #goBack(log: readonly Message[], index: LogIndex, length: number): void {
    this.#steps = this.#steps.filter(({ upTo }) => upTo <= length);
    this.#edits = this.#edits.filter(({ madeAt }) => madeAt <= length);
    for (const position of [...this.#keys.keys()]) if (position >= length) this.#keys.delete(position);
    this.#seenFrom = Math.min(this.#seenFrom, length);
    this.#restore(log, index);
  }

  #resume({ keys, edits, steps, seenFrom }: CompactorState, log: readonly Message[], index: LogIndex): void {
    const different = keys.findIndex((key, position) => {
      const message = log[position];
      return message === undefined || keyOf(message, position) !== key;
    });
    const shared = different === -1 ? keys.length : different;
    this.#state = undefined;
    this.#steps = steps;
    this.#edits = edits;
    this.#seenFrom = seenFrom;
    this.#log = log.slice(0, shared);
    keys.slice(0, shared).forEach((key, position) => this.#keys.set(position, key));
    this.#goBack(log, index, shared);
  }

  #keyAt(message: Message, position: number): string {
    const known = this.#keys.get(position);
    if (known !== undefined) return known;
    const key = keyOf(message, position);
    this.#keys.set(position, key);
    return key;
  }
}

/**
 * In a log where ids repeat, a result may turn out to answer a provider-run call from long ago, which has then waited behind a digest
 * (`LOOP_OPEN`). The digests are taken back then: nothing is lost by it but tokens.
 */
function showable(log: readonly Message[], index: LogIndex, edits: readonly Edit[], target: Target & { readonly seenFrom: number }): Compacted {
  try {
    return compacted(log, index, edits, target);
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== "LOOP_OPEN") throw error;
    const withoutDigests = edits.map((edit) => (edit.kind === "replace-range" && edit.undoneAt === undefined ? { ...edit, undoneAt: log.length } : edit));
    return compacted(log, index, withoutDigests, target);
  }
}

function compacted(log: readonly Message[], index: LogIndex, edits: readonly Edit[], target: Target & { readonly seenFrom: number }): Compacted {
  const { messages } = arrange(log, index, edits, target);
  return {
    messages,
    edits,
    // It measures every message: only for those who ask.
    get report(): ViewReport {
      return report(log, edits, target);
    },
  };
}

function targetOf(options: ParsedPolicy, model: string): Target {
  return parseTarget({ ...(model === UNNAMED ? {} : targetFor(model, { onWarning: () => undefined })), ...options.target });
}

/** No model was named: the strictest target then. */
const UNNAMED = "unknown";

function keyOf(message: Message, position: number): string {
  try {
    return hash64(JSON.stringify(message));
  } catch {
    throw invalid("INVALID_INPUT", `messages.${position}`, "something that can be written as JSON", message);
  }
}
