import type { Edit } from "../../edits/edit.ts";
import { isSpanEdit, placesOf } from "../../edits/edit-places.ts";
import { render } from "../../edits/render.ts";
import { checkMessages } from "../../messages/check-messages.ts";
import type { Message } from "../../messages/message.ts";

/** A claim about the view, and whether it was just found to hold. */
export interface Proof {
  readonly claim: string;
  readonly holds: boolean;
}

/** Checks every claim that the demo makes. */
export function proveView(log: readonly Message[], edits: readonly Edit[], view: readonly Message[]): Proof[] {
  const findings = checkMessages(view);
  const undone = render(
    log,
    edits.map((edit) => ({ ...edit, undoneAt: log.length })),
  );
  const touched = touchedPositions(edits);
  const untouched = log.filter((_message, position) => !touched.has(position));
  const shown = new Set(view);
  return [
    { claim: `Accepted: checkMessages has ${countOf(findings.length, "finding")} in the ${view.length} messages of the view`, holds: findings.length === 0 },
    { claim: `Undone: without its edits the view is the log again, all ${log.length} messages the same objects`, holds: isSame(undone, log) },
    {
      claim: `Untouched: the ${untouched.length} messages that no edit names are in the view as the same objects`,
      holds: untouched.every((message) => shown.has(message)),
    },
  ];
}

/** Returns every position that an edit names. */
function touchedPositions(edits: readonly Edit[]): ReadonlySet<number> {
  const touched = new Set<number>();
  for (const edit of edits) {
    if (!isSpanEdit(edit)) for (const at of placesOf(edit)) touched.add(at.position);
    else if (edit.kind === "collapse-round") touched.add(edit.call).add(edit.lastResult);
    else for (let position = edit.from.position; position <= edit.to.position; position++) touched.add(position);
  }
  return touched;
}

function countOf(count: number, what: string): string {
  return `${count === 0 ? "no" : count} ${what}${count === 1 ? "" : "s"}`;
}

function isSame(messages: readonly Message[], others: readonly Message[]): boolean {
  return messages.length === others.length && messages.every((message, position) => message === others[position]);
}
