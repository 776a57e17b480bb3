import type { Edit } from "../edits/edit.ts";
import type { Message } from "../messages/message.ts";
import type { BranchInfo } from "../store/store.ts";
import type { CommitLike } from "./commit-lookup.ts";
import type { Commit } from "./commit.ts";
import type { CompressOptions, CompressToolCallsOptions } from "./compress-request.ts";
import type { Compressed } from "./compress.ts";
import type { HistoryDiff } from "./diff.ts";
import type { HistoryEvent, HistoryListener } from "./history-events.ts";
import type { Content } from "./history-input.ts";
import type { HistoryQueries } from "./history-queries.ts";
import type { Salvaged } from "./salvage.ts";
import type { RecordedStep, StepToRecord } from "./steps.ts";
import type { ToolInstructions, ToolSummarization } from "./tool-summarization.ts";
import type { Verification, VerifyOptions } from "./verify.ts";

/** Who made the commit, and why; kept with it. */
export interface CommitOptions {
  readonly author?: string;
  readonly reason?: string;
}

export interface AppendOptions extends CommitOptions {
  /** The time of each message, in milliseconds since 1970. Default: now. */
  readonly times?: readonly number[];
}

export interface ToolResultOptions extends CommitOptions {
  /** A version of an existing result: show that result with the new content from now on. No handler is called. */
  readonly edit?: CommitLike;
  /** The tool failed. */
  readonly isError?: boolean;
}

/**
 * A thread in a store: messages as commits that never change, and edits as further commits. A method that throws has
 * written nothing. Several histories, in several processes, may use the same thread: each sees what the others wrote.
 */
export interface History extends HistoryQueries {
  user(content: Content, options?: CommitOptions): Promise<Commit>;
  /** Adds a response of the model as an SDK returns it, or its blocks, or its text. */
  assistant(message: Content | { readonly content: Content }, options?: CommitOptions): Promise<Commit>;
  /** Adds the result of an open call and returns the commit of the original, even if a handler shows something else. With `edit`, adds another version of a result. */
  toolResult(callId: string, name: string, content: Content, options?: ToolResultOptions): Promise<Commit>;
  /** Adds messages as they are, one commit each; a message with tool results becomes one commit per result and one for the rest. */
  append(messages: readonly Message[], options?: AppendOptions): Promise<Commit[]>;

  /** Replaces commits by summaries, one for each run of them. */
  compress(options: CompressOptions): Promise<Compressed>;
  /** Does the same for tool turns, all of them unless commits are given. Keeps the last answer among them, and whatever a summary would not shorten. */
  compressToolCalls(commits?: readonly CommitLike[], options?: CompressToolCallsOptions): Promise<Compressed>;
  undo(edit: string | Commit, options?: CommitOptions): Promise<Commit>;

  /** Installs a handler that summarizes results as they come in. It replaces any other handler. */
  configureToolSummarization(config: ToolInstructions | ToolSummarization): Promise<void>;
  /** Waits for the summaries that are being written in the background, commits them now, and returns their commits. */
  settle(): Promise<Commit[]>;
  /** Returns an unsubscribe function. A handler of `tool_result` replaces the one before; other events have any number of listeners. */
  on<K extends HistoryEvent>(event: K, listener: HistoryListener<K>): Promise<() => void>;

  diff(a: CommitLike, b: CommitLike): Promise<HistoryDiff>;

  /** Commits edits that a policy or a thread made, one commit each. Returns the new commits. */
  commitEdits(edits: readonly Edit[]): Promise<Commit[]>;
  /** Records a call of the model that was made with the log up to `upTo`. */
  record(step: StepToRecord): Promise<RecordedStep>;
  steps(): Promise<readonly RecordedStep[]>;

  /** Creates a branch that shares this one's commits up to `at`, by default the last. */
  branch(name: string, options?: { readonly at?: CommitLike }): Promise<BranchInfo>;
  switch(name: string): Promise<void>;
  branches(): Promise<readonly BranchInfo[]>;

  /** Returns the thread with all branches, as JSONL. Throws if it is damaged: see `salvage`. */
  export(): Promise<string>;
  /** Returns what can be saved of a damaged thread, as JSONL that `import` takes, and what is missing in it. For an undamaged thread, the same as `export`. */
  salvage(): Promise<Salvaged>;
  /** Writes what `export` returned into this thread, which must not exist yet: all of it or nothing. Returns how many commits were written. */
  import(jsonl: string): Promise<number>;
  /** Checks that everything stored of the thread is as it was written. */
  verify(options?: VerifyOptions): Promise<Verification>;
  /** Deletes every thread of the store whose newest commit and newest note are older than `olderThan`. Returns their ids. */
  retain(options: { readonly olderThan: Date | number }): Promise<string[]>;
  /** Deletes a thread of the store. */
  forget(thread: string): Promise<void>;
  /** Closes the store, if it was opened for this history. Abandons summaries in the background: call `settle` first to keep them. */
  close(): Promise<void>;
}
