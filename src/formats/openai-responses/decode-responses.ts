import { textBlock, type Block, type Message } from "../../messages/message.ts";
import { decodedFrom } from "../origin.ts";
import { decodePart } from "./content-parts.ts";
import { inheriting } from "./inherited-reasoning.ts";
import { isMessageItem, isReasoning, isReference, sideOf, type Side } from "./item-kinds.ts";
import { referredCalls } from "./referred-calls.ts";
import { isTextPart, parseResponseItems, type ItemPart, type ResponseItem } from "./response-item.ts";
import { callIdOf, decodeCall, decodeReferredCall } from "./tool-calls.ts";
import { decodeOutput } from "./tool-outputs.ts";

/** Consecutive items of the model become one message of the log, and so do the outputs that follow them. */
export function decodeResponses(input: readonly ResponseItem[]): Message[] {
  const items = parseResponseItems(input);
  const referred = referredCalls(items);
  const log: Message[] = [];
  let reasoning: ResponseItem | undefined;
  for (let position = 0; position < items.length;) {
    const response = runOf("response", items, position);
    position += response.length;
    const outputs = runOf("output", items, position);
    position += outputs.length;
    if (response.length > 0) log.push(inheriting(decodeResponse(response, referred), reasoning));
    if (outputs.length > 0) log.push(decodedFrom(outputs, { role: "user", content: outputs.map(decodeOutput) }));
    reasoning = response.findLast(isReasoning) ?? reasoning;
    const item = items[position];
    if (item === undefined || sideOf(item) === "response") continue;
    log.push(decodeWords(item));
    reasoning = undefined;
    position++;
  }
  return log;
}

function runOf(side: Side, items: readonly ResponseItem[], from: number): readonly ResponseItem[] {
  let end = from;
  for (let item = items[end]; item !== undefined && sideOf(item) === side; item = items[end]) end++;
  return items.slice(from, end);
}

/** Decodes an item of the user or the developer. */
function decodeWords(item: ResponseItem): Message {
  const role = sideOf(item) === "user" ? "user" : "system";
  if (!isMessageItem(item)) return decodedFrom([item], { role, content: [item as Block] });
  const { content } = item;
  return decodedFrom([item], { role, content: typeof content === "string" ? content : (content ?? []).map(decodePart) });
}

function decodeResponse(response: readonly ResponseItem[], referred: ReadonlyMap<ResponseItem, string>): Message {
  const content: Block[] = [];
  for (const item of response) {
    if (isMessageItem(item)) decodeMessage(item, content);
    else content.push(decodeItem(item, referred));
  }
  return decodedFrom(response, { role: "assistant", content });
}

function decodeItem(item: ResponseItem, referred: ReadonlyMap<ResponseItem, string>): Block {
  if (isReasoning(item)) return decodedFrom([item], { type: "thinking", thinking: summaryOf(item) });
  if (isReference(item)) {
    const id = referred.get(item);
    return id === undefined ? decodedFrom([item], { type: "item_reference" }) : decodeReferredCall(item, id);
  }
  // A program makes calls and waits for them, as Anthropic's code execution does (A3.2, A3.3), so it is decoded as such a pair.
  const { call_id: callId, code } = item;
  if (item.type === "program") return decodedFrom([item], { type: "server_tool_use", id: callId, name: "program", input: { code } });
  if (item.type === "program_output") return decodedFrom([item], { type: "program_tool_result", tool_use_id: callId });
  const id = callIdOf(item);
  // Calls that the provider ran and answered pass through unchanged.
  return id === undefined ? (item as Block) : decodeCall(item, id);
}

function decodeMessage(item: ResponseItem, blocks: Block[]): void {
  if (typeof item.content === "string") blocks.push(decodedFrom([item], textBlock(item.content)));
  else
    for (const part of item.content ?? [])
      blocks.push(decodedFrom<Block, ResponseItem | ItemPart>([item, part], isTextPart(part) ? textBlock(part.text) : { ...part }));
}

/** Open models have the reasoning text itself instead of a summary. */
function summaryOf({ summary, content }: ResponseItem): string {
  const parts: readonly ItemPart[] = Array.isArray(summary) && summary.length > 0 ? summary : Array.isArray(content) ? content : [];
  return parts.length === 0 ? "" : parts.map(({ text }) => text ?? "").join("\n\n");
}
