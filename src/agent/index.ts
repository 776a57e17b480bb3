import { guarded } from "../errors/guarded.ts";
export { compactTool } from "../conversation/tools/compact-tool.ts";
export { recallTool, type RecallInput, type RecallOptions } from "../conversation/tools/recall-tool.ts";
import { runRecall as runRecallUnguarded, type RecallSource } from "../conversation/tools/run-recall.ts";
export type { RecallSource };
export type { ObjectSchema, ToolDefinition } from "../conversation/tools/tool-definition.ts";
import { openThread as openThreadUnguarded } from "./open-thread.ts";
export type { OpenThreadOptions, StoredThread } from "./open-thread.ts";
export type { Recalled } from "../conversation/recall.ts";
export type { Pin } from "../conversation/pin.ts";
import { createThread as createThreadUnguarded } from "./thread/thread.ts";
export type { AssistantOutcome, Thread, ThreadRequest } from "./thread/thread.ts";
export type { ThreadEventMap } from "./thread/thread-events.ts";
export type { AssistantMessage } from "./thread/thread-input.ts";
export type { NamedTool, ThreadOptions } from "./thread/thread-options.ts";
export type { CompactionConfig, PolicyChoice, PolicyPart, ThreadBudget } from "../policy/shortening-options.ts";
export type { Policy } from "../policy/policy.ts";
export type { HeldResult, ThreadState } from "./thread/thread-state.ts";

// Guarded: an error about unreadable input names the argument.
/** A thread can be open in one process at a time: if another one writes to it, `saved()` rejects. */
export const openThread: typeof openThreadUnguarded = /* @__PURE__ */ guarded(openThreadUnguarded, "options");
export const createThread: typeof createThreadUnguarded = /* @__PURE__ */ guarded(createThreadUnguarded, "options");
/** Runs a call of `recall` in your own loop: returns the content for the result of the call. Mistakes of the model are returned as text. */
export const runRecall: typeof runRecallUnguarded = /* @__PURE__ */ guarded(runRecallUnguarded, "conversation", "input");
