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

// Guarded: an argument that cannot be read is named in the error, wherever it makes a function fail.
/** Returns the messages as a first call would send them, with nothing cached: for a single use. */
export const compact: typeof compactUnguarded = /* @__PURE__ */ guarded(compactUnguarded, "messages", "options");
export const createCompactor: typeof createCompactorUnguarded = /* @__PURE__ */ guarded(createCompactorUnguarded, "options");
/** Returns the edits that `compact` would make. */
export const plan: typeof planUnguarded = /* @__PURE__ */ guarded(planUnguarded, "messages", "options");
/** Returns the policy functions of one format. Unchanged messages come back as the same objects; leading system messages stay in place, outside of the log. */
export const policyFor: typeof policyForUnguarded = /* @__PURE__ */ guarded(policyForUnguarded, "codec");
/** Runs a call of `recall` in your own loop: returns the content for the result of the call. If the model made a mistake, that is a text that says so. */
export const runRecall: typeof runRecallUnguarded = /* @__PURE__ */ guarded(runRecallUnguarded, "conversation", "input");
