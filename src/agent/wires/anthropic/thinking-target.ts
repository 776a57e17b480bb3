import type { Target } from "../../../messages/target.ts";
import { fieldsOf } from "../json-fields.ts";

/**
 * Returns what the `thinking` of a request says about the target. If it is missing or unknown, the model's defaults apply.
 */
export function thinkingTarget(thinking: unknown): Partial<Target> {
  const { type, block_binding: binding } = fieldsOf(thinking);
  const dropBlock = fieldsOf(binding)["prefix_mismatch_behavior"] === "drop_block" ? { dropBlock: true } : {};
  // A1.9: no prefill with thinking.
  if (type === "enabled") return { thinking: "manual", prefill: false, ...dropBlock };
  if (type === "adaptive") return { thinking: "adaptive", prefill: false, ...dropBlock };
  return type === "disabled" ? { thinking: "off", ...dropBlock } : dropBlock;
}
