import { isText, isThinking, isToolResult, type Block } from "../message.ts";
import { pathOf, type Finding, type Request } from "./finding.ts";

/** A5: compaction blocks. Those that carry a signature were asked for (A5.2) and come first, alone; the others stay where they are (A5.1). */
export function checkCompaction({ turns }: Request): Finding[] {
  const findings: Finding[] = [];
  let signed = 0;
  for (const placed of turns.flatMap((turn) => turn.blocks)) {
    if (placed.part.type !== "compaction") continue;
    const path = pathOf(placed);
    if ("content" in placed.part && placed.part.content === "") findings.push({ rule: "A5.1", path, message: `${path}: compaction content cannot be empty` });
    if (!("signature" in placed.part)) continue;
    signed++;
    if (signed > 1) findings.push({ rule: "A5.2", path, message: "compaction_block_ambiguous" });
    else if (placed.position !== 0 || placed.block !== 0) findings.push({ rule: "A5.2", path, message: "compaction_block_misplaced" });
  }
  return findings;
}

const MAX_MARKERS = 4;

/** A6, as far as messages show it: cache markers. */
export function checkCacheMarkers({ turns }: Request): Finding[] {
  const findings: Finding[] = [];
  let markers = 0;
  const look = (block: Block, path: string): void => {
    if ("cache_control" in block && block.cache_control !== null && block.cache_control !== undefined) {
      markers++;
      if (isThinking(block)) findings.push({ rule: "A6", path, message: `${path}.${block.type}.cache_control: Extra inputs are not permitted` });
      if (isText(block) && block.text === "") findings.push({ rule: "A6", path, message: `${path}.text: cache_control cannot be set for empty text blocks` });
    }
    if (isToolResult(block) && typeof block.content !== "string")
      block.content?.forEach((part, number) => {
        look(part, `${path}.content.${number}`);
      });
  };
  for (const placed of turns.flatMap((turn) => turn.blocks)) look(placed.part, pathOf(placed));
  if (markers > MAX_MARKERS)
    findings.push({ rule: "A6", path: "messages", message: `A maximum of ${MAX_MARKERS} blocks with cache_control may be provided. Found ${markers}.` });
  return findings;
}
