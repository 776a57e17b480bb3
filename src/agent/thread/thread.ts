import { isBlank } from "../../edits/blank.ts";
import type { Edit } from "../../edits/edit.ts";
import { hash64 } from "../../edits/edit-id.ts";
import { guardMethods } from "../../errors/guarded.ts";
import { invalid, PalimpsestError } from "../../errors/palimpsest-error.ts";
import { blocksOf, isToolUse, textBlock, type Block, type Message, type OpenBlock, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import type { Replacement } from "../../passes/replace-between-checkpoints/replace-between-checkpoints.ts";
import { inputTokensOf, type ReportedUsage } from "../../stateless/input-tokens-of.ts";
import { compactTool, CONTINUE } from "../tools/compact-tool.ts";
import { recallTool, type RecallInput } from "../tools/recall-tool.ts";
import type { ToolDefinition } from "../tools/tool-definition.ts";
import { compactLog } from "./compaction.ts";
import { hiddenResultsAt, isHiddenTool, recallFrom, runHiddenCalls, type Recalled } from "./hidden-calls.ts";
import { callUnknown, OpenRound } from "./open-round.ts";
import { overviewOf } from "./overview.ts";
import type { Pin } from "./pin.ts";
import { reminderBlock, shownMessage } from "./shown-blocks.ts";
import type { Step } from "../../policy/fold.ts";
import { Shortener } from "./shorten.ts";
import { staleThinking } from "./stale-thinking.ts";
import { ThreadEvents, type ThreadEventMap } from "./thread-events.ts";
import { parseResponse, parseResults, parseUserContent, type AssistantMessage } from "./thread-input.ts";
import { ThreadLog } from "./thread-log.ts";
import { parseThreadOptions, type NamedTool, type ParsedThreadOptions, type ThreadOptions } from "./thread-options.ts";
import { parseState, type HeldResult, type ThreadState } from "./thread-state.ts";

/** What the caller does next. */
export interface AssistantOutcome {
  /** `tools`: run `calls` and give their results; `request`: send the next request; `user`: the turn is over. */
  readonly next: "tools" | "request" | "user";
  /** The calls that are the caller's to run: without those of `compact` and `recall`. */
  readonly calls: readonly ToolUseBlock[];
}

/** What to send: spread into the parameters of the SDK's call. */
export interface ThreadRequest<M extends Message, T extends NamedTool> {
  readonly messages: M[];
  /** `compact` and `recall`, then the caller's. */
  readonly tools: (T | ToolDefinition)[];
}

/**
 * A conversation that keeps itself small. The caller says what happened (`user`, `assistant`, `toolResults`) and asks for the next
 * request; the thread puts checkpoints and reminders in, runs `compact` and `recall` itself, and shortens as it was told. A method
 * that throws has changed nothing.
 */
export interface Thread<M extends Message = Message, T extends NamedTool = NamedTool> {
  readonly id: string;
  user(content: string | readonly (Block | OpenBlock)[]): void;
  assistant(message: AssistantMessage): AssistantOutcome;
  /** Results of the caller's calls: all of them, or some now and some later. */
  toolResults(results: readonly (ToolResultBlock | OpenBlock)[]): void;
  request(): ThreadRequest<M, T>;
  /** What the provider reported for the last response. Needed only where `assistant` was given no usage. */
  observe(usage: ReportedUsage): void;
  /** Writes summaries over the stretches between checkpoints: all of them, or an error and nothing. */
  compact(replacements: readonly Replacement[]): Edit[];
  /** The original of something that was shortened, or a part of it. */
  recall(input: RecallInput): Recalled;
  /** Those that can be used in `compact`. */
  checkpoints(): { id: string; position: number }[];
  edits(): readonly Edit[];
  undo(editId: string): Edit;
  /** Nobody may take the message at this position of the log out of the view, not even `compact`. */
  pin(position: number, reason?: string): Pin;
  unpin(pinId: string): void;
  /** A thread of its own that goes on from here: the log up to this length, and the edits as they were then. This one stays as it is. */
  truncate(length: number): Thread<M, T>;
  on<K extends keyof ThreadEventMap>(event: K, listener: (event: ThreadEventMap[K]) => void): () => void;
  log(): readonly Message[];
  toJSON(): ThreadState;
}

export function createThread<M extends Message = Message, T extends NamedTool = NamedTool>(options: ThreadOptions<T> = {}): Thread<M, T> {
  const parsed = parseThreadOptions(options);
  if (parsed.state !== undefined) {
    const state = parseState(parsed.state);
    return guardedThread(new RunningThread<M, T>(parsed, new ThreadLog(parsed.target, state), state.held, state.decided));
  }
  const log = new ThreadLog(parsed.target, { id: crypto.randomUUID(), log: [], edits: [], pins: [], seenFrom: 0 });
  return guardedThread(new RunningThread<M, T>(parsed, log, [], undefined));
}

function guardedThread<M extends Message, T extends NamedTool>(thread: Thread<M, T>): Thread<M, T> {
  return guardMethods(thread, {
    user: ["content"],
    assistant: ["message"],
    toolResults: ["results"],
    observe: ["usage"],
    compact: ["replacements"],
    recall: ["input"],
  });
}

class RunningThread<M extends Message, T extends NamedTool> implements Thread<M, T> {
  readonly #options: ParsedThreadOptions<T>;
  readonly #log: ThreadLog;
  readonly #shortener: Shortener;
  readonly #events = new ThreadEvents();
  #round: OpenRound | undefined;
  /** What the model was asked with, until its response is here. */
  #sent: { readonly length: number; readonly edits: readonly Edit[] } | undefined;

  constructor(options: ParsedThreadOptions<T>, log: ThreadLog, held: readonly ToolResultBlock[], decided: Step | undefined) {
    this.#options = options;
    this.#log = log;
    this.#shortener = new Shortener(log, options, options.recall, decided);
    this.#round = OpenRound.of(log, held);
  }

  get id(): string {
    return this.#log.id;
  }

  user(content: string | readonly (Block | OpenBlock)[]): void {
    this.#refuseOpenRound();
    this.#append(parseUserContent(content), this.#options.reminder());
  }

  assistant(response: AssistantMessage): AssistantOutcome {
    this.#refuseOpenRound();
    const { message, usage, isPaused } = parseResponse(response);
    const calls = blocksOf(message).filter(isToolUse);
    this.#refuseUnknownTools(calls);
    const inputTokens = usage === undefined ? undefined : inputTokensOf(usage);
    if (this.#log.length === 0) throw new PalimpsestError("EMPTY_THREAD", "The thread begins with a message of the user's.");
    const isOurs = calls.length > 0 && calls.every(({ name }) => isHiddenTool(name, this.#options));
    const reminder = isOurs ? this.#options.reminder() : undefined;

    return this.#events.behind(() => {
      if (message.content.length > 0) this.#take(message, reminder);
      if (inputTokens !== undefined) this.#updated(this.#shortener.afterResponse(inputTokens));
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
    if (round.missing.length === 0) this.#events.behind(() => this.#answer(round, reminder));
  }

  request(): ThreadRequest<M, T> {
    this.#refuseOpenRound();
    if (this.#log.length === 0) throw new PalimpsestError("EMPTY_THREAD", "Nothing is in the thread yet: begin with user().");
    this.#updated(this.#shortener.beforeRequest({ model: this.#options.model, headHash: "", atMs: Date.now() }));
    const { messages } = this.#log.view();
    this.#sent = { length: this.#log.length, edits: this.#log.edits };
    const shown = this.#options.overview && !this.#keepsOverview() ? withTail(messages, overviewOf(this.#log)) : messages;
    return { messages: [...shown] as M[], tools: [...this.#ownTools(), ...(this.#options.tools ?? [])] };
  }

  observe(usage: ReportedUsage): void {
    this.#updated(this.#shortener.afterResponse(inputTokensOf(usage)));
  }

  compact(replacements: readonly Replacement[]): Edit[] {
    // Calls that wait for their results stay: the end is before them.
    const end = { position: this.#round?.position ?? this.#log.length, block: 0 };
    const reminder = this.#waits ? this.#options.reminder() : undefined;
    const edits = compactLog(this.#log, replacements, { strip: this.#options.strip, end });
    this.#goOn(reminder);
    this.#updated(edits);
    return edits;
  }

  recall(input: RecallInput): Recalled {
    const recalled = recallFrom(this.#log, input);
    this.#events.emit("recalled", { handle: recalled.handle });
    return recalled;
  }

  checkpoints(): { id: string; position: number }[] {
    return this.#log.usableCheckpoints().usable.map(({ id, position }) => ({ id, position }));
  }

  edits(): readonly Edit[] {
    return this.#log.edits;
  }

  undo(editId: string): Edit {
    const edit = this.#log.undo(editId);
    this.#events.emit("messages-updated", { edits: [edit], undone: true });
    return edit;
  }

  pin(position: number, reason = ""): Pin {
    return this.#log.pin(position, reason);
  }

  unpin(pinId: string): void {
    this.#log.unpin(pinId);
  }

  truncate(length: number): Thread<M, T> {
    if (!Number.isInteger(length) || length < 0 || length > this.#log.length)
      throw invalid("INVALID_INPUT", "length", `a length of the log, 0 to ${this.#log.length}`, length);
    const state = this.#log.stateAt(length, `${this.id}/${hash64(`${length}|${crypto.randomUUID()}`)}`);
    const held = length === this.#log.length ? (this.#round?.results ?? []) : hiddenResultsAt(this.#log, length, this.#options);
    const last = this.#shortener.decided;
    const decided = last !== undefined && last.upTo <= length ? last : undefined;
    const branch = new RunningThread<M, T>(this.#options, new ThreadLog(this.#options.target, state), held, decided);
    const reminder = branch.#waits || branch.#round?.missing.length === 0 ? this.#options.reminder() : undefined;
    if (branch.#round?.missing.length === 0) branch.#answer(branch.#round, reminder);
    else branch.#goOn(reminder);
    return guardedThread(branch);
  }

  on<K extends keyof ThreadEventMap>(event: K, listener: (event: ThreadEventMap[K]) => void): () => void {
    return this.#events.on(event, listener);
  }

  log(): readonly Message[] {
    return this.#log.parsed.log;
  }

  toJSON(): ThreadState {
    const { decided } = this.#shortener;
    const state = this.#log.toState((this.#round?.results ?? []) as readonly HeldResult[]);
    return decided === undefined ? state : { ...state, decided };
  }

  #take(message: Message, reminder: string | undefined): void {
    const isStale = this.#sent !== undefined && (this.#sent.length !== this.#log.length || this.#sent.edits !== this.#log.edits);
    this.#sent = undefined;
    const position = this.#log.append(message);
    if (isStale) this.#updated(this.#log.commit(staleThinking(this.#log.parsed, position)));
    const hidden = runHiddenCalls(this.#log, position, { tools: this.#options, strip: this.#options.strip, events: this.#events });
    this.#round = OpenRound.of(this.#log, hidden);
    if (this.#round?.missing.length === 0) this.#answer(this.#round, reminder);
  }

  /** Is it the model's turn to speak? */
  get #waits(): boolean {
    return this.#log.messages.at(-1)?.role === "user";
  }

  /** Where a summary has taken the message that the model was to answer, it is told to go on. */
  #goOn(reminder: string | undefined): void {
    if (this.#waits && this.#log.arrange().messages.at(-1)?.role === "assistant") this.#append([textBlock(CONTINUE)], reminder);
  }

  #answer(round: OpenRound, reminder: string | undefined): void {
    this.#round = undefined;
    const position = this.#append(this.#options.compact ? round.content() : round.results, reminder);
    this.#updated(this.#shortener.atIngest(position));
  }

  /** A message of the user's: with the reminder, and the checkpoint last. */
  #append(blocks: readonly Block[], reminder: string | undefined): number {
    const overview = this.#options.overview && this.#keepsOverview() && this.#log.length > 0 ? overviewOf(this.#log) : undefined;
    const content: Block[] = [...blocks];
    for (const text of [reminder, overview]) if (text !== undefined && !isBlank(text)) content.push(reminderBlock(text));
    if (this.#options.compact) content.push(this.#log.newCheckpoint());
    return this.#log.append({ role: "user", content });
  }

  /** Thinking is bound to what was sent with it (A4.8): what would be gone from the next request would take the thinking along. So it stays, as a reminder. */
  #keepsOverview(): boolean {
    const { bindsThinking, dropBlock, thinking } = this.#options.target;
    return bindsThinking && !dropBlock && thinking !== "off";
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

  #refuseUnknownTools(calls: readonly ToolUseBlock[]): void {
    const { tools } = this.#options;
    const unknown = calls.find(({ name }) => !isHiddenTool(name, this.#options) && tools?.some((tool) => tool.name === name) === false);
    if (unknown === undefined) return;
    const names = [...this.#ownTools(), ...(tools ?? [])].map(({ name }) => name);
    throw new PalimpsestError("CALL_UNKNOWN", `The response calls ${unknown.name}, which is none of the thread's tools: ${names.join(", ")}.`, {
      id: unknown.id,
      name: unknown.name,
      tools: names,
    });
  }
}

/** The last message with text behind it that only this request has. */
function withTail(messages: readonly Message[], text: string): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== "user" || text === "") return messages;
  return [...messages.slice(0, -1), shownMessage({ ...last, content: [...blocksOf(last), reminderBlock(text)] })];
}
