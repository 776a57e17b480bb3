import type { Rejection } from "../protocol.ts";
import { firstRejection } from "./first-rejection.ts";
import type { Json } from "./json-values.ts";
import { refuse } from "./openai-error.ts";
import { callLink, outputLink, type ItemLink } from "./response-items.ts";

/** C1, C7: every call has an output of its kind after it, unless the call runs in the background. */
export function checkCallsHaveOutputs(conversation: readonly Json[]): Rejection | undefined {
  const open = new Map<string, number>();
  const unanswered = new Set<ItemLink>();
  for (const item of conversation.toReversed()) {
    const output = outputLink(item);
    if (output !== undefined) open.set(keyOf(output), (open.get(keyOf(output)) ?? 0) + 1);
    const call = callLink(item);
    if (call === undefined) continue;
    const outputs = open.get(keyOf(call)) ?? 0;
    if (outputs > 0) open.set(keyOf(call), outputs - 1);
    else if (item["async"] !== true) unanswered.add(call);
  }
  return firstRejection([...unanswered].reverse(), ({ kind, callId }) =>
    refuse("C1", `No tool output found for ${wordsOf(kind)} ${callId}.`, { param: "input" }),
  );
}

/** C2, C7: every output has a call of its kind before it. */
export function checkOutputsHaveCalls(conversation: readonly Json[]): Rejection | undefined {
  const open = new Map<string, number>();
  return firstRejection(conversation, (item) => {
    const call = callLink(item);
    if (call !== undefined) open.set(keyOf(call), (open.get(keyOf(call)) ?? 0) + 1);
    const output = outputLink(item);
    if (output === undefined) return undefined;
    const calls = open.get(keyOf(output)) ?? 0;
    open.set(keyOf(output), calls - 1);
    return calls > 0 ? undefined : refuse("C2", `No tool call found for ${wordsOf(output.kind)} output with call_id ${output.callId}.`, { param: "input" });
  });
}

function keyOf({ kind, callId }: ItemLink): string {
  return `${kind} ${callId}`;
}

/** "custom_tool_call": "custom tool call". */
function wordsOf(kind: string): string {
  return kind.replaceAll("_", " ");
}
