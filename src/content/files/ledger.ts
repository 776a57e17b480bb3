import { actingTool, operationsOfCall, type ActingTool } from "./operations-of-call.ts";
import type { FileOperation } from "./file-operation.ts";
import { blockAt, isToolResult, resultText, type Message, type ToolUseBlock } from "../../messages/message.ts";
import type { Call } from "../../messages/open-calls.ts";
import { parseLog } from "../../messages/parse-messages.ts";

export type FileAction = "made" | "changed" | "read" | "deleted";

export interface LedgerEntry {
  /** The path as in the calls. */
  readonly path: string;
  /** Each action once, ordered by its last occurrence, so the last one tells the final state of the file. */
  readonly actions: readonly FileAction[];
}

/** A call with its known outcome. */
export interface ToldCall {
  readonly tool: string;
  readonly input: unknown;
  readonly isError: boolean;
  /** "" if there is no result. */
  readonly result: string;
}

/** What tools print when they refuse an edit, with their harness. The provider does not see these as errors. */
const REFUSALS: readonly RegExp[] = [
  /^No replacement was performed/, // SWE-agent, the editor of Anthropic
  /^ERROR:/, // OpenHands
  /^(?:Error|Failed)\b/, // most others
  /^apply_patch verification failed/, // Codex
];

/** Lists the files that the tool calls of the messages read, made and changed, in order of first mention. Reads no disk. */
export function ledgerOf(messages: readonly Message[]): LedgerEntry[] {
  const { log, index } = parseLog(messages);
  const calls = index.calls.filter(({ server }) => !server).map((call) => toldCall(log, call));
  const actionsByPath = new Map<string, Set<FileAction>>();
  for (const { path, action } of fileEvents(calls)) {
    const actions = actionsByPath.get(path) ?? new Set();
    actionsByPath.set(path, actions);
    if (action === undefined) continue;
    actions.delete(action);
    actions.add(action);
  }
  return [...actionsByPath].map(([path, actions]) => ({ path, actions: [...actions] }));
}

/** Provider-run calls are answered by other blocks, so they have no result here. */
export function toldCall(log: readonly Message[], call: Call): ToldCall {
  const { name: tool, input } = blockAt(log, call) as ToolUseBlock;
  const answer = call.result === undefined ? undefined : blockAt(log, call.result);
  const result = answer !== undefined && isToolResult(answer) ? answer : undefined;
  return { tool, input, isError: result?.is_error === true, result: result === undefined ? "" : resultText(result) };
}

/** What a call did to a file. Without an action, the file is unchanged. */
export interface FileEvent<C extends ToldCall> {
  readonly call: C;
  readonly path: string;
  readonly action: FileAction | undefined;
}

/**
 * Yields what the calls did, in order. A failed call did nothing, except in a shell, where the first commands may have worked. Writing
 * a file that was not seen before counts as creating it.
 */
export function* fileEvents<C extends ToldCall>(calls: Iterable<C>): Generator<FileEvent<C>> {
  const lastByPath = new Map<string, FileAction>();
  // Cached by tool: a conversation has few tools and many calls.
  const tools = new Map<string, ActingTool>();
  for (const call of calls) {
    const tool = tools.get(call.tool) ?? actingTool(call.tool);
    tools.set(call.tool, tool);
    if (!tool.isShell && (call.isError || REFUSALS.some((refusal) => refusal.test(call.result)))) continue;
    for (const operation of operationsOfCall(tool, call.input)) {
      const path = normalPath(operation.path);
      const action = actionOf(operation, lastByPath.get(path));
      if (action !== undefined) lastByPath.set(path, action);
      yield { call, path, action };
    }
  }
}

function actionOf({ action }: FileOperation, last: FileAction | undefined): FileAction | undefined {
  const isThere = last !== undefined && last !== "deleted";
  switch (action) {
    case "write":
      return isThere ? "changed" : "made";
    case "ensure":
      return isThere ? undefined : "made";
    case "change":
      return "changed";
    case "read":
      return "read";
    case "delete":
      return "deleted";
  }
}

/** Resolves `.` and `..`, so that a file has one name. */
function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "." || (part === "" && parts.length > 0)) continue;
    if (part === ".." && ![undefined, "", ".."].includes(parts.at(-1))) parts.pop();
    else parts.push(part);
  }
  return parts.join("/") || path;
}
