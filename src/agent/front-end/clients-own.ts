import { blocksOf, isThinking, isToolUse, type Block, type Message } from "../../messages/message.ts";
import { shownMessage } from "../../conversation/shown-blocks.ts";
import type { ShownView } from "../../conversation/conversation.ts";
import { isSameMessage, withoutMarkers } from "./client-key.ts";
import type { Session } from "./session.ts";

/**
 * Returns the view with the client's own message wherever the view shows it unchanged, so that its bytes stay, even if the client keeps an answer in
 * another form than the provider's. Messages with an edit or with something of ours stay as in the view, and so does thinking.
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

/** A message may also hold results of hidden calls. */
function asAsked(message: Message, stored: Message, own: Message): Message {
  return message === stored && blocksOf(own).length === blocksOf(stored).length ? own : message;
}

/** Thinking may be left out by the client or in the view. The view decides, because later thinking is bound to it. */
function asSaid(message: Message, stored: Message, own: Message): Message {
  const isUncut = message === stored;
  const kept = blocksOf(own);
  const said = blocksOf(stored);
  if (isUncut && countOf(kept, isThinking) === countOf(said, isThinking)) return countOf(kept, isToolUse) === countOf(said, isToolUse) ? own : message;
  const words = kept.filter((block) => !isThinking(block));
  const given = blocksOf(stored).filter((block) => !isThinking(block));
  const shown = blocksOf(message).filter((block) => !isThinking(block));
  if (shown.length !== given.length || shown.some((block, index) => block !== given[index])) return message;
  // With other blocks, there is no telling where the thinking was.
  if (given.length !== words.length || given.some(({ type }, index) => type !== words[index]?.type)) return message;
  let next = 0;
  return { ...own, content: blocksOf(message).map((block) => (isThinking(block) ? block : (words[next++] ?? block))) };
}

function countOf(blocks: readonly Block[], is: (block: Block) => boolean): number {
  let count = 0;
  for (const block of blocks) if (is(block)) count++;
  return count;
}

function withoutMarkersIn(message: Message): Message {
  if (typeof message.content === "string") return message;
  const blocks = message.content.map(withoutMarkers);
  return blocks.every((block, number) => block === message.content[number]) ? message : { ...message, content: blocks };
}
