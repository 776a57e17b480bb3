import { blocksOf, isThinking, isToolUse, type Message } from "../../messages/message.ts";
import { shownMessage } from "../../conversation/shown-blocks.ts";
import type { ShownView } from "../../conversation/conversation.ts";
import { withoutMarkers } from "./client-key.ts";
import type { Session } from "./session.ts";

/**
 * Returns the view with the client's own message wherever that is what is shown: what it sends is its own in every byte, also where it keeps an answer in
 * another form than the provider gave it. What an edit has changed, and what holds something of ours, is as it is. `bare`: without cache markers.
 */
export function withClientsOwn(session: Session, view: ShownView, client: readonly Message[], bare: boolean): readonly Message[] {
  const { log } = session.conversation;
  const { aligned } = session;
  let number = 0;
  return view.messages.map((message, index) => {
    const position = view.positions[index] ?? -1;
    while (number < aligned.length && (aligned[number]?.end ?? 0) <= position) number++;
    const own = client[number];
    const stored = log[position];
    const isAlone = aligned[number]?.end === position + 1 && (aligned[number - 1]?.end ?? 0) === position;
    if (own === undefined || stored === undefined || !isAlone || message !== shownMessage(stored) || !saysAsMuch(own, stored)) return message;
    return bare ? withoutMarkersIn(own) : own;
  });
}

/** Thinking that the client has left out stays, and so do calls and results of ours that stand beside those of the client's. */
function saysAsMuch(own: Message, stored: Message): boolean {
  if (own.role !== stored.role) return false;
  const [a, b] = [blocksOf(own), blocksOf(stored)];
  if (own.role !== "assistant") return a.length === b.length;
  return a.filter(isThinking).length === b.filter(isThinking).length && a.filter(isToolUse).length === b.filter(isToolUse).length;
}

function withoutMarkersIn(message: Message): Message {
  if (typeof message.content === "string") return message;
  const blocks = message.content.map(withoutMarkers);
  return blocks.every((block, number) => block === message.content[number]) ? message : { ...message, content: blocks };
}
