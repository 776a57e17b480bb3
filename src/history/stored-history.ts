import type { Edit } from "../edits/edit.ts";
import { render, type RenderTarget } from "../edits/render.ts";
import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import { boolean, callback, object, parseOptions, string, type Field } from "../errors/parse-options.ts";
import type { Block, Message } from "../messages/message.ts";
import { parseMessages } from "../messages/parse-messages.ts";
import { parseTarget } from "../messages/target.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";
import type { BranchInfo, Store, StoredCommit } from "../store/store.ts";
import { answeredView, requireSendable } from "./answered-view.ts";
import { AUTHORSHIP, parseAuthors, parseAuthorship } from "./authorship.ts";
import { BranchLog, entryOf, readEntries } from "./branch-log.ts";
import type { CommitChain } from "./commit-chain.ts";
import { isEdited, isSaid, shownContent, type CommitContent } from "./commit-content.ts";
import { addEdits } from "./commit-edits.ts";
import { commitLike, commitWith, type CommitLike } from "./commit-lookup.ts";
import { toCommit, type Commit } from "./commit.ts";
import { compressCommits } from "./compress-commits.ts";
import {
  choose,
  chooseTurns,
  parseCompress,
  parseCompressToolCalls,
  type CompressOptions,
  type CompressRequest,
  type CompressToolCallsOptions,
} from "./compress-request.ts";
import type { Chosen } from "./compress-runs.ts";
import type { Compressed } from "./compress.ts";
import type { ViewOptions } from "./history-queries.ts";
import { diffStates, type HistoryDiff } from "./diff.ts";
import { ToolFinder, type ToolQuery, type ToolTurn } from "./find-tools.ts";
import { HistoryEvents, type HistoryEvent, type HistoryEventMap, type HistoryListener } from "./history-events.ts";
import { parseAssistantMessage, parseName, parseResult, parseUserMessage, type Content } from "./history-input.ts";
import type { AppendOptions, CommitOptions, History, ToolResultOptions } from "./history.ts";
import { LateSummaries } from "./late-summaries.ts";
import { BranchState } from "./branch-state.ts";
import { queryLog, type LogQuery } from "./query-log.ts";
import { addMessages, isSpoken, type Authorship } from "./said-commits.ts";
import { salvageThread, type Salvaged } from "./salvage.ts";
import { readStep, stepToStore, type RecordedStep, type StepToRecord } from "./steps.ts";
import { summarizeText, type Summarized, type SummaryWish } from "./summarize-text.ts";
import { TaskQueue } from "./task-queue.ts";
import type { ToolResultHandler } from "./tool-result-hook.ts";
import { threadUnknown, ThreadBranches } from "./thread-branches.ts";
import { ThreadImport } from "./thread-import.ts";
import { ToolResultWriter } from "./tool-result-writer.ts";
import { addResultEdit } from "./tool-results.ts";
import { parseToolSummarization, summarizingHandler, type ToolInstructions, type ToolSummarization } from "./tool-summarization.ts";
import { exportThread, importThread, parseExport } from "./transfer.ts";
import { addUndo } from "./undo.ts";
import { verifyStore, verifyThread, type Verification, type VerifyOptions } from "./verify.ts";

const MAIN = "main";
const EVENTS: readonly string[] = ["edit", "compact", "error"] satisfies (keyof HistoryEventMap)[];

export interface StoredHistoryOptions {
  readonly store: Store;
  readonly ownsStore: boolean;
  readonly thread: string;
  readonly summarizer: Summarizer;
  readonly limitMs: number;
}

export class StoredHistory implements History {
  readonly thread: string;
  readonly #store: Store;
  readonly #ownsStore: boolean;
  readonly #summarize: (wish: SummaryWish) => Promise<Summarized>;
  readonly #queue = new TaskQueue();
  readonly #events = new HistoryEvents();
  readonly #late: LateSummaries;
  readonly #results: ToolResultWriter;
  readonly #branches: ThreadBranches;
  #branch: BranchLog;

