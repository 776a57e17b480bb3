import type { Call } from "../open-calls.ts";
import { callerOf, isServerCall, isServerResult, isToolResult, isToolUse, type Block, type Message } from "../message.ts";
import type { Place } from "../place.ts";
import { answersCalls } from "../tool-loop.ts";
import type { Turn } from "../turns.ts";
import { pathOf, type Finding, type Request } from "./finding.ts";

/** A3.1–A3.3: tools that the provider runs inside the assistant's turn. */
export function checkServerTools({ messages, turns, index }: Request): Finding[] {
  const findings: Finding[] = [];
  if (!turns.some(({ role, blocks }) => role === "assistant" && blocks.some(({ part }) => isOfServer(part)))) return findings;
  const matched = new Set(
    index.calls.flatMap((call) => (call.server && call.result !== undefined && isOneLoop(messages, call, call.result) ? [pathOf(call.result)] : [])),
  );
  const callIds = new Set<string>();
  // After it there are only results, so the assistant's turn is not over.
  const lastSpoken = turns.findLastIndex((turn) => turn.role === "user" && !turn.blocks.some(({ part }) => isToolResult(part)));
  const serverCalls = new Map(index.calls.filter((call) => call.server).map((call) => [pathOf(call), call]));
  turns.forEach((turn, number) => {
    if (turn.role !== "assistant") return;
    for (const placed of turn.blocks) {
      const { part } = placed;
      const path = pathOf(placed);
      if (isServerCall(part)) {
        callIds.add(part.id);
        const call = serverCalls.get(path);
        if (call !== undefined && !isSettled(call, turn, turns[number + 1], number > lastSpoken)) {
          findings.push({
            rule: "A3.2",
            path,
            message: `\`${nameOf(part)}\` tool use with id \`${part.id}\` was found without a corresponding \`${resultTypeOf(part)}\` block`,
          });
        }
      } else if (isServerResult(part) && !matched.has(path)) {
        findings.push({
          rule: "A3.1",
          path,
          message: `unexpected \`tool_use_id\` found in \`${part.type}\` blocks: ${part.tool_use_id}. Each \`${part.type}\` block must have a corresponding \`server_tool_use\` block before it.`,
        });
      } else if (isToolUse(part)) {
        const caller = callerOf(part);
        if (caller !== undefined && !callIds.has(caller)) {
          findings.push({ rule: "A3.3", path, message: `${path}: \`tool_use\` with caller ${caller} needs its \`server_tool_use\` block before it` });
        }
      }
    }
  });
  return findings;
}

function isOfServer(part: Block): boolean {
  return isServerCall(part) || isServerResult(part) || (isToolUse(part) && callerOf(part) !== undefined);
}

/** Says whether the user only answered calls between the two. */
function isOneLoop(messages: readonly Message[], call: Place, result: Place): boolean {
  return messages.slice(call.position + 1, result.position).every((message) => message.role !== "user" || answersCalls(message));
}

/** A call may wait for its result while the turn is paused, or while the next turn answers client calls beside it with results only. */
function isSettled(call: Call, turn: Turn, next: Turn | undefined, isLastLoop: boolean): boolean {
  if (call.result !== undefined && call.result.position <= turn.last) return true;
  if (call.result === undefined && !isLastLoop) return false;
  if (next === undefined) return true;
  return turn.blocks.some(({ part }) => isToolUse(part)) && next.blocks.every(({ part }) => isToolResult(part));
}

function nameOf(part: Block): string {
  return "name" in part && typeof part.name === "string" ? part.name : part.type;
}

function resultTypeOf(part: Block): string {
  return part.type === "mcp_tool_use" ? "mcp_tool_result" : `${nameOf(part)}_tool_result`;
}
