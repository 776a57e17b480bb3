import { actingTool } from "../../content/files/operations-of-call.ts";
import { resultHints } from "../../content/calls/result-hints.ts";
import { commandOf, fieldsOf, firstString, PATH_KEYS } from "../../content/calls/input-fields.ts";
import type { ToldCall } from "../../content/files/ledger.ts";
import { isPlanCall } from "./plan.ts";
import { exitCodeIn, hasFault } from "./result-line.ts";

/** A call with everything that an outline needs of it. */
export interface OutlinedCall extends ToldCall {
  /** Also set if only the result's text says so. */
  readonly failed: boolean;
  readonly exitCode: number | undefined;
  /** The command of a shell call; "" for other tools. */
  readonly command: string;
  /** `file`: shown with the files that it reads or changes. `plan`: shown with the plan. */
  readonly kind: "file" | "command" | "plan" | "other";
}

export function outlinedCall<C extends ToldCall>(call: C): C & OutlinedCall {
  const { tool, input, result, isError } = call;
  const exitCode = exitCodeIn(result);
  const failed = isError || (exitCode !== undefined && exitCode !== 0 && hasFault(result));
  const acts = actingTool(tool);
  const command = acts.isShell ? commandOf(fieldsOf(input)) : "";
  const isFile = !failed && (!acts.isShell || (command !== "" && resultHints({ tool, input }).isFileRead));
  const kind = isPlanCall(tool, input) ? "plan" : isFile ? "file" : command !== "" ? "command" : "other";
  return { ...call, failed, exitCode, command, kind };
}

/** Returns the last call that failed and was not repeated successfully since. */
export function lastErrorOf<C extends OutlinedCall>(newestFirst: Iterable<C>): C | undefined {
  const mended = new Set<string>();
  for (const call of newestFirst) {
    const key = callKey(call);
    if (call.failed && !mended.has(key)) return call;
    if (!call.failed) mended.add(key);
  }
  return undefined;
}

/** Returns the same key for calls that do the same: a successful one resolves an earlier failure. */
function callKey({ tool, input, command }: OutlinedCall): string {
  const path = firstString(fieldsOf(input), PATH_KEYS);
  return `${tool} ${command !== "" ? command : path !== "" ? path : JSON.stringify(input ?? "")}`;
}

/** Returns how often each tool was called, and how often it failed, in the order of their first calls. */
export function tallyOf(calls: Iterable<OutlinedCall>): [tool: string, counts: { calls: number; failed: number }][] {
  const tally = new Map<string, { calls: number; failed: number }>();
  for (const { tool, failed } of calls) {
    const { calls, failed: before } = tally.get(tool) ?? { calls: 0, failed: 0 };
    tally.set(tool, { calls: calls + 1, failed: before + Number(failed) });
  }
  return [...tally];
}
