import { callFacts } from "../../content/calls/call-facts.ts";
import { commandOf, fieldsOf, firstString, PATH_KEYS } from "../../content/calls/input-fields.ts";
import { actingTool } from "../../content/files/operations-of-call.ts";
import type { LogIndex } from "../../messages/index-log.ts";
import { blockAt, isToolResult, resultText, type Message, type ToolUseBlock } from "../../messages/message.ts";
import type { Call } from "../../messages/open-calls.ts";
import { exitCodeIn, hasFault } from "./result-line.ts";
import { isPlanTool } from "./plan.ts";

/** A call of a digested turn, with all that its digest asks of it. */
export interface DigestedCall {
  readonly position: number;
  readonly tool: string;
  readonly input: unknown;
  readonly result: string;
  readonly isError: boolean;
  /** Also where only the result's text says so. */
  readonly failed: boolean;
  readonly exitCode: number | undefined;
  /** What a shell was told to do; "" for other tools. */
  readonly command: string;
  /** `file`: told by the files that it reads or changes. `plan`: by the plan. */
  readonly kind: "file" | "command" | "plan" | "other";
}

export function callsBetween({ calls, callsBefore }: LogIndex, from: number, to: number): readonly Call[] {
  return calls.slice(callsBefore[from], callsBefore[to]);
}

export function digestedCall(log: readonly Message[], call: Call): DigestedCall {
  const { name: tool, input } = blockAt(log, call) as ToolUseBlock;
  const answer = call.result === undefined ? undefined : blockAt(log, call.result);
  // What the provider runs is answered by other blocks.
  const block = answer !== undefined && isToolResult(answer) ? answer : undefined;
  const result = block === undefined ? "" : resultText(block);
  const isError = block?.is_error === true;
  const exitCode = exitCodeIn(result);
  const failed = isError || (exitCode !== undefined && exitCode !== 0 && hasFault(result));
  const acts = actingTool(tool);
  const command = acts.isShell ? commandOf(fieldsOf(input)) : "";
  const isFile = !failed && (!acts.isShell || (command !== "" && callFacts({ tool, input }).isFileRead));
  const kind = isPlanTool(tool) ? "plan" : isFile ? "file" : command !== "" ? "command" : "other";
  return { position: call.position, tool, input, result, isError, failed, exitCode, command, kind };
}

/** Two calls with the same key do the same: one that works mends what failed before. */
export function callKey({ tool, input, command }: Pick<DigestedCall, "tool" | "input" | "command">): string {
  const path = firstString(fieldsOf(input), PATH_KEYS);
  return `${tool} ${command !== "" ? command : path !== "" ? path : JSON.stringify(input ?? "")}`;
}
