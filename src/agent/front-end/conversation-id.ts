import { hash64 } from "../../edits/edit-id.ts";
import type { FormatName } from "../../formats/codec.ts";
import type { ConversationHints } from "../calls/call-context.ts";

/** Returns the id of a conversation that begins with this message. Derived, never random: another process that founds the same conversation sends the same bytes. */
export function conversationId(owner: string, format: FormatName, hints: ConversationHints, firstKey: string | undefined): string {
  return namedId(owner, hints) ?? `c-${hash64(JSON.stringify([owner, format, hints.session, hints.agent]), firstKey ?? "")}`;
}

/** Returns the id of the conversation that the client names itself: it has nothing to do with those under other names, whatever is said in them. Undefined: it names none. */
export function namedId(owner: string, { thread }: ConversationHints): string | undefined {
  return thread === undefined ? undefined : `n-${hash64(JSON.stringify([owner, thread]))}`;
}
