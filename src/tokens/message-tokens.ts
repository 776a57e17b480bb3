import { isText, isToolResult, isToolUse, type Block, type Message } from "../messages/message.ts";

/** An image or a document page of the size that providers scale down to (G: at most 1568 tokens up to Claude 4.6). Never its base64. */
const MEDIA_TOKENS = 1_568;
const MEDIA_TYPES: ReadonlySet<string> = new Set(["image", "document"]);

/** An estimate from lengths alone: four characters a token, media at a flat rate. */
export function messageTokens(message: Message): number {
  return typeof message.content === "string" ? Math.floor(message.content.length / 4) : contentTokens(message.content);
}

/** Characters are summed first, so that many small blocks do not round to nothing. */
export function contentTokens(content: string | readonly Block[] | undefined): number {
  if (content === undefined) return 0;
  if (typeof content === "string") return Math.floor(content.length / 4);
  let characters = 0;
  let tokens = 0;
  for (const block of content) {
    if (isText(block)) characters += block.text.length;
    else if (isToolResult(block)) tokens += contentTokens(block.content);
    else if (isToolUse(block)) characters += block.name.length + jsonLength(block.input);
    else if (MEDIA_TYPES.has(block.type)) tokens += MEDIA_TOKENS;
    else characters += jsonLength(block);
  }
  return tokens + Math.floor(characters / 4);
}

/** About the length of the value as JSON, without writing it: escapes are not counted. */
function jsonLength(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (value === undefined) return 0;
  if (typeof value !== "object" || value === null) return `${value as number | boolean | null}`.length;
  let length = 2;
  if (Array.isArray(value)) for (const entry of value) length += jsonLength(entry) + 1;
  else for (const [key, entry] of Object.entries(value)) length += key.length + jsonLength(entry) + 4;
  return length;
}
