import type { Edit } from "../../edits/edit.ts";
import { indexLog } from "../../messages/index-log.ts";
import { blocksOf, isToolUse, type Message, type ToolUseBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { placeKey, type Place } from "../../messages/place.ts";

/** Where an edit acts, described for a reader of the session. */
export interface EditTarget {
  readonly position: number;
  /** Such as `read_file src/index.ts`. */
  readonly what: string;
}

/** Finds the call of every result once, so that a long list of edits stays cheap to describe. */
export function createEditDescriber(log: readonly Message[]): (edit: Edit) => EditTarget {
  const callOfResult = new Map<string, Place>();
  for (const call of indexLog(log).calls) if (call.result !== undefined) callOfResult.set(placeKey(call.result), call);
  const callText = (at: Place | undefined): string | undefined => {
    const message = at === undefined ? undefined : log[at.position];
    const block = at === undefined || message === undefined ? undefined : blocksOf(message)[at.block];
    return block !== undefined && isToolUse(block) ? describeCall(block) : undefined;
  };

  return (edit) => {
    switch (edit.kind) {
      case "replace-result":
        return { position: edit.at.position, what: callText(callOfResult.get(placeKey(edit.at))) ?? "tool result" };
      case "replace-input":
        return { position: edit.at.position, what: callText(edit.at) ?? "tool call" };
      case "collapse-round": {
        const [first, ...others] = blocksOf(log[edit.call] ?? { role: "assistant", content: [] }).filter(isToolUse);
        const more = others.length === 0 ? "" : ` and ${others.length} more`;
        return { position: edit.call, what: first === undefined ? "round" : `${describeCall(first)}${more}` };
      }
      case "replace-range":
        return { position: edit.from.position, what: `messages up to ${edit.to.position}` };
      case "strip-blocks":
        return { position: edit.at[0]?.position ?? 0, what: edit.at.length === 1 ? "1 block" : `${edit.at.length} blocks` };
      case "replace-block":
        return { position: edit.at.position, what: callText(edit.at) ?? "text block" };
    }
  };
}

/** Shows the first short argument: nearly always the one that tells calls apart. */
function describeCall(call: ToolUseBlock): string {
  const values = isRecord(call.input) ? Object.values(call.input) : [];
  const key = values.find((value) => typeof value === "string");
  return key === undefined ? call.name : `${call.name} ${key}`;
}
