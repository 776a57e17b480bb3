import { hash64 } from "../../edits/edit-id.ts";
import type { FormatName } from "../../formats/codec.ts";
import type { ConversationHints } from "../calls/call-context.ts";

/** Returns the id of a conversation that begins with this message. Never random: another process with the same conversation has to send the same bytes. */
export function conversationId(owner: string, format: FormatName, hints: ConversationHints, firstKey: string | undefined): string {
  return namedId(owner, hints) ?? `c-${hash64(JSON.stringify([owner, format, hints.session, hints.agent]), firstKey ?? "")}`;
}

/** Returns the id of a conversation that the client names. It is kept apart from those with other names, even if they have the same messages. Undefined: no name. */
export function namedId(owner: string, { thread }: ConversationHints): string | undefined {
  return thread === undefined ? undefined : `n-${hash64(JSON.stringify([owner, thread]))}`;
}
