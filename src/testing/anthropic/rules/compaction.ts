import { allBlocks, pathOf, type ApiRequest } from "../api-request.ts";
import type { Refusal } from "../refusal.ts";

const SIGNED_BETA = "compact-2026-09-04";

/** A5: a signed compaction block is the only one, first of all, and needs its beta; none is empty. */
export function* compactionRefusals({ messages, betas, body }: ApiRequest): Generator<Refusal> {
  let signed = 0;
  for (const placed of allBlocks(messages)) {
    const { block, position, index } = placed;
    if (block.type !== "compaction") continue;
    const path = pathOf(placed);
    if (block["content"] === "") yield { rule: "A5", message: `${path}.compaction.content: String should have at least 1 character` };
    if (block["signature"] === undefined) continue;
    signed += 1;
    if (!betas.has(SIGNED_BETA)) yield { rule: "A5", message: `${path}.compaction.signature: Extra inputs are not permitted` };
    if (body["context_management"] !== undefined) yield { rule: "A5", message: "context_management: Extra inputs are not permitted" };
    if (signed > 1) yield { rule: "A5", message: "compaction_block_ambiguous" };
    else if (position !== 0 || index !== 0) yield { rule: "A5", message: "compaction_block_misplaced" };
  }
}
