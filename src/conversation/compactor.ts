import { hash64 } from "../edits/edit-id.ts";
import type { Edit } from "../edits/edit.ts";
import { report, type ViewReport } from "../edits/report.ts";
import { guardMethods } from "../errors/guarded.ts";
import { isRecord } from "../errors/is-record.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { count, parseOptions, string, type Field } from "../errors/parse-options.ts";
import type { Message } from "../messages/message.ts";
import { parseMessages } from "../messages/parse-messages.ts";
import { parseTarget, type Target } from "../messages/target.ts";
import { inWords, type Decision } from "../policy/decision.ts";
import type { Step } from "../policy/step.ts";
import { parsePolicy, type ParsedPolicy, type PolicyOptions } from "../policy/policy-options.ts";
import { PresetPolicy } from "../policy/preset-policy.ts";
import { targetFor } from "../pricing/target-for.ts";
import { COMPACTOR_VERSION, parseCompactorState, type CompactorState } from "./compactor-state.ts";
import { Conversation, type ConversationState } from "./conversation.ts";
import { PolicyRunner } from "./policy-runner.ts";
import { recallIn, type Recallable } from "./recallable.ts";
import type { Recalled } from "./recall.ts";

/** What is known about the next call. */
export interface CallStep {
  /** Default: the option `model`. */
  readonly model?: string;
  /** The hash of system prompt and tools: if it changes, nothing is cached any more. */
  readonly headHash?: string;
  /** The time of the call. If missing, or earlier than that of a previous call, no time is assumed to have passed. */
  readonly atMs?: number;
}

export interface Compacted {
  /** The messages to send. */
  readonly messages: Message[];
  /** All edits so far, the new ones last. */
  readonly edits: readonly Edit[];
  readonly report: ViewReport;
}

export interface CompactorOptions extends PolicyOptions {
  /** What `toJSON()` of a compactor returned: this one goes on from there, with the same messages. */
  readonly state?: unknown;
}

/** What `compact` returns. Serves its handles as long as you keep it. */
export interface CompactedOnce extends Compacted, Recallable {}

/**
 * Keeps one conversation small, call by call, and serves the handles that its views name. One made from a state serves them from its first call on.
 * A method that throws has changed nothing.
 */
export interface Compactor extends Recallable {
  /** Decides the next call, with all messages so far. If earlier messages have changed, it goes on from the first difference. */
  next(messages: readonly Message[], step?: CallStep): Compacted;
  /** Decides the next call, with the messages since the last one. */
  append(added: readonly Message[], step?: CallStep): Compacted;
  /** Prevents further shortening of the message at this position. What was already shortened stays so unless the caller undoes it. */
  pin(position: number): void;
  unpin(position: number): void;
  /** Explains why the last call was sent as it was. Undefined before the first. */
  explain(): (Decision & { readonly words: string }) | undefined;
  toJSON(): CompactorState;
}

export function createCompactor(options: CompactorOptions = {}): Compactor {
  if (!isRecord(options)) throw invalid("INVALID_OPTION", "options", "an object", options);
  const { state, ...policy } = options;
  const compactor = new ConversationCompactor(parsePolicy(policy), state === undefined ? undefined : parseCompactorState(state));
  return guardMethods(compactor, { next: ["messages", "step"], append: ["messages", "step"], recall: ["handle", "options"], toJSON: [] });
}

