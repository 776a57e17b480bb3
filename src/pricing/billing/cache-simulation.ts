import type { Request } from "../../messages/request.ts";
import type { InputShares } from "./bill.ts";
import type { PromptBlock } from "./prompt.ts";

/** The cache of one provider for one model. */
export interface CacheSimulation {
  /** Returns how this request is billed, and updates the cache. Times must not decrease. */
  send(request: Request, prompt: readonly PromptBlock[], nowMs: number): InputShares;
}
