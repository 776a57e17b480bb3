import { pruneMessages, type ModelMessage } from "ai";
import type { MeasuredPolicy } from "../../measure/measure-policy.ts";
import type { TokensOfBlock } from "../../measure/token-counters.ts";
import { tokensIn } from "../results.ts";
import { UnitCutter, UnitJoiner, type ShownUnit, type Unit } from "./units.ts";

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
}

/** Above the trigger, removes calls and results before the last messages, for each request as in `prepareStep`. */
export function aiPruneMessages(last: number, overTokens: number, tokensOf: TokensOfBlock): MeasuredPolicy {
  return {
    name: `ai pruneMessages last ${last}, over ${overTokens / 1000}k`,
    start() {
      const cutter = new UnitCutter();
      const joiner = new UnitJoiner();
      const history: ModelMessage[] = [];
      const units = new Map<string, Unit>();
      return {
        next(log) {
          for (const unit of cutter.cut(log)) {
            units.set(String(units.size), unit);
            history.push(modelMessage(unit, String(units.size - 1)));
          }
          if (tokensIn(log, tokensOf) <= overTokens) return { messages: log, recoverable: [] };
          const left = pruneMessages({ messages: history, toolCalls: `before-last-${last}-messages`, reasoning: "none" });
          return {
            messages: joiner.join(
              log,
              left.flatMap((message) => shownUnit(message, units)),
            ),
            recoverable: [],
          };
        },
      };
    },
  };
}

function modelMessage(unit: Unit, key: string): ModelMessage {
  const providerOptions = { bench: { key } };
  switch (unit.role) {
    case "tool":
      return {
        role: "tool",
        providerOptions,
        content: [{ type: "tool-result", toolCallId: unit.callId, toolName: unit.toolName, output: { type: "text", value: unit.text } }],
      };
    case "assistant": {
      const calls = unit.calls.map(({ id, name, input }) => ({ type: "tool-call" as const, toolCallId: id, toolName: name, input }));
      return {
        role: "assistant",
        providerOptions,
        content: [...(unit.text === "" && calls.length > 0 ? [] : [{ type: "text" as const, text: unit.text }]), ...calls],
      };
    }
    case "user":
    case "system":
      return { role: unit.role, providerOptions, content: unit.text };
  }
}

function shownUnit(message: ModelMessage, units: ReadonlyMap<string, Unit>): ShownUnit[] {
  const unit = units.get(String(message.providerOptions?.["bench"]?.["key"]));
  if (unit === undefined) return [];
  if (unit.role !== "assistant" || typeof message.content === "string") return [{ unit }];
  const left = new Set((message.content as readonly Part[]).flatMap(({ toolCallId }) => toolCallId ?? []));
  return [{ unit, without: new Set(unit.calls.flatMap(({ id, block }) => (left.has(id) ? [] : [block]))) }];
}
