import type { Target } from "../../../messages/target.ts";
import { fieldsOf } from "../json-fields.ts";

/**
 * What the `thinking` of a request says about the target. One that does not speak of thinking leaves it to the model, and so does one
 * that speaks of it in words that are not known.
 */
export function thinkingTarget(thinking: unknown): Partial<Target> {
  const { type, block_binding: binding } = fieldsOf(thinking);
  const dropBlock = fieldsOf(binding)["prefix_mismatch_behavior"] === "drop_block" ? { dropBlock: true } : {};
  // A1.9: no prefill while the model thinks.
  if (type === "enabled") return { thinking: "manual", prefill: false, ...dropBlock };
  if (type === "adaptive") return { thinking: "adaptive", prefill: false, ...dropBlock };
  return type === "disabled" ? { thinking: "off", ...dropBlock } : dropBlock;
}
