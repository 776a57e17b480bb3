import { compactHistory, compactMessages, type Message as ChefMessage } from "@context-chef/core";
import type { Message } from "../../../../src/messages/message.ts";
import type { MeasuredPolicy } from "../../measure/measure-policy.ts";
import type { TokensOfBlock } from "../../measure/token-counters.ts";
import { tokensIn } from "../results.ts";
import { UnitCutter, UnitJoiner, type Unit } from "./units.ts";

/** Over the trigger the history is compacted, and what was cleared stays cleared. */
export function chefCompactMessages(keepRecent: number, overTokens: number, tokensOf: TokensOfBlock): MeasuredPolicy {
  return chef(`context-chef compactMessages keep ${keepRecent}, over ${overTokens / 1000}k`, overTokens, tokensOf, (history) =>
    compactMessages(history, { clear: [{ target: "tool-result", keepRecent }] }),
  );
}

/** Its durable compaction, with an empty summary, because no model can be called here. */
export function chefCompactHistory(keepRecentTurns: number, overTokens: number, tokensOf: TokensOfBlock): MeasuredPolicy {
  return chef(`context-chef compactHistory ${keepRecentTurns} turns, over ${overTokens / 1000}k`, overTokens, tokensOf, (history) =>
    compactHistory(history, (messages) => Promise.resolve(`${messages.length} earlier messages.`), { keepRecentTurns }),
  );
}

function chef(
  name: string,
  overTokens: number,
  tokensOf: TokensOfBlock,
  compact: (history: ChefMessage[]) => ChefMessage[] | Promise<ChefMessage[]>,
): MeasuredPolicy {
  return {
    name,
    start() {
      const cutter = new UnitCutter();
      const joiner = new UnitJoiner();
      const units = new Map<string, Unit>();
      let history: ChefMessage[] = [];
      const render = (log: readonly Message[]): Message[] => {
        const made: Message[] = [];
        let run: { unit: Unit; text?: string }[] = [];
        const flush = (): void => {
          made.push(...joiner.join(log, run));
          run = [];
        };
        for (const { name: key = "", content, role } of history) {
          const unit = units.get(key);
          if (unit !== undefined) {
            run.push(content === unit.text || role !== "tool" ? { unit } : { unit, text: content });
            continue;
          }
          flush();
          made.push({ role: role === "assistant" || role === "system" ? role : "user", content });
        }
        flush();
        return made;
      };
      return {
        async next(log) {
          for (const unit of cutter.cut(log)) {
            const key = `u${units.size}`;
            units.set(key, unit);
            history.push(chefMessage(unit, key));
          }
          const now = render(log);
          if (tokensIn(now, tokensOf) <= overTokens) return { messages: now, recoverable: [] };
          history = [...(await compact(history))];
          return { messages: render(log), recoverable: [] };
        },
      };
    },
  };
}

/** The name of a message is free for use: it carries the key of its unit. */
function chefMessage({ role, text, calls, callId }: Unit, name: string): ChefMessage {
  if (role === "tool") return { role, name, content: text, tool_call_id: callId };
  const called = calls.map(({ id, name: tool, input }) => ({ id, type: "function" as const, function: { name: tool, arguments: JSON.stringify(input) } }));
  return { role, name, content: text, ...(called.length === 0 ? {} : { tool_calls: called }) };
}
