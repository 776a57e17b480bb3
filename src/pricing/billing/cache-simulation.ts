import type { Request } from "../../messages/request.ts";
import type { InputShares } from "./bill.ts";
import type { PromptBlock } from "./prompt.ts";

/** The cache of one provider, as one model of it sees it. */
export interface CacheSimulation {
  /** How this request is billed, and what it leaves for later ones. The times of the requests must not fall. */
  send(request: Request, prompt: readonly PromptBlock[], nowMs: number): InputShares;
}