  constructor({ store, ownsStore, thread, summarizer, limitMs }: StoredHistoryOptions) {
    this.thread = thread;
    this.#store = store;
    this.#ownsStore = ownsStore;
    this.#summarize = (wish) => summarizeText(summarizer, wish, limitMs);
    this.#late = new LateSummaries(this.#summarize, this.#events);
    this.#results = new ToolResultWriter(this, this.#summarize, limitMs, this.#events, this.#late);
    this.#branches = new ThreadBranches(store, thread);
    this.#branch = this.#branchLog(MAIN);
  }

  get currentBranch(): string {
    return this.#branch.ref.branch;
  }

  async user(content: Content, options: CommitOptions = {}): Promise<Commit> {
    return this.#say(parseUserMessage(content), parseAuthorship(options, "user"));
  }

  async assistant(message: Content | { readonly content: Content }, options: CommitOptions = {}): Promise<Commit> {
    return this.#say(parseAssistantMessage(message), parseAuthorship(options, "assistant"));
  }

  async toolResult(callId: string, name: string, content: Content, options: ToolResultOptions = {}): Promise<Commit> {
    const { edit, isError, author, reason } = parseOptions(options, "options", { ...AUTHORSHIP, edit: commitLike, isError: boolean });
    if (!string.accepts(callId)) throw invalid("INVALID_INPUT", "callId", string.expected, callId);
    if (!string.accepts(name)) throw invalid("INVALID_INPUT", "name", string.expected, name);
    const block = parseResult(callId, content, isError === true);
    const by = { author: author ?? name, ...(reason === undefined ? {} : { reason }) };
    if (edit === undefined) return this.#results.write(this.#branch, block, name, by);
    const given = { callId, name, content, isError, edit, author: author ?? "toolResult", reason: reason ?? "edited" };
    const { commit, added } = await this.#batch((state, chain) => ({ commit: addResultEdit(state, chain, given), added: [...chain.entries] }));
    this.#tellEdits(
      added.map((entry) => entry.commit),
      added.flatMap(({ content: made }) => (isEdited(made) ? [made.edit] : [])),
      false,
    );
    return toCommit(commit);
  }

  async append(messages: readonly Message[], options: AppendOptions = {}): Promise<Commit[]> {
    const given = [...parseMessages(messages)];
    return (await this.#add(given, parseAuthors(options, given.length))).map(toCommit);
  }

  async compress(options: CompressOptions): Promise<Compressed> {
    const request = parseCompress(options);
    return this.#compress(request, (state) => choose(state, request));
  }

  async compressToolCalls(commits?: readonly CommitLike[], options: CompressToolCallsOptions = {}): Promise<Compressed> {
    const { name, request } = parseCompressToolCalls(commits, options);
    return this.#compress(request, (state) => chooseTurns(state, request, name));
  }

  async undo(edit: string | Commit, options: CommitOptions = {}): Promise<Commit> {
    const { author, reason } = parseOptions(options, "options", AUTHORSHIP);
    const { commit, undone } = await this.#batch((state, chain) => addUndo(state, chain, edit, author ?? "undo", reason));
    this.#tellEdits([commit], [undone], true);
    return toCommit(commit);
  }

  async settle(): Promise<Commit[]> {
    const commits: StoredCommit[] = [];
    for (const branch of await this.#late.settled()) {
      const entries = await this.#late.writeBatch(branch, (_, chain) => chain.entries);
      commits.push(...entries.map(({ commit }) => commit));
    }
    return commits.map(toCommit);
  }

  async findToolResults(query: ToolQuery = {}): Promise<Commit[]> {
    return this.#finder.results(query);
  }

  async findToolCalls(query: ToolQuery = {}): Promise<Commit[]> {
    return this.#finder.calls(query);
  }

  async findToolTurns(query: ToolQuery = {}): Promise<ToolTurn[]> {
    return this.#finder.turns(query);
  }

  async configureToolSummarization(config: ToolInstructions | ToolSummarization): Promise<void> {
    await this.on("tool_result", summarizingHandler(parseToolSummarization(config)));
  }

  on<K extends HistoryEvent>(event: K, listener: HistoryListener<K>): Promise<() => void> {
    return new Promise((resolve) => {
      resolve(this.#listen(event, listener));
    });
  }

  async log(query: LogQuery = {}): Promise<Commit[]> {
    return queryLog(this.#store, this.#branch.ref, query);
  }

  async getCommit(commit: CommitLike): Promise<Commit> {
    return toCommit(await commitWith(this.#store, this.thread, commit));
  }

  async getContent(commit: CommitLike): Promise<string | readonly Block[]> {
    return shownContent(await this.#contentOf(await commitWith(this.#store, this.thread, commit)));
  }

  async getEdit(commit: CommitLike): Promise<Edit | undefined> {
    const stored = await commitWith(this.#store, this.thread, commit);
    const content = await this.#contentOf(stored);
    if (isSaid(content)) return undefined;
    if (isEdited(content)) return content.edit;
    const edit = await this.getEdit(stored.edits ?? "");
    return edit === undefined ? undefined : { ...edit, undoneAt: content.undo.undoneAt };
  }

  async messages(): Promise<readonly Message[]> {
    return this.#branch.read((state) => [...state.messages]);
  }

  async edits(): Promise<readonly Edit[]> {
    return this.#branch.read((state) => state.edits);
  }

  async view(options: ViewOptions = {}): Promise<Message[]> {
    const { at, target = {}, sendable = false } = parseOptions(options, "options", { at: commitLike, target: object<RenderTarget>(), sendable: boolean });
    const show = (state: BranchState): Message[] => {
      const view = answeredView(viewOf(state, target));
      return sendable ? requireSendable(view, target) : view;
    };
    return at === undefined ? this.#branch.read(show) : show(await this.#stateAt(at));
  }

  async diff(a: CommitLike, b: CommitLike): Promise<HistoryDiff> {
    return diffStates(await this.#stateAt(a), await this.#stateAt(b));
  }

  async commitEdits(edits: readonly Edit[]): Promise<Commit[]> {
    const { commits, added } = await this.#batch((state, chain) => ({ commits: addEdits(state, chain, edits), added: [...chain.entries] }));
    const made = added.flatMap(({ content }) => (isEdited(content) ? [content.edit] : []));
    this.#tellEdits(commits, made, false);
    return commits.map(toCommit);
  }

  async record(step: StepToRecord): Promise<RecordedStep> {
    const branch = this.#branch;
    return branch.read(async (state) => {
      if (state.tip === null) throw new PalimpsestError("EMPTY_THREAD", "The thread has no messages yet, so no model can have been called with it.");
      const { recorded, stored } = stepToStore(state, step);
      await this.#store.addStep(branch.ref, stored);
      return recorded;
    });
  }

  async steps(): Promise<readonly RecordedStep[]> {
    return (await this.#store.steps(this.#branch.ref)).map(readStep);
  }

  async branch(name: string, options: { readonly at?: CommitLike } = {}): Promise<BranchInfo> {
    parseName(name, "name");
    const { at } = parseOptions(options, "options", { at: commitLike });
    const { ref } = this.#branch;
    return this.#branches.fork(at === undefined ? await this.#branches.end(ref) : await this.#branches.placeAfter(at, ref), name);
  }

  async switch(name: string): Promise<void> {
    await this.#branches.named(name);
    this.#branch = this.#branchLog(name);
  }

  async branches(): Promise<readonly BranchInfo[]> {
    return this.#store.branches(this.thread);
  }

  async export(): Promise<string> {
    await this.#branches.all();
    return exportThread(this.#store, this.thread);
  }

  async import(jsonl: string): Promise<number> {
    const branches = parseExport(jsonl);
    const target = await ThreadImport.begin(this.#store, this.thread);
    return target.complete((id) => importThread(this.#store, id, this.thread, branches));
  }

  async salvage(): Promise<Salvaged> {
    await this.#branches.all();
    return salvageThread(this.#store, this.thread);
  }

  async verify(options: VerifyOptions = {}): Promise<Verification> {
    const { expect, repair } = parseOptions(options, "options", { expect: string, repair: boolean });
    await this.#branches.all();
    const ofStore = await verifyStore(this.#store, { repair: repair === true });
    const { commits, faults } = await verifyThread(this.#store, this.thread, { repair: repair === true, ...(expect === undefined ? {} : { expect }) });
    return { ok: ofStore.length + faults.length === 0, commits, faults: [...faults, ...ofStore] };
  }

  async retain(options: { readonly olderThan: Date | number }): Promise<string[]> {
    const { olderThan } = parseOptions(options, "options", { olderThan: TIME });
    if (olderThan === undefined) throw invalid("INVALID_OPTION", "options.olderThan", TIME.expected, olderThan);
    return this.#store.retain(Number(olderThan));
  }

  async forget(thread: string): Promise<void> {
    parseName(thread, "thread");
    if (!(await this.#store.forget(thread))) throw threadUnknown(thread);
  }

  async close(): Promise<void> {
    this.#late.close();
    if (this.#ownsStore) await this.#store.close();
  }

  #listen<K extends HistoryEvent>(event: K, listener: HistoryListener<K>): () => void {
    const handler = callback<HistoryListener<K>>("a function");
    if (!handler.accepts(listener)) throw invalid("INVALID_OPTION", "listener", handler.expected, listener);
    if (event === "tool_result") return this.#results.use(listener as ToolResultHandler);
    if (!EVENTS.includes(event)) throw invalid("INVALID_OPTION", "event", ["tool_result", ...EVENTS].join(", "), event);
    return this.#events.on(event, listener as (event: HistoryEventMap[keyof HistoryEventMap]) => void);
  }

  #compress(request: CompressRequest, choice: (state: BranchState) => Chosen): Promise<Compressed> {
    return compressCommits({ branch: this.#branch, late: this.#late, request, choose: choice, summarize: this.#summarize, events: this.#events });
  }

  get #finder(): ToolFinder {
    return new ToolFinder(this.#store, this.#branch.ref);
  }

  #branchLog(branch: string): BranchLog {
    return new BranchLog(this.#store, { thread: this.thread, branch }, this.#queue);
  }

  async #contentOf(commit: StoredCommit): Promise<CommitContent> {
    const contents = await this.#store.contents([commit.contentHash]);
    return entryOf(this.#store, commit, contents.get(commit.contentHash)).content;
  }

  async #say(message: Message, by: Authorship): Promise<Commit> {
    const [commit] = await this.#add([message], () => by);
    return toCommit(commit as StoredCommit);
  }

  /** When the user speaks, no tool loop is open, so a batch changes nothing that the model is in the middle of. */
  #add(messages: readonly Message[], by: (role: Message["role"], number: number) => Authorship): Promise<StoredCommit[]> {
    const plan = (state: BranchState, chain: CommitChain): StoredCommit[] => addMessages(state, chain, messages, by);
    return messages.some(isSpoken) ? this.#batch(plan) : this.#branch.write(plan);
  }

  /** Also commits the summaries that were written in the background. */
  #batch<T>(plan: (state: BranchState, chain: CommitChain) => T): Promise<T> {
    return this.#late.writeBatch(this.#branch, plan);
  }

  #tellEdits(commits: readonly StoredCommit[], edits: readonly Edit[], undone: boolean): void {
    if (commits.length > 0) this.#events.emit("edit", { commits: commits.map(toCommit), edits, undone });
  }

  /** Returns the log and the edits as they were when `at` was the last commit. */
  async #stateAt(at: CommitLike): Promise<BranchState> {
    const { ref, length } = await this.#branches.placeAfter(at, this.#branch.ref);
    if (ref === this.#branch.ref) return this.#branch.read((state) => BranchState.of(this.thread, state.entries.slice(0, length)));
    return BranchState.of(this.thread, await readEntries(this.#store, ref, 0, length));
  }
}

function viewOf({ conversation, messages, edits }: BranchState, target: RenderTarget): readonly Message[] {
  if (Object.hasOwn(target, "seenFrom") || Object.hasOwn(target, "sendable")) return render(messages, edits, target);
  conversation.target = parseTarget(target);
  return conversation.arrange().messages;
}

const TIME: Field<Date | number> = {
  expected: "a time: a date, or milliseconds since 1970",
  accepts: (value): value is Date | number => (value instanceof Date || typeof value === "number") && !Number.isNaN(Number(value)),
};
