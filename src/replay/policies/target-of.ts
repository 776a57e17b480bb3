import type { Target } from "../../messages/target.ts";
import { targetFor } from "../../pricing/target-for.ts";
import type { ReplayStep } from "../replay-policy.ts";

/** What the model of the call accepts. Whoever bills the call says that a model is not known: once is enough. */
export function targetOf({ model }: ReplayStep): Target {
  return targetFor(model, { onWarning: () => undefined });
}
