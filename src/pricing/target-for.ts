import type { Target } from "../messages/target.ts";
import { modelInfo, type ModelOptions } from "./model-info.ts";

/** Returns what the model accepts, for `render`, `checkMessages` and the passes. */
export function targetFor(model: string, options: ModelOptions = {}): Target {
  const { thinking, prefill, windowTokens } = modelInfo(model, options);
  return {
    bindsThinking: thinking.bindsPrefix,
    thinking: thinking.mode,
    // A property of the request, not of the model: only the caller knows whether it is set (A4.8).
    dropBlock: false,
    prefill,
    windowTokens,
  };
}
