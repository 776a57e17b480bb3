import type { Codec } from "../../formats/codec.ts";
import { blocksOf, type Message } from "../../messages/message.ts";
import type { Target } from "../../messages/target.ts";
import { Conversation } from "../../conversation/conversation.ts";
import { NO_HINTS } from "../calls/call-context.ts";
import { chained, NO_CHAIN, type ClientMessages } from "./client-messages.ts";
import type { LoadedSession } from "./session-archive.ts";
import { redactedJson, type Redact } from "./redaction.ts";
import { Session, type Aligned, type SessionOptions } from "./session.ts";

/**
 * Creates the session of a conversation from a store. The log gets the client's messages as it has just sent them, and the model's as its API wrote
 * them, so that the next view has the bytes of the last one.
 */
export function restoreSession(
  loaded: LoadedSession,
  client: ClientMessages,
  options: SessionOptions,
  codec: Codec<object, object>,
  target: Target,
  redact?: Redact,
): Session {
  const { place, session, edits, steps } = loaded;
  let chain = NO_CHAIN;
  const aligned = loaded.aligned.map(({ key, end, held = [] }): Aligned => {
    chain = chained(chain, key);
    return { key, chain, sent: undefined, end, held };
  });
  const shared = aligned.findIndex(({ key }, number) => key !== client.keyAt(number));
  const log = asItCame(loaded, client, shared === -1 ? aligned.length : shared, codec, redact);
  const conversation = new Conversation(target, { id: place.thread, log, edits, pins: session.pins, seenFrom: session.seenFrom, steps });
  const { owner, format, tools, isForeign, parent } = session;
  const origin = { owner, format, tools, isForeign, parent, hints: { ...NO_HINTS, ...session.hints } };
  const restored = new Session(options, origin, conversation, aligned, session.policy);
  restored.lastFull = loaded.lastFull;
  restored.aboutBefore = loaded.about;
  return restored;
}

/** `shared`: how many of the client's messages match the store's. */
function asItCame(
  { log, aligned, raws }: LoadedSession,
  client: ClientMessages,
  shared: number,
  codec: Codec<object, object>,
  redact: Redact | undefined,
): Message[] {
  const whole = [...log];
  const replace = (position: number, message: Message | undefined): void => {
    if (message !== undefined && redactedJson(message, redact) === JSON.stringify(log[position])) whole[position] = message;
  };
  for (const [position, raw] of raws) {
    const [message, ...others] = codec.decode(raw);
    if (others.length === 0) replace(position, message);
  }
  for (let number = 0; number < shared; number++) {
    const message = client.messages[number];
    const entry = aligned[number];
    const stored = entry === undefined ? undefined : log[entry.end - 1];
    if (message?.role !== "user" || entry === undefined || stored === undefined) continue;
    replace(entry.end - 1, withBlocksOf(message, stored, redact));
  }
  return whole;
}

/** Returns the stored message with the client's blocks in it. The others are results of hidden calls, and a checkpoint. */
function withBlocksOf(message: Message, stored: Message, redact: Redact | undefined): Message {
  if (typeof message.content === "string") return typeof stored.content === "string" ? message : stored;
  const own = new Map(blocksOf(message).map((block) => [redactedJson(block, redact), block]));
  const content = blocksOf(stored).map((block) => own.get(JSON.stringify(block)) ?? block);
  return { ...message, content };
}
