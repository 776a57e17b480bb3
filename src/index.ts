import { guarded } from "./errors/guarded.ts";
export { ERROR_CODES, PalimpsestError, type ErrorCode, type ErrorData } from "./errors/palimpsest-error.ts";
export { createCheckpointContent, generateCheckpointId } from "./messages/checkpoint.ts";
import { checkMessages as checkMessagesUnguarded } from "./messages/check-messages.ts";
export type { CheckTarget, Finding } from "./messages/check-messages.ts";
export type { Block, CheckpointBlock, OpenBlock, Message, TextBlock, ThinkingBlock, ToolResultBlock, ToolUseBlock } from "./messages/message.ts";
export type { Place } from "./messages/place.ts";
export type { Target } from "./messages/target.ts";
export type { Change, EditKind, ResultForm } from "./edits/change.ts";
import { makeEdit as makeEditUnguarded } from "./edits/edit.ts";
export type { Edit, EditDraft, EditOf, Proposal } from "./edits/edit.ts";
import { render as renderUnguarded } from "./edits/render.ts";
export type { RenderTarget } from "./edits/render.ts";
import { report as reportUnguarded } from "./edits/report.ts";
export type { PositionReport, ViewReport } from "./edits/report.ts";
export type { PrunerStrategy } from "./passes/prune-turns/prune-turns.ts";
export type { Replacement } from "./passes/replace-between-checkpoints/replace-between-checkpoints.ts";
import { checkpointsIn as checkpointsInUnguarded } from "./stateless/checkpoints-in.ts";
import { collapseToolChains as collapseToolChainsUnguarded } from "./stateless/collapse-tool-chains.ts";
import { compactOldToolResults as compactOldToolResultsUnguarded } from "./stateless/compact-old-tool-results.ts";
export type { BudgetConfig, CompactionNotice } from "./stateless/compact-old-tool-results.ts";
import { compactThread as compactThreadUnguarded } from "./stateless/compact-thread.ts";
export type { CompactThreadOptions } from "./stateless/compact-thread.ts";
import { compressToolResult as compressToolResultUnguarded } from "./stateless/compress-tool-result.ts";
export type { CompressorConfig } from "./stateless/compressor-config.ts";
import { inputTokensOf as inputTokensOfUnguarded } from "./stateless/input-tokens-of.ts";
export type { ReportedUsage } from "./stateless/input-tokens-of.ts";
import { pruneMessages as pruneMessagesUnguarded } from "./stateless/prune-messages.ts";
export type { PrunerConfig } from "./stateless/pruner-config.ts";
import { summarizeAndPrune as summarizeAndPruneUnguarded } from "./stateless/summarize-and-prune.ts";
export type { Summarizer } from "./stateless/summarize-and-prune.ts";
export { charsOver4 } from "./tokens/chars-over-4.ts";
export { estimateTokens } from "./tokens/estimate-tokens.ts";
export { calibrate, calibratedTokens, startCalibration, type Calibration } from "./tokens/calibration.ts";
export { CLAUDE_IMAGES, CLAUDE_LARGE_IMAGES, OPENAI_PATCHES, OPENAI_TILES, type ImageFormula } from "./tokens/image-tokens.ts";
import { estimateMessages as estimateMessagesUnguarded } from "./tokens/message-tokens.ts";
export type { Estimate } from "./tokens/message-tokens.ts";

// Whatever callers give: what cannot be read is named, wherever it makes a function fail.
/** Everything that the provider would refuse, as far as messages and target tell. An empty list: it would accept them. */
export const checkMessages: typeof checkMessagesUnguarded = /* @__PURE__ */ guarded(checkMessagesUnguarded, "messages", "target");
export const makeEdit: typeof makeEditUnguarded = /* @__PURE__ */ guarded(makeEditUnguarded, "draft");
/** The messages to send: the log with the edits in force shown in it. Pure; untouched messages are the same objects. */
export const render: typeof renderUnguarded = /* @__PURE__ */ guarded(renderUnguarded, "log", "edits", "target");
/** Where every message of the log went, and what the view saves. */
export const report: typeof reportUnguarded = /* @__PURE__ */ guarded(reportUnguarded, "log", "edits", "target");
/** The checkpoints of a thread, in order. An id that is listed twice cannot be used in `compactThread`. */
export const checkpointsIn: typeof checkpointsInUnguarded = /* @__PURE__ */ guarded(checkpointsInUnguarded, "messages");
/** The messages with old calls and their results written over by one line each. */
export const collapseToolChains: typeof collapseToolChainsUnguarded = /* @__PURE__ */ guarded(collapseToolChainsUnguarded, "messages", "config", "target");
/** Over the budget, the tool results of all rounds but the newest are cut to their first characters. */
export const compactOldToolResults: typeof compactOldToolResultsUnguarded = /* @__PURE__ */ guarded(
  compactOldToolResultsUnguarded,
  "messages",
  "config",
  "target",
);
/** The thread with summaries in place of the stretches between checkpoints. Throws, and changes nothing, if any of them cannot be done. */
export const compactThread: typeof compactThreadUnguarded = /* @__PURE__ */ guarded(compactThreadUnguarded, "messages", "replacements", "options");
/** The block with its text cut to `maxToolResultTokens`; the same block if it is short enough, or nothing is set. */
export const compressToolResult: typeof compressToolResultUnguarded = /* @__PURE__ */ guarded(compressToolResultUnguarded, "block", "config");
/** All tokens that the model read: input + cache read + cache creation. */
export const inputTokensOf: typeof inputTokensOfUnguarded = /* @__PURE__ */ guarded(inputTokensOfUnguarded, "usage");
/** At most `maxTurns` messages, without splitting a call from its result. */
export const pruneMessages: typeof pruneMessagesUnguarded = /* @__PURE__ */ guarded(pruneMessagesUnguarded, "messages", "config", "target");
/** `pruneMessages`, where `summarize` puts a real summary in the place of the note. */
export const summarizeAndPrune: typeof summarizeAndPruneUnguarded = /* @__PURE__ */ guarded(
  summarizeAndPruneUnguarded,
  "messages",
  "config",
  "summarizer",
  "target",
);
export const estimateMessages: typeof estimateMessagesUnguarded = /* @__PURE__ */ guarded(estimateMessagesUnguarded, "messages", "images");
