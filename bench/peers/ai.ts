import { pruneMessages, type AssistantModelMessage, type ModelMessage, type ToolModelMessage } from "ai";
import type { Message } from "../../src/index.ts";
import { newerHalf, RECENT_MESSAGES } from "../kept.ts";
import { createSubject, expectWork, type Job, type Subject } from "../subject.ts";
import { partsOf, textOf, toolNames, type Part, type ResultPart } from "../threads/parts.ts";
import { throughJson } from "../threads/through-json.ts";

/** Vercel's AI SDK takes calls out together with their results; it reads how many messages to spare out of a string. */
export const aiSubjects: readonly Subject[] = [
  prune("ai pruneMessages (old calls)", ["take out old calls"], () => RECENT_MESSAGES, "none"),
  prune("ai pruneMessages (older half)", ["drop the older half"], newerHalf, "none"),
  prune("ai pruneMessages (older half, reasoning)", ["replace a range"], newerHalf, "all"),
];

function prune(name: string, jobs: readonly Job[], keep: (length: number) => number, reasoning: "all" | "none"): Subject {
  return createSubject<ModelMessage[], ModelMessage[]>({
    name,
    jobs,
    convert: (messages) => throughJson(modelMessages(messages)),
    run: (messages) => pruneMessages({ messages, reasoning, toolCalls: `before-last-${keep(messages.length)}-messages` }),
    check(before, after) {
      const calls = countParts(before, "tool-call");
      const left = countParts(after, "tool-call");
      expectWork(left < calls && after.length < before.length, name, `${left} of ${calls} calls are left`);
      expectWork(reasoning === "none" || countParts(after, "reasoning") === 0, name, "reasoning is left");
      return `${left} of ${calls} calls left, ${after.length} of ${before.length} messages`;
    },
  });
}

function countParts(messages: readonly ModelMessage[], type: string): number {
  let count = 0;
  for (const { content } of messages) {
    if (typeof content !== "string") for (const part of content) if (part.type === type) count++;
  }
  return count;
}

function modelMessages(messages: readonly Message[]): ModelMessage[] {
  const names = toolNames(messages);
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === "assistant") {
      return [{ role: "assistant", content: typeof message.content === "string" ? message.content : partsOf(message).flatMap(assistantPart) }];
    }
    if (typeof message.content === "string") return [{ role: message.role, content: message.content }];
    const parts = partsOf(message);
    const results = parts.filter((part) => part.type === "tool_result").map((part) => resultPart(part, names));
    const texts = parts.flatMap((part) => (part.type === "text" ? [{ type: "text" as const, text: part.text }] : []));
    return [
      ...(results.length > 0 ? [{ role: "tool" as const, content: results }] : []),
      ...(texts.length > 0 ? [{ role: "user" as const, content: texts }] : []),
    ];
  });
}

type AssistantPart = Exclude<AssistantModelMessage["content"], string>[number];

function assistantPart(part: Part): AssistantPart[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text }];
    case "thinking":
      return [{ type: "reasoning", text: part.thinking, providerOptions: { anthropic: { signature: part.signature ?? "" } } }];
    case "redacted_thinking":
      return [{ type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: part.data } } }];
    case "tool_use":
      return [{ type: "tool-call", toolCallId: part.id, toolName: part.name, input: part.input }];
    case "tool_result":
      return [];
  }
}

function resultPart(part: ResultPart, names: ReadonlyMap<string, string>): ToolModelMessage["content"][number] {
  const value = textOf(part);
  return {
    type: "tool-result",
    toolCallId: part.tool_use_id,
    toolName: names.get(part.tool_use_id) ?? "unknown",
    output: part.is_error === true ? { type: "error-text", value } : { type: "text", value },
  };
}
