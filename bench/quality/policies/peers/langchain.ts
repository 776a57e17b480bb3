import { AIMessage, HumanMessage, SystemMessage, ToolMessage, trimMessages, type BaseMessage } from "@langchain/core/messages";
import { ClearToolUsesEdit } from "langchain";
import { textBlock } from "../../../../src/messages/message.ts";
import type { MeasuredPolicy } from "../../measure/measure-policy.ts";
import type { TokensOfBlock } from "../../measure/token-counters.ts";
import { UnitCutter, UnitJoiner, type ShownUnit, type Unit } from "./units.ts";

/** Applied to the history of the agent, so that what was cleared stays cleared: the cheaper way to use it. */
export function langchainClearToolUses(triggerTokens: number, tokensOf: TokensOfBlock, keep = 3): MeasuredPolicy {
  return {
    name: `langchain ClearToolUsesEdit ${triggerTokens / 1000}k`,
    start() {
      const edit = new ClearToolUsesEdit({ trigger: { tokens: triggerTokens }, keep: { messages: keep } });
      const thread = new LangchainThread();
      const countTokens = counterWith(tokensOf);
      return {
        async next(log) {
          thread.add(log);
          await edit.apply({ messages: thread.history, countTokens } as unknown as Parameters<typeof edit.apply>[0]);
          return { messages: thread.view(log, thread.history), recoverable: [] };
        },
      };
    },
  };
}

export function langchainTrimMessages(maxTokens: number, tokensOf: TokensOfBlock): MeasuredPolicy {
  return {
    name: `@langchain/core trimMessages ${maxTokens / 1000}k`,
    start() {
      const thread = new LangchainThread();
      const countTokens = counterWith(tokensOf);
      return {
        async next(log) {
          thread.add(log);
          const left = await trimMessages(thread.history, { strategy: "last", maxTokens, includeSystem: true, tokenCounter: countTokens });
          return { messages: thread.view(log, left), recoverable: [] };
        },
      };
    },
  };
}

/** The history in LangChain's messages. Each carries the number of its unit as its id, and a result also as its name. */
class LangchainThread {
  readonly history: BaseMessage[] = [];
  readonly #units: Unit[] = [];
  readonly #cutter = new UnitCutter();
  readonly #joiner = new UnitJoiner();

  add(log: Parameters<UnitCutter["cut"]>[0]): void {
    for (const unit of this.#cutter.cut(log)) this.history.push(messageOf(unit, String(this.#units.push(unit) - 1)));
  }

  view(log: Parameters<UnitJoiner["join"]>[0], left: readonly BaseMessage[]): ReturnType<UnitJoiner["join"]> {
    return this.#joiner.join(log, left.flatMap((message) => this.#shown(message))); // prettier-ignore
  }

  #shown(message: BaseMessage): ShownUnit[] {
    const unit = this.#units[Number(ToolMessage.isInstance(message) ? message.name : message.id)];
    if (unit === undefined) return [];
    return [unit.role === "tool" && message.content !== unit.text ? { unit, text: String(message.content) } : { unit }];
  }
}

function messageOf({ role, text, calls, callId }: Unit, id: string): BaseMessage {
  switch (role) {
    case "tool":
      return new ToolMessage({ id, name: id, content: text, tool_call_id: callId });
    case "assistant":
      return new AIMessage({
        id,
        content: text,
        tool_calls: calls.map((call) => ({ type: "tool_call" as const, id: call.id, name: call.name, args: argumentsOf(call.input) })),
      });
    case "user":
      return new HumanMessage({ id, content: text });
    case "system":
      return new SystemMessage({ id, content: text });
  }
}

function argumentsOf(input: unknown): Record<string, unknown> {
  return typeof input === "object" && input !== null ? { ...input } : { input };
}

/** A message is counted as the blocks would be that it stands for, each object once. */
function counterWith(tokensOf: TokensOfBlock): (messages: readonly BaseMessage[]) => number {
  const sizes = new WeakMap<BaseMessage, number>();
  return (messages) => {
    let sum = 0;
    for (const message of messages) {
      let tokens = sizes.get(message);
      if (tokens === undefined) {
        const calls =
          AIMessage.isInstance(message) && (message.tool_calls?.length ?? 0) > 0
            ? JSON.stringify(message.tool_calls?.map(({ name, args }) => [name, args]))
            : "";
        sizes.set(message, (tokens = tokensOf(textBlock(`${String(message.content)}${calls}`))));
      }
      sum += tokens;
    }
    return sum;
  };
}