/** Returns the messages as a first call would send them, with nothing cached: for a single use. */
export function compact(messages: readonly Message[], options: PolicyOptions = {}): CompactedOnce {
  const parsed = parsePolicy(options);
  if (!Array.isArray(messages)) throw invalid("INVALID_INPUT", "messages", "an array of messages", messages);
  const log = messages as readonly Message[];
  // So far, the model has seen the messages unshortened.
  const conversation = new Conversation(targetOf(parsed, parsed.model), { ...EMPTY_STATE, id: parsed.thread, seenFrom: log.length });
  const policies = new PolicyRunner(conversation, [new PresetPolicy(parsed)], false);
  for (const message of log) conversation.append(message);
  policies.beforeCall({ upTo: log.length, model: parsed.model, headHash: "", isCold: true });
  const recallable: Recallable = {
    recall: (asked: unknown, given?: unknown) => recallIn(conversation, asked, given),
    handles: () => conversation.handles,
  };
  return Object.assign(compacted(conversation), guardMethods(recallable, { recall: ["handle", "options"] }));
}

/** Returns the edits that `compact` would make. */
export function plan(messages: readonly Message[], options: PolicyOptions = {}): Edit[] {
  return [...compact(messages, options).edits];
}

const EMPTY_STATE: Omit<ConversationState, "id"> = { log: [], edits: [], pins: [], seenFrom: 0, steps: [] };

const aTime: Field<number> = { expected: "a time in milliseconds", accepts: (value): value is number => typeof value === "number" && Number.isFinite(value) };

/** A conversation whose messages the caller keeps: each call compares them with the previous ones. */
class ConversationCompactor implements Compactor {
  readonly #options: ParsedPolicy;
  #pins: ReadonlySet<number>;
  #run: Run;
  /** Not applied yet: its messages come with the first call. */
  #state: CompactorState | undefined;

  constructor(options: ParsedPolicy, state: CompactorState | undefined) {
    this.#options = options;
    this.#pins = new Set([...options.pins, ...(state?.pins ?? [])]);
    this.#run = this.#begin({ ...EMPTY_STATE, id: options.thread });
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
    this.#run.policy.pins = this.#pins;
  }

