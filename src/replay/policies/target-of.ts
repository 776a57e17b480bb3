import type { Target } from "../../messages/target.ts";
import { targetFor } from "../../pricing/target-for.ts";
import type { ReplayStep } from "../replay-policy.ts";

/** Returns what the model of the call accepts. Silent about unknown models, because billing already warns. */
export function targetOf({ model }: ReplayStep): Target {
  return targetFor(model, { onWarning: () => undefined });
}
