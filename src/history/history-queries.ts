import type { Edit } from "../edits/edit.ts";
import type { RenderTarget } from "../edits/render.ts";
import type { Block, Message } from "../messages/message.ts";
import type { CommitLike } from "./commit-lookup.ts";
import type { Commit } from "./commit.ts";
import type { ToolQuery, ToolTurn } from "./find-tools.ts";
import type { LogQuery } from "./query-log.ts";

/** What can be asked of a history. A handler of `tool_result` gets no more: to write to the history while a result is pending could wait forever. */
export interface HistoryQueries {
  readonly thread: string;
  /** The one that is read and written. */
  readonly currentBranch: string;

  /** The current version of each result, in the order of the results. */
  findToolResults(query?: ToolQuery): Promise<Commit[]>;
  findToolCalls(query?: ToolQuery): Promise<Commit[]>;
  /** With all results of a turn, whichever tool was asked for. */
  findToolTurns(query?: ToolQuery): Promise<ToolTurn[]>;

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
  /**
   * What to send now, or what was sent when `at` was the last commit. Every call has its result: one that a crash left open, and that
   * something else came after, gets a result that says that it was interrupted. Only while calls of the last response wait for their
   * results does it end with them, and is to be sent when they are there.
   */
  view(options?: ViewOptions): Promise<Message[]>;
}

export interface ViewOptions {
  readonly at?: CommitLike;
  readonly target?: RenderTarget;
  /** It is sent as it is: throws, and says why, if the provider would not accept it. `RESULTS_MISSING`: calls of the last response wait for their results. Default: false. */
  readonly sendable?: boolean;
}
