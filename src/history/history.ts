import type { Edit } from "../edits/edit.ts";
import type { RenderTarget } from "../edits/render.ts";
import type { Block, Message } from "../messages/message.ts";
import type { BranchInfo } from "../store/store.ts";
import type { CommitLike } from "./commit-lookup.ts";
import type { Commit } from "./commit.ts";
import type { CompressOptions, CompressToolCallsOptions } from "./compress-request.ts";
import type { Compressed } from "./compress.ts";
import type { HistoryDiff } from "./diff.ts";
import type { ToolQuery, ToolTurn } from "./find-tools.ts";
import type { HistoryEvent, HistoryListener } from "./history-events.ts";
import type { Content } from "./history-input.ts";
import type { LogQuery } from "./query-log.ts";
import type { RecordedStep, StepToRecord } from "./steps.ts";
import type { ToolInstructions, ToolSummarization } from "./tool-summarization.ts";
import type { Verification } from "./verify.ts";

/** Who says so, and why: kept with the commit. */
export interface CommitOptions {
  readonly author?: string;
  readonly reason?: string;
}

export interface AppendOptions extends CommitOptions {
  /** When each of the messages was said, in milliseconds since 1970. Default: now. */
  readonly times?: readonly number[];
}

export interface ToolResultOptions extends CommitOptions {
  /** Show this result, of which a version is given, with the new content from now on. No handler is asked. */
  readonly edit?: CommitLike;
  /** The tool failed. */
  readonly isError?: boolean;
}

/**
 * A thread in a store: what was said, as commits that never change, and how it is shown, as further ones. A method that throws has
 * written nothing. Several histories, in several processes, may have the same thread: each sees what the others wrote.
 */
export interface History {
  readonly thread: string;
  /** The one that is read and written. */
  readonly currentBranch: string;

  user(content: Content, options?: CommitOptions): Promise<Commit>;
  /** A response of the model as an SDK gives it, its blocks, or its text. */
  assistant(message: Content | { readonly content: Content }, options?: CommitOptions): Promise<Commit>;
  /** The result of an open call; the commit is that of the original, whatever a handler shows instead. Or, with `edit`, another version of a result. */
  toolResult(callId: string, name: string, content: Content, options?: ToolResultOptions): Promise<Commit>;
  /** Messages as they are: one commit each; of a message with tool results, one for each of them and one for the rest. */
  append(messages: readonly Message[], options?: AppendOptions): Promise<Commit[]>;

  /** Writes summaries over commits: one over each run of them. */
  compress(options: CompressOptions): Promise<Compressed>;
  /** The same for tool turns, all of them unless commits are given; the last answer among them stays, and so does what a summary would not shorten. */
  compressToolCalls(commits?: readonly CommitLike[], options?: CompressToolCallsOptions): Promise<Compressed>;
  undo(edit: string | Commit, options?: CommitOptions): Promise<Commit>;

  /** The current version of each result, in the order of the results. */
  findToolResults(query?: ToolQuery): Promise<Commit[]>;
  findToolCalls(query?: ToolQuery): Promise<Commit[]>;
  /** With all results of a turn, whichever tool was asked for. */
  findToolTurns(query?: ToolQuery): Promise<ToolTurn[]>;

  /** Installs a handler that summarizes results as they come in. It takes the place of any other. */
  configureToolSummarization(config: ToolInstructions | ToolSummarization): Promise<void>;
  /** Waits for the summaries that are being written in the background, and commits them now. Gives their commits. */
  settle(): Promise<Commit[]>;
  /** A handler of `tool_result` replaces the one before; other events have any number of listeners. Gives what takes it off again. */
  on<K extends HistoryEvent>(event: K, listener: HistoryListener<K>): Promise<() => void>;

  /** Oldest first. */
  log(query?: LogQuery): Promise<Commit[]>;
  getCommit(commit: CommitLike): Promise<Commit>;
  /** What a commit said or shows: of a tool result its content. It stays readable, whatever is shown instead. */
  getContent(commit: CommitLike): Promise<string | readonly Block[]>;
  /** The edit that a commit made, or took back (`undoneAt` is set then); undefined where something was said. */
  getEdit(commit: CommitLike): Promise<Edit | undefined>;
  /** The log: everything as it was said. */
  messages(): Promise<readonly Message[]>;
  /** All edits, with when they were made and undone. */
  edits(): Promise<readonly Edit[]>;
  /** What to send now, or what was sent when `at` was the last commit. */
  view(options?: { readonly at?: CommitLike; readonly target?: RenderTarget }): Promise<Message[]>;
  diff(a: CommitLike, b: CommitLike): Promise<HistoryDiff>;

  /** Edits that a policy or a thread made: one commit each. Gives the commits that were new. */
  commitEdits(edits: readonly Edit[]): Promise<Commit[]>;
  /** A call of the model, as it was made with the log up to `upTo`. */
  record(step: StepToRecord): Promise<RecordedStep>;
  steps(): Promise<readonly RecordedStep[]>;

  /** A new branch that begins with what this one has up to a commit, the last one unless it is given. */
  branch(name: string, options?: { readonly at?: CommitLike }): Promise<BranchInfo>;
  switch(name: string): Promise<void>;
  branches(): Promise<readonly BranchInfo[]>;

  /** The thread with all branches, as JSONL. */
  export(): Promise<string>;
  /** Writes what `export` gave into this thread, which must have no commits. Gives how many were written. */
  import(jsonl: string): Promise<number>;
  verify(): Promise<Verification>;
  /** Deletes every thread of the store whose newest commit is older. Gives their ids. */
  retain(options: { readonly olderThan: Date | number }): Promise<string[]>;
  /** Deletes a thread of the store. */
  forget(thread: string): Promise<void>;
  /** Closes the store, if it was opened for this history. Summaries in the background are given up: `settle` first, to keep them. */
  close(): Promise<void>;
}
