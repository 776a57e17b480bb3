import { guarded } from "../errors/guarded.ts";
import { compact as compactUnguarded, createCompactor as createCompactorUnguarded, plan as planUnguarded } from "./compactor.ts";
export type { CallStep, Compacted, CompactedOnce, Compactor, CompactorOptions } from "./compactor.ts";
export type { CompactorState } from "./compactor-state.ts";
export type { Decision } from "../policy/decision.ts";
export type { Step } from "../policy/step.ts";
export { PRESETS, type PolicyNumbers, type PolicyOptions, type PresetName, type ToolSettings } from "../policy/policy-options.ts";
import { policyFor as policyForUnguarded } from "./policy-for.ts";
export type { CompactedAs, CompactedOnceAs, CompactorFor, PolicyFunctions } from "./policy-for.ts";
export type { Recallable } from "./recallable.ts";
export type { Recalled } from "./recall.ts";
export { recallTool, type RecallInput, type RecallOptions } from "./tools/recall-tool.ts";
import { runRecall as runRecallUnguarded, type RecallSource } from "./tools/run-recall.ts";
export type { RecallSource };
export type { ToolDefinition } from "./tools/tool-definition.ts";

// Whatever callers give: what cannot be read is named, wherever it makes a function fail.
/** The messages as a first call would send them, where nothing is cached: for a single use. */
export const compact: typeof compactUnguarded = /* @__PURE__ */ guarded(compactUnguarded, "messages", "options");
export const createCompactor: typeof createCompactorUnguarded = /* @__PURE__ */ guarded(createCompactorUnguarded, "options");
/** The edits that `compact` would make. */
export const plan: typeof planUnguarded = /* @__PURE__ */ guarded(planUnguarded, "messages", "options");
/** Messages that are not changed come back as the same objects; system messages at the start stay there, and are no part of the log. */
export const policyFor: typeof policyForUnguarded = /* @__PURE__ */ guarded(policyForUnguarded, "codec");
/** Runs a call of `recall` in a loop of one's own: returns what goes into the result of the call. A mistake of the model's is said in words. */
export const runRecall: typeof runRecallUnguarded = /* @__PURE__ */ guarded(runRecallUnguarded, "conversation", "input");
