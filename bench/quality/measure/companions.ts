import type { Message } from "../../../src/messages/message.ts";
import type { ToolError } from "./landmarks.ts";
import { segmentsOf } from "./segments.ts";

const searched = new WeakMap<Message, Map<string, boolean>>();

/** Is this text in the view, to the letter? */
export function showsText(view: readonly Message[], text: string): boolean {
  return view.some((message) => {
    let known = searched.get(message);
    if (known === undefined) searched.set(message, (known = new Map()));
    let isShown = known.get(text);
    if (isShown === undefined) known.set(text, (isShown = segmentsOf(message).some((segment) => segment.text.includes(text))));
    return isShown;
  });
}

export function showsError(view: readonly Message[], log: readonly Message[], { position, text }: ToolError): boolean {
  const message = log[position];
  return (message !== undefined && view.includes(message)) || showsText(view, text);
}

/** What the user and the system said before a call, and whether the view still has it. */
export function promptShown(view: readonly Message[], log: readonly Message[], position: number): { readonly found: number; readonly asked: number } {
  const shown = new Set(view);
  let asked = 0;
  let found = 0;
  for (let at = 0; at < position; at++) {
    const message = log[at];
    if (message === undefined || message.role === "assistant") continue;
    for (const { kind, text } of segmentsOf(message)) {
      if (kind !== "prompt" || text.trim() === "") continue;
      asked++;
      if (shown.has(message) || showsText(view, text)) found++;
    }
  }
  return { found, asked };
}
