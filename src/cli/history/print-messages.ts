import { isRecord } from "../../errors/is-record.ts";
import { isText, isToolResult, isToolUse, textBlock, type Block, type Message } from "../../messages/message.ts";
import type { Terminal } from "../terminal.ts";

/** Returns content as lines: text keeps its lines, calls and files are named. */
export function contentLines(content: string | readonly Block[]): string[] {
  const blocks = typeof content === "string" ? [textBlock(content)] : content;
  return blocks.flatMap(blockLines);
}

/** Prints messages one below the other, each after its role. */
export function printMessages(terminal: Terminal, messages: readonly Message[]): void {
  messages.forEach(({ role, content }, number) => {
    if (number > 0) terminal.print();
    terminal.print(terminal.bold(`${number} ${role}`));
    for (const line of contentLines(content)) terminal.print(line);
  });
}

function blockLines(block: Block): string[] {
  if (isText(block)) return textLines(block.text);
  if (isToolUse(block)) return [`→ ${block.name} ${inputText(block.input)}`];
  if (isToolResult(block)) return [`${block.is_error === true ? "✗" : "←"} result of ${block.tool_use_id}`, ...contentLines(block.content ?? "")];
  const { thinking } = block as { readonly thinking?: unknown };
  if (typeof thinking === "string") return textLines(thinking).map((line) => `~ ${line}`);
  return [`[${block.type}${sizeOf(block)}]`];
}

function textLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/u);
}

/** A single value is printed bare; several need their names. */
export function inputText(input: unknown): string {
  const values = isRecord(input) ? Object.values(input) : [];
  const [only] = values;
  return values.length === 1 && typeof only === "string" ? only : JSON.stringify(input);
}

function sizeOf(block: Block): string {
  const { source } = block as { readonly source?: unknown };
  if (!isRecord(source)) return "";
  const data = source["data"];
  const type = source["media_type"];
  return `${typeof type === "string" ? ` ${type}` : ""}${typeof data === "string" ? `, ${data.length} characters` : ""}`;
}
