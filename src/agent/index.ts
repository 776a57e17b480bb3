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

// Whatever callers give: what cannot be read is named, wherever it makes a function fail.
/** One thread is open in one process at a time: where another one writes to it, `saved()` is rejected. */
export const openThread: typeof openThreadUnguarded = /* @__PURE__ */ guarded(openThreadUnguarded, "options");
export const createThread: typeof createThreadUnguarded = /* @__PURE__ */ guarded(createThreadUnguarded, "options");
/** Runs a call of `recall` in a loop of one's own: returns what goes into the result of the call. A mistake of the model's is said in words. */
export const runRecall: typeof runRecallUnguarded = /* @__PURE__ */ guarded(runRecallUnguarded, "conversation", "input");
