import { guarded } from "../errors/guarded.ts";
export type { Edit } from "../edits/edit.ts";
export type { BranchInfo, Note, NoteQuery, Store, ThreadInfo, UnfinishedImport } from "../store/store.ts";
import { openStore as openStoreUnguarded } from "../store/open-store.ts";
export type { OpenStoreOptions } from "../store/open-store.ts";
export { TOOL_SUMMARIZE_SYSTEM } from "../summarize/tool-summarize-system.ts";
export type { CommitLike } from "./commit-lookup.ts";
export type { Commit, CommitMetadata } from "./commit.ts";
export type { CompressOptions, CompressToolCallsOptions } from "./compress-request.ts";
export type { Compressed } from "./compress.ts";
export type { HistoryDiff, Hunk } from "./diff.ts";
export type { ToolQuery, ToolTurn } from "./find-tools.ts";
export type { HistoryEvent, HistoryEventMap, HistoryListener } from "./history-events.ts";
export type { Content } from "./history-input.ts";
export type { HistoryQueries, ViewOptions } from "./history-queries.ts";
export type { AppendOptions, CommitOptions, History, ToolResultOptions } from "./history.ts";
import { openCompactor as openCompactorUnguarded } from "./open-compactor.ts";
export type { OpenCompactorOptions, StoredCall, StoredCompactor } from "./open-compactor.ts";
import { openHistory as openHistoryUnguarded } from "./open-history.ts";
export type { HistoryOptions } from "./open-history.ts";
export type { LogQuery } from "./query-log.ts";
export type { RecordedStep, StepToRecord } from "./steps.ts";
import { summaryMemo as summaryMemoUnguarded } from "./summary-memo.ts";
export type { PendingToolResult, SummaryOptions, ToolResultHandler } from "./tool-result-hook.ts";
export type { ToolInstructions, ToolSummarization } from "./tool-summarization.ts";
export type { Salvaged } from "./salvage.ts";
export type { Fault, Verification, VerifyOptions } from "./verify.ts";

// Guarded: an argument that cannot be read is named in the error, wherever it makes a function fail.
/** "memory", "sqlite:path" or "postgres://user:password@host:port/database". A store's dependencies are loaded only if it is used. */
export const openStore: typeof openStoreUnguarded = /* @__PURE__ */ guarded(openStoreUnguarded, "address", "options");
export const openCompactor: typeof openCompactorUnguarded = /* @__PURE__ */ guarded(openCompactorUnguarded, "options");
export const openHistory: typeof openHistoryUnguarded = /* @__PURE__ */ guarded(openHistoryUnguarded, "options");
/** Keeps summaries in the store, for `memoized`, so that no process pays for the same summary again. */
export const summaryMemo: typeof summaryMemoUnguarded = /* @__PURE__ */ guarded(summaryMemoUnguarded, "store");