  next(messages: readonly Message[], step: CallStep = {}): Compacted {
    const parsed = parseStep(step, this.#options.model);
    if (!Array.isArray(messages)) throw invalid("INVALID_INPUT", "messages", "an array of messages", messages);
    const before = this.#state === undefined ? this.#run : this.#resumed(this.#state, messages);
    const compacted = this.#call(before, messages, before.sharedWith(messages), parsed);
    this.#state = undefined;
    return compacted;
  }

  append(added: readonly Message[], step: CallStep = {}): Compacted {
    const parsed = parseStep(step, this.#options.model);
    const { log } = this.#run.conversation;
    return this.#call(this.#run, [...log, ...parseMessages(added)], log.length, parsed);
  }

  recall(asked: unknown, options?: unknown): Recalled {
    return recallIn(this.#run.conversation, asked, options);
  }

  handles(): string[] {
    return this.#run.conversation.handles;
  }

  explain(): (Decision & { readonly words: string }) | undefined {
    const decision = this.#run.policies.explain();
    return decision === undefined ? undefined : { ...decision, words: inWords(decision) };
  }

  toJSON(): CompactorState {
    const { log, edits, steps, seenFrom } = this.#run.conversation;
    return {
      version: COMPACTOR_VERSION,
      keys: log.map((message, position) => this.#run.keyAt(message, position)),
      edits,
      steps,
      seenFrom,
      ...(this.#pins.size === 0 ? {} : { pins: [...this.#pins] }),
    };
  }

  /** `kept`: how many of the messages are unchanged. Later decisions are discarded. */
  #call(before: Run, log: readonly Message[], kept: number, call: Omit<Step, "upTo">): Compacted {
    const { conversation } = before;
    const { length } = conversation;
    const isSame = kept === length && conversation.steps.length > 0;
    const run = isSame ? before : this.#begin(conversation.stateAt(kept), before.keys, log);
    run.conversation.target = targetOf(this.#options, call.model);
    try {
      for (let position = run.conversation.length; position < log.length; position++) run.conversation.append(log[position] as Message);
      run.policies.beforeCall({ upTo: log.length, ...call });
      const shown = compacted(run.conversation);
      this.#run = run;
      return shown;
    } catch (error) {
      // Start again from the state before a failed call.
      if (isSame) this.#run = this.#begin(conversation.stateAt(length), before.keys);
      throw error;
    }
  }

  /** If no call was made before, all of the log is new to the policy. */
  #begin(state: ConversationState, keys: ReadonlyMap<number, string> = new Map(), log: readonly Message[] = []): Run {
    const isNew = state.steps.length === 0;
    const seenFrom = log.some((message) => isRecord(message) && message.role === "assistant") ? log.length : 0;
    const begun = isNew ? { ...EMPTY_STATE, id: state.id, seenFrom } : state;
    const policy = new PresetPolicy({ ...this.#options, pins: [...this.#pins] });
    return new Run(new Conversation(targetOf(this.#options, this.#options.model), begun), policy, keys);
  }

  #resumed({ keys, edits, steps, seenFrom }: CompactorState, log: readonly Message[]): Run {
    const different = keys.findIndex((key, position) => {
      const message = log[position];
      return message === undefined || keyOf(message, position) !== key;
    });
    const shared = different === -1 ? keys.length : different;
    const state: ConversationState = {
      id: this.#options.thread,
      log: log.slice(0, shared),
      edits: edits.filter(({ madeAt }) => madeAt <= shared),
      pins: [],
      seenFrom: Math.min(seenFrom, shared),
      steps: steps.filter(({ upTo }) => upTo <= shared),
    };
    return this.#begin(state, new Map(keys.entries()), log);
  }
}

/** A conversation with its policy, since its first call or a restart. */
class Run {
  readonly conversation: Conversation;
  readonly policy: PresetPolicy;
  readonly policies: PolicyRunner;
  /** The hash of each message, computed when it has to be compared with a different object. */
  readonly keys = new Map<number, string>();

  constructor(conversation: Conversation, policy: PresetPolicy, keys: ReadonlyMap<number, string>) {
    this.conversation = conversation;
    this.policy = policy;
    this.policies = new PolicyRunner(conversation, [policy], false);
    for (const [position, key] of keys) if (position < conversation.length) this.keys.set(position, key);
  }

  /** Returns how many messages at the start are the known ones. */
  sharedWith(log: readonly Message[]): number {
    let position = 0;
    for (const known of this.conversation.log) {
      const message = log[position];
      if (message !== known && (message === undefined || keyOf(message, position) !== this.keyAt(known, position))) return position;
      position++;
    }
    return position;
  }

  keyAt(message: Message, position: number): string {
    const known = this.keys.get(position);
    if (known !== undefined) return known;
    const key = keyOf(message, position);
    this.keys.set(position, key);
    return key;
  }
}

function parseStep(step: CallStep, ofOptions: string): Omit<Step, "upTo"> {
  const { model = ofOptions, headHash = "", atMs } = parseOptions(step, "step", { model: string, headHash: string, atMs: aTime });
  return { model, headHash, ...(atMs === undefined ? {} : { atMs }) };
}

function compacted(conversation: Conversation): Compacted {
  conversation.mend();
  const { messages } = conversation.arrange();
  const { log, edits, target, seenFrom } = conversation;
  const { length } = log;
  return {
    messages: [...messages],
    edits,
    // Computed on demand, because it measures every message.
    get report(): ViewReport {
      return report(log.slice(0, length), edits, { ...target, seenFrom });
    },
  };
}

function targetOf(options: ParsedPolicy, model: string): Target {
  return parseTarget({ ...(model === UNNAMED ? {} : targetFor(model, { onWarning: () => undefined })), ...options.target });
}

/** Stands for a call without a model, which gets the strictest target. */
const UNNAMED = "unknown";

function keyOf(message: Message, position: number): string {
  try {
    return hash64(JSON.stringify(message));
  } catch {
    throw invalid("INVALID_INPUT", `messages.${position}`, "something that can be written as JSON", message);
  }
}
