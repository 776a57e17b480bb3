import { blocksIn, digest, field, isThought, textField, type JudgedBlock, type JudgedMessage, type Request } from "./judged-request.ts";

/** A6: at most four cache markers, not on empty text nor on thinking, long-lived ones first. */
export function cacheFaults({ messages }: Request): string[] {
  const marked = messages.flatMap(blocksWithMarkers);
  const times = marked.map((block) => ttlOf(block));
  return [
    ...(marked.length > 4 ? ["A6.max:"] : []),
    ...marked.filter((block) => block.type === "text" && textField(block, "text") === "").map(() => "A6.empty:"),
    ...marked.filter(isThought).map((block) => `A6.thinking:${digest(block)}`),
    ...(times.lastIndexOf("1h") > times.indexOf("5m") && times.includes("5m") ? ["A6.ttl:"] : []),
  ];
}

function blocksWithMarkers(message: JudgedMessage): JudgedBlock[] {
  return blocksIn(message)
    .flatMap((block) => [...partsOf(block), block])
    .filter((block) => hasMarker(block));
}

function partsOf(block: JudgedBlock): JudgedBlock[] {
  const content = field(block, "content");
  return block.type === "tool_result" && Array.isArray(content) ? (content as JudgedBlock[]) : [];
}

function hasMarker(block: JudgedBlock): boolean {
  const marker = field(block, "cache_control");
  return typeof marker === "object" && marker !== null;
}

function ttlOf(block: JudgedBlock): string {
  const marker = field(block, "cache_control");
  return typeof marker === "object" && marker !== null && field(marker, "ttl") === "1h" ? "1h" : "5m";
}
