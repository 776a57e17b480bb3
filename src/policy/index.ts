export { compact, createCompactor, plan, type CallStep, type Compacted, type Compactor, type CompactorOptions } from "./compactor.ts";
export type { CompactorState } from "./compactor-state.ts";
export type { Decision } from "./decision.ts";
export type { Step } from "./fold.ts";
export { PRESETS, type PolicyNumbers, type PolicyOptions, type PresetName, type ToolSettings } from "./policy-options.ts";
export { policyFor, type CompactedAs, type CompactorFor, type PolicyFunctions } from "./policy-for.ts";
