import { isBlank } from "../../edits/blank.ts";
import type { Edit } from "../../edits/edit.ts";
import { hash64 } from "../../edits/edit-id.ts";
import { guardMethods } from "../../errors/guarded.ts";
import { invalid, PalimpsestError } from "../../errors/palimpsest-error.ts";
import { blocksOf, isToolUse, textBlock, type Block, type Message, type OpenBlock, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import type { Replacement } from "../../passes/replace-between-checkpoints/replace-between-checkpoints.ts";
import { inputTokensOf, type ReportedUsage } from "../../stateless/input-tokens-of.ts";
import { compactTool, CONTINUE } from "../../conversation/tools/compact-tool.ts";
import { recallTool, type RecallInput } from "../../conversation/tools/recall-tool.ts";
import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";
import { compactLog } from "./compaction.ts";
import { hiddenResultsAt, isAnsweredHere, runHiddenCalls } from "./hidden-calls.ts";
import { callUnknown, OpenRound } from "./open-round.ts";
import { overviewOf } from "./overview.ts";
import type { Pin } from "../../conversation/pin.ts";
import { PolicyRunner } from "../../conversation/policy-runner.ts";
import type { Recalled } from "../../conversation/recall.ts";
import { reminderBlock, shownMessage } from "../../conversation/shown-blocks.ts";
import { staleThinking } from "../../conversation/stale-thinking.ts";
import type { Step } from "../../policy/step.ts";
import { ThreadEvents, type ThreadEventMap } from "./thread-events.ts";
import { parseResponse, parseResults, parseUserContent, type AssistantMessage } from "./thread-input.ts";
import { Conversation } from "../../conversation/conversation.ts";
import { parseThreadOptions, type NamedTool, type ParsedThreadOptions, type ThreadOptions } from "./thread-options.ts";
import { parseState, STATE_VERSION, type Beside, type HeldResult, type ThreadState } from "./thread-state.ts";

/** What the caller does next. */
export interface AssistantOutcome {
  /** `tools`: run `calls` and pass their results; `request`: send the next request; `user`: the turn is over. */
  readonly next: "tools" | "request" | "user";
  /** The calls for the caller to run: without those of `compact` and `recall`, and of tools that the thread does not have. */
  readonly calls: readonly ToolUseBlock[];
}

/** What to send: spread into the parameters of the SDK's call. */
export interface ThreadRequest<M extends Message, T extends NamedTool> {
  readonly messages: M[];
  /** `compact` and `recall`, then the caller's. */
  readonly tools: (T | ToolDefinition)[];
}

/**
 * A conversation that keeps itself small. The caller reports what happened (`user`, `assistant`, `toolResults`) and asks for the next request; the
 * thread adds checkpoints and reminders, runs `compact` and `recall` itself, and shortens as configured. A method that throws has changed nothing.
 */
export interface Thread<M extends Message = Message, T extends NamedTool = NamedTool> {
  readonly id: string;
  user(content: string | readonly (Block | OpenBlock)[]): void;
  /** A call of a tool that is not in `tools` is answered here, with an error. */
  assistant(message: AssistantMessage): AssistantOutcome;
  /** Takes results of the caller's calls: all of them, or some now and some later. */
  toolResults(results: readonly (ToolResultBlock | OpenBlock)[]): void;
  request(): ThreadRequest<M, T>;
  /** Takes the usage of the last response. Needed only if `assistant` got none. */
  observe(usage: ReportedUsage): void;
  /** Writes summaries over the stretches between checkpoints: all of them, or none and an error. */
  compact(replacements: readonly Replacement[]): Edit[];
  /** Returns the original of something that was shortened, or a part of it. */
  recall(input: RecallInput): Recalled;
  /** Returns the checkpoints that can be used in `compact`. */
  checkpoints(): { id: string; position: number }[];
  edits(): readonly Edit[];
  undo(editId: string): Edit;
  /** Keeps the message at this position of the log in the view: not even `compact` can remove it. */
  pin(position: number, reason?: string): Pin;
  unpin(pinId: string): void;
  /** Returns a separate thread with the log up to this length, and the edits as they were then. This one stays as it is. */
  truncate(length: number): Thread<M, T>;
  on<K extends keyof ThreadEventMap>(event: K, listener: (event: ThreadEventMap[K]) => void): () => void;
  log(): readonly Message[];
  toJSON(): ThreadState;
}

export function createThread<M extends Message = Message, T extends NamedTool = NamedTool>(options: ThreadOptions<T> = {}): Thread<M, T> {
  const parsed = parseThreadOptions(options);
  if (parsed.state !== undefined) return guardedThread<Thread<M, T>, M, T>(new RunningThread<M, T>(parsed, parseState(parsed.state)));
  return guardedThread<Thread<M, T>, M, T>(new RunningThread<M, T>(parsed, { id: crypto.randomUUID(), log: [], edits: [], pins: [], seenFrom: 0, held: [] }));
}

/** Returns a thread for an owner that keeps its conversation. */
export function runThread<M extends Message, T extends NamedTool>(options: ThreadOptions<T>, state: Omit<ThreadState, "version">): RunningThread<M, T> {
  return new RunningThread<M, T>(parseThreadOptions(options), state);
}

/** Returns the thread with errors that name the caller's arguments. */
export function guardedThread<R extends Thread<M, T>, M extends Message, T extends NamedTool>(thread: R): R {
  return guardMethods<Thread<M, T>>(thread, {
    user: ["content"],
    assistant: ["message"],
    toolResults: ["results"],
    observe: ["usage"],
    compact: ["replacements"],
    recall: ["input"],
  }) as R;
}

export class RunningThread<M extends Message, T extends NamedTool> implements Thread<M, T> {
  readonly #options: ParsedThreadOptions<T>;
  readonly conversation: Conversation;
  readonly #policies: PolicyRunner;
  readonly #events = new ThreadEvents();
  #round: OpenRound | undefined;
  /** The last request, until its response is here. */
  #sent: { readonly length: number; readonly edits: readonly Edit[] } | undefined;

  constructor(options: ParsedThreadOptions<T>, { held, decided, ...state }: Omit<ThreadState, "version">) {
    this.#options = options;
    const conversation = new Conversation(options.target, { ...state, steps: decided === undefined ? [] : [decided] });
    this.conversation = conversation;
    this.#policies = new PolicyRunner(conversation, options.policies({ thread: conversation.id, named: options.recall }), options.recall);
    this.#round = OpenRound.of(conversation, held);
  }

  get id(): string {
    return this.conversation.id;
  }

  user(content: string | readonly (Block | OpenBlock)[]): void {
    this.#refuseOpenRound();
    this.#append(parseUserContent(content), this.#options.reminder());
  }

  assistant(response: AssistantMessage): AssistantOutcome {
    this.#refuseOpenRound();
    const { message, usage, isPaused } = parseResponse(response);
    const calls = blocksOf(message).filter(isToolUse);
    const inputTokens = usage === undefined ? undefined : inputTokensOf(usage);
    if (this.conversation.length === 0) throw new PalimpsestError("EMPTY_THREAD", "The thread begins with a message of the user's.");
    const isOurs = calls.length > 0 && calls.every(({ name }) => isAnsweredHere(name, this.#options, this.#known));
    const reminder = isOurs ? this.#options.reminder() : undefined;

    return this.#events.deferring(() => {
      if (message.content.length > 0) this.#take(message, reminder);
      if (inputTokens !== undefined) this.#updated(this.#policies.answered(inputTokens));
      if (this.#round !== undefined) return { next: "tools", calls: this.#round.missing };
      return { next: calls.length > 0 || isPaused ? "request" : "user", calls: [] };
    });
  }

  toolResults(results: readonly (ToolResultBlock | OpenBlock)[]): void {
    const given = parseResults(results);
    if (this.#round === undefined) throw callUnknown(given[0]?.tool_use_id ?? "", []);
    const round = this.#round.with(given, "results");
    const reminder = round.missing.length === 0 ? this.#options.reminder() : undefined;
    this.#round = round;
    if (round.missing.length === 0) this.#events.deferring(() => this.#answer(round, reminder));
  }

  request(): ThreadRequest<M, T> {
    this.#refuseOpenRound();
    if (this.conversation.length === 0) throw new PalimpsestError("EMPTY_THREAD", "Nothing is in the thread yet: begin with user().");
    this.#updated(this.#policies.beforeCall({ upTo: this.conversation.length, model: this.#options.model, headHash: "", atMs: Date.now() }));
    const { messages } = this.conversation.view();
    this.#sent = { length: this.conversation.length, edits: this.conversation.edits };
    const shown = this.#options.overview && !this.#keepsOverview() ? withTail(messages, overviewOf(this.conversation)) : messages;
    return { messages: [...shown] as M[], tools: [...this.#ownTools(), ...(this.#options.tools ?? [])] };
  }

  observe(usage: ReportedUsage): void {
    this.#updated(this.#policies.answered(inputTokensOf(usage)));
  }

  compact(replacements: readonly Replacement[]): Edit[] {
    // The end is before calls that wait for their results, so these stay.
    const end = { position: this.#round?.position ?? this.conversation.length, block: 0 };
    const reminder = this.#waits ? this.#options.reminder() : undefined;
    const edits = compactLog(this.conversation, replacements, { strip: this.#options.strip, end });
    this.#goOn(reminder);
    this.#updated(edits);
    return edits;
  }

  recall(input: RecallInput): Recalled {
    const recalled = this.conversation.recall(input);
    this.#events.emit("recalled", { handle: recalled.handle });
    return recalled;
  }

  checkpoints(): { id: string; position: number }[] {
    return this.conversation.usableCheckpoints().usable.map(({ id, position }) => ({ id, position }));
  }

  edits(): readonly Edit[] {
    return this.conversation.edits;
  }

  undo(editId: string): Edit {
    const edit = this.conversation.undo(editId);
    this.#events.emit("messages-updated", { edits: [edit], undone: true });
    return edit;
  }

  pin(position: number, reason = ""): Pin {
    return this.conversation.pin(position, reason);
  }

  unpin(pinId: string): void {
    this.conversation.unpin(pinId);
  }

  truncate(length: number): Thread<M, T> {
    if (!Number.isInteger(length) || length < 0 || length > this.conversation.length)
      throw invalid("INVALID_INPUT", "length", `a length of the log, 0 to ${this.conversation.length}`, length);
    const state = this.conversation.stateAt(length, `${this.id}/${hash64(`${length}|${crypto.randomUUID()}`)}`);
    const held = length === this.conversation.length ? (this.#round?.results ?? []) : hiddenResultsAt(this.conversation, length, this.#options, this.#known);
    const branch = new RunningThread<M, T>(this.#options, { ...state, held: held as readonly HeldResult[], ...decidedIn(state.steps) });
    const reminder = branch.#waits || branch.#round?.missing.length === 0 ? this.#options.reminder() : undefined;
    if (branch.#round?.missing.length === 0) branch.#answer(branch.#round, reminder);
    else branch.#goOn(reminder);
    return guardedThread<Thread<M, T>, M, T>(branch);
  }

  on<K extends keyof ThreadEventMap>(event: K, listener: (event: ThreadEventMap[K]) => void): () => void {
    return this.#events.on(event, listener);
  }

  log(): readonly Message[] {
    return [...this.conversation.log];
  }

  toJSON(): ThreadState {
    const { steps: _, ...state } = this.conversation.toJSON();
    return { version: STATE_VERSION, ...state, ...this.beside };
  }

  /** The state of the thread besides its log and its edits. */
  get beside(): Beside {
    const held = (this.#round?.results ?? []) as readonly HeldResult[];
    return { pins: this.conversation.pins, held, ...decidedIn(this.conversation.steps) };
  }

  #take(message: Message, reminder: string | undefined): void {
    const isStale = this.#sent !== undefined && (this.#sent.length !== this.conversation.length || this.#sent.edits !== this.conversation.edits);
    this.#sent = undefined;
    const position = this.conversation.append(message);
    if (isStale) this.#updated(this.conversation.commit(staleThinking(this.conversation.parsed, position)));
    const { strip } = this.#options;
    const hidden = runHiddenCalls(this.conversation, position, { tools: this.#options, known: this.#known, strip, events: this.#events });
    this.#round = OpenRound.of(this.conversation, hidden);
    if (this.#round?.missing.length === 0) this.#answer(this.#round, reminder);
  }

  /** Whether it is the model's turn. */
  get #waits(): boolean {
    return this.conversation.log.at(-1)?.role === "user";
  }

  /** If a summary has replaced the message that the model should answer, tells it to continue. */
  #goOn(reminder: string | undefined): void {
    if (this.#waits && this.conversation.arrange().messages.at(-1)?.role === "assistant") this.#append([textBlock(CONTINUE)], reminder);
  }

  #answer(round: OpenRound, reminder: string | undefined): void {
    this.#round = undefined;
    const position = this.#append(this.#options.compact ? round.content() : round.results, reminder);
    this.#updated(this.#policies.arrived(position));
  }

  /** Appends a user message: with the reminder, and the checkpoint last. */
  #append(blocks: readonly Block[], reminder: string | undefined): number {
    const overview = this.#options.overview && this.#keepsOverview() && this.conversation.length > 0 ? overviewOf(this.conversation) : undefined;
    const content: Block[] = [...blocks];
    for (const text of [reminder, overview]) if (text !== undefined && !isBlank(text)) content.push(reminderBlock(text));
    if (this.#options.compact) content.push(this.conversation.newCheckpoint());
    return this.conversation.append({ role: "user", content });
  }

  /** Thinking is bound to what was sent with it (A4.8): without the overview in the next request, the thinking would be invalid. So the overview stays, as a reminder. */
  #keepsOverview(): boolean {
    const { bindsThinking, dropBlock, thinking } = this.#options.target;
    return bindsThinking && !dropBlock && thinking !== "off";
  }

  /** Names of all tools of the model. Undefined: the caller has not listed them. */
  get #known(): readonly string[] | undefined {
    const { tools } = this.#options;
    return tools === undefined ? undefined : [...this.#ownTools(), ...tools].map(({ name }) => name);
  }

  #ownTools(): ToolDefinition[] {
    return [...(this.#options.compact ? [compactTool] : []), ...(this.#options.recall ? [recallTool] : [])];
  }

  #updated(edits: readonly Edit[]): void {
    if (edits.length > 0) this.#events.emit("messages-updated", { edits, undone: false });
  }

  #refuseOpenRound(): void {
    if (this.#round === undefined) return;
    const calls = this.#round.missing.map(({ id }) => id);
    throw new PalimpsestError("RESULTS_MISSING", `These calls have no result yet: ${calls.join(", ")}. Give them with toolResults().`, { calls });
  }
}

function decidedIn(steps: readonly Step[]): Pick<ThreadState, "decided"> {
  const decided = steps.at(-1);
  return decided === undefined ? {} : { decided };
}

/** Adds text after the last message, for this request only. */
function withTail(messages: readonly Message[], text: string): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== "user" || text === "") return messages;
  return [...messages.slice(0, -1), shownMessage({ ...last, content: [...blocksOf(last), reminderBlock(text)] })];
}
