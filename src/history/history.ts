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
export interface History extends HistoryQueries {
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

  /** Installs a handler that summarizes results as they come in. It takes the place of any other. */
  configureToolSummarization(config: ToolInstructions | ToolSummarization): Promise<void>;
  /** Waits for the summaries that are being written in the background, and commits them now. Gives their commits. */
  settle(): Promise<Commit[]>;
  /** A handler of `tool_result` replaces the one before; other events have any number of listeners. Gives what takes it off again. */
  on<K extends HistoryEvent>(event: K, listener: HistoryListener<K>): Promise<() => void>;

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

  /** The thread with all branches, as JSONL. Refuses a damaged one: see `salvage`. */
  export(): Promise<string>;
  /** What can be saved of a damaged thread, as JSONL that `import` takes, and what is missing in it. Of a thread without damage the same as `export`. */
  salvage(): Promise<Salvaged>;
  /** Writes what `export` gave into this thread, which must not be there. All of it or nothing. Gives how many commits were written. */
  import(jsonl: string): Promise<number>;
  /** Is all that is stored of the thread as it was written? */
  verify(options?: VerifyOptions): Promise<Verification>;
  /** Deletes every thread of the store whose newest commit and newest note are older. Gives their ids. */
  retain(options: { readonly olderThan: Date | number }): Promise<string[]>;
  /** Deletes a thread of the store. */
  forget(thread: string): Promise<void>;
  /** Closes the store, if it was opened for this history. Summaries in the background are given up: `settle` first, to keep them. */
  close(): Promise<void>;
}
