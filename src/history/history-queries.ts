import type { Edit } from "../edits/edit.ts";
import type { RenderTarget } from "../edits/render.ts";
import type { Block, Message } from "../messages/message.ts";
import type { CommitLike } from "./commit-lookup.ts";
import type { Commit } from "./commit.ts";
import type { ToolQuery, ToolTurn } from "./find-tools.ts";
import type { LogQuery } from "./query-log.ts";

/** The queries of a history. A handler of `tool_result` gets only these: writing to the history while a result is pending could deadlock. */
export interface HistoryQueries {
  readonly thread: string;
  /** The branch that is read and written. */
  readonly currentBranch: string;

  /** Returns the current version of each result, in the order of the results. */
  findToolResults(query?: ToolQuery): Promise<Commit[]>;
  findToolCalls(query?: ToolQuery): Promise<Commit[]>;
  /** Returns each turn with all of its results, whichever tool was asked for. */
  findToolTurns(query?: ToolQuery): Promise<ToolTurn[]>;

  /** Returns commits, oldest first. */
  log(query?: LogQuery): Promise<Commit[]>;
  getCommit(commit: CommitLike): Promise<Commit>;
  /** Returns what a commit said or shows; for a tool result, its content. It stays readable even if something else is shown. */
  getContent(commit: CommitLike): Promise<string | readonly Block[]>;
  /** Returns the edit that a commit made or undid (then `undoneAt` is set); undefined for messages and results. */
  getEdit(commit: CommitLike): Promise<Edit | undefined>;
  /** Returns the log: all messages, unedited. */
  messages(): Promise<readonly Message[]>;
  /** Returns all edits, with when they were made and undone. */
  edits(): Promise<readonly Edit[]>;
  /**
   * Returns what to send now, or what was sent when `at` was the last commit. Every call has its result: one that a crash left open, followed
   * by something else, gets a result that says it was interrupted. Only while calls of the last response wait for their
   * results does the view end with open calls; send it when the results are there.
   */
  view(options?: ViewOptions): Promise<Message[]>;
}

export interface ViewOptions {
  readonly at?: CommitLike;
  readonly target?: RenderTarget;
  /** Throw if the provider would refuse the view; `RESULTS_MISSING`: calls of the last response wait for their results. Default: false. */
  readonly sendable?: boolean;
}
