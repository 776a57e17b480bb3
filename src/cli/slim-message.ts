import { withoutOrigin } from "../formats/origin.ts";
import { isText, isThinking, isToolResult, isToolUse, type Block, type Message } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";

const KEPT_CHARS = 64;

/**
 * Returns what a provider's rules need of a message: long texts are cut, and no reference to the file's record is kept,
 * so that a long file can be checked without holding it in memory.
 */
export function slimMessage(message: Message): Message {
  const content = typeof message.content === "string" ? slimText(message.content) : message.content.map((block) => slimBlock(withoutOrigin(block)));
  return { ...withoutOrigin(message), content };
}

function slimBlock(block: Block): Block {
  if (isText(block)) return withFields(block, { text: slimText(block.text) });
  if (isToolUse(block)) return isRecord(block.input) ? withFields(block, { input: {} }) : block;
  if (isToolResult(block))
    return typeof block.content === "string"
      ? withFields(block, { content: slimText(block.content) })
      : block.content === undefined
        ? block
        : withFields(block, { content: block.content.map((part) => slimBlock(withoutOrigin(part))) });
  if (isThinking(block) && "thinking" in block) return withFields(block, { thinking: slimText(String(block.thinking)) });
  if ("source" in block && isRecord(block.source) && typeof block.source["data"] === "string")
    return withFields(block, { source: { ...block.source, data: "" } });
  return block;
}

function withFields(block: Block, fields: Readonly<Record<string, unknown>>): Block {
  return { ...block, ...fields };
}

/** Blank text stays blank, and the end of a text is kept: rules check both (A1.6, A1.7). */
function slimText(text: string): string {
  if (text.length <= 2 * KEPT_CHARS) return text;
  const firstSaid = text.search(/\S/);
  if (firstSaid === -1) return " ";
  // Not a slice of the long text: that would keep all of it in memory.
  return `${text.charAt(firstSaid)}…${Array.from(text.slice(-KEPT_CHARS)).join("")}`;
}
