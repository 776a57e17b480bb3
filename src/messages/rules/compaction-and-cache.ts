import { isText, isThinking, isToolResult, type Block } from "../message.ts";
import { pathOf, type Finding, type Request } from "./finding.ts";

/** A5: compaction blocks. One with a signature was requested (A5.2), is the only one, and comes first; the others stay where they are (A5.1). */
export function checkCompaction({ turns }: Request): Finding[] {
  const findings: Finding[] = [];
  let signed = 0;
  for (const { blocks } of turns) {
    for (const placed of blocks) {
      if (placed.part.type !== "compaction") continue;
      const path = pathOf(placed);
      if ("content" in placed.part && placed.part.content === "") findings.push({ rule: "A5.1", path, message: `${path}: compaction content cannot be empty` });
      if (!("signature" in placed.part)) continue;
      signed++;
      if (signed > 1) findings.push({ rule: "A5.2", path, message: "compaction_block_ambiguous" });
      else if (placed.position !== 0 || placed.block !== 0) findings.push({ rule: "A5.2", path, message: "compaction_block_misplaced" });
    }
  }
  return findings;
}

const MAX_MARKERS = 4;
const LONG_BEHIND_SHORT =
  "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.";

/** A6: cache markers, as far as messages show them. */
export function checkCacheMarkers({ turns }: Request): Finding[] {
  const findings: Finding[] = [];
  let markers = 0;
  let hasShort = false;
  const look = (block: MarkedBlock, path: string): void => {
    markers++;
    if (isThinking(block)) findings.push({ rule: "A6", path, message: `${path}.${block.type}.cache_control: Extra inputs are not permitted` });
    if (isText(block) && block.text === "") findings.push({ rule: "A6", path, message: `${path}.text: cache_control cannot be set for empty text blocks` });
    const isLong = isLongLived(block.cache_control);
    if (isLong && hasShort) findings.push({ rule: "A6", path, message: `${path}.cache_control.ttl: ${LONG_BEHIND_SHORT}` });
    hasShort ||= !isLong;
  };
  for (const { blocks } of turns) {
    for (const placed of blocks) {
      const { part } = placed;
      if (isToolResult(part) && typeof part.content !== "string")
        part.content?.forEach((inner, number) => {
          if (isMarked(inner)) look(inner, `${pathOf(placed)}.content.${number}`);
        });
      if (isMarked(part)) look(part, pathOf(placed));
    }
  }
  if (markers > MAX_MARKERS)
    findings.push({ rule: "A6", path: "messages", message: `A maximum of ${MAX_MARKERS} blocks with cache_control may be provided. Found ${markers}.` });
  return findings;
}

type MarkedBlock = Block & { readonly cache_control: unknown };

function isMarked(block: Block): block is MarkedBlock {
  return "cache_control" in block && block.cache_control !== null && block.cache_control !== undefined;
}

function isLongLived(marker: unknown): boolean {
  return typeof marker === "object" && marker !== null && "ttl" in marker && marker.ttl === "1h";
}
