import { blocksOf, isThinking, isToolUse, type Block, type Message } from "../../messages/message.ts";
import { shownMessage } from "../../conversation/shown-blocks.ts";
import type { ShownView } from "../../conversation/conversation.ts";
import { isSameMessage, withoutMarkers } from "./client-key.ts";
import type { Session } from "./session.ts";

/**
 * Returns the view with the client's own message wherever that is what is shown: what it sends is its own in every byte, also where it keeps an answer in
 * another form than the provider gave it. What an edit has changed, and what holds something of ours, is as it is; of thinking, what the view shows.
 * `bare`: without cache markers.
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
    if (own === undefined || stored === undefined || !isAlone || own.role !== stored.role) return message;
    const said = own.role === "assistant" ? asSaid(message, shownMessage(stored), own) : asAsked(message, shownMessage(stored), own);
    return bare && said !== message ? withoutMarkersIn(said) : said;
  });
}

/** Returns whether these messages are the client's, cache markers apart. */
export function areClientsOwn(messages: readonly Message[], client: readonly Message[]): boolean {
  return messages.length === client.length && messages.every((message, number) => isSameMessage(message, client[number] ?? message));
}

/** Results of ours may stand beside those of the client's. */
function asAsked(message: Message, stored: Message, own: Message): Message {
  return message === stored && blocksOf(own).length === blocksOf(stored).length ? own : message;
}

/** Thinking may be left out by the client, or in the view: what is shown of it is the view's, for what came after is bound to that. */
function asSaid(message: Message, stored: Message, own: Message): Message {
  const isUncut = message === stored;
  const kept = blocksOf(own);
  if (isUncut && thoughtsIn(kept) === thoughtsIn(blocksOf(stored))) return areAsManyCalls(kept, blocksOf(stored)) ? own : message;
  const words = kept.filter((block) => !isThinking(block));
  const given = blocksOf(stored).filter((block) => !isThinking(block));
  const shown = blocksOf(message).filter((block) => !isThinking(block));
  if (shown.length !== given.length || shown.some((block, index) => block !== given[index])) return message;
  // Where it keeps them in other blocks, it does not show where the thinking stood.
  if (given.length !== words.length || given.some(({ type }, index) => type !== words[index]?.type)) return message;
  let next = 0;
  return { ...own, content: blocksOf(message).map((block) => (isThinking(block) ? block : (words[next++] ?? block))) };
}

function thoughtsIn(blocks: readonly Block[]): number {
  return blocks.filter(isThinking).length;
}

function areAsManyCalls(a: readonly Block[], b: readonly Block[]): boolean {
  return a.filter(isToolUse).length === b.filter(isToolUse).length;
}

function withoutMarkersIn(message: Message): Message {
  if (typeof message.content === "string") return message;
  const blocks = message.content.map(withoutMarkers);
  return blocks.every((block, number) => block === message.content[number]) ? message : { ...message, content: blocks };
}
