import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { Message } from "../../src/index.ts";
import { partsOf, textOf } from "../threads/parts.ts";

/** LangChain's messages: one `ToolMessage` per result, calls beside the content of the `AIMessage`. */
export function langchainMessages(messages: readonly Message[]): BaseMessage[] {
  return messages.flatMap((message): BaseMessage[] => {
    switch (message.role) {
      case "assistant":
        return [aiMessage(message)];
      case "user":
        return userMessages(message);
      case "system":
        return [new SystemMessage(plainText(message))];
    }
  });
}

function aiMessage(message: Message): AIMessage {
  const parts = partsOf(message);
  const calls = parts.flatMap((part) => (part.type === "tool_use" ? [{ type: "tool_call" as const, id: part.id, name: part.name, args: part.input }] : []));
  const thinks = parts.some((part) => part.type === "thinking" || part.type === "redacted_thinking");
  const content = thinks ? parts.flatMap((part) => (part.type === "tool_use" || part.type === "tool_result" ? [] : [{ ...part }])) : plainText(message);
  return new AIMessage({ content, tool_calls: calls });
}

function userMessages(message: Message): BaseMessage[] {
  const results = partsOf(message).flatMap((part) =>
    part.type === "tool_result"
      ? [new ToolMessage({ content: textOf(part), tool_call_id: part.tool_use_id, status: part.is_error === true ? "error" : "success" })]
      : [],
  );
  const text = plainText(message);
  return text === "" && results.length > 0 ? results : [...results, new HumanMessage(text)];
}

function plainText(message: Message): string {
  return partsOf(message)
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n");
}
