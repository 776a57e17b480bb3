import type { Message } from "../../messages/message.ts";
import { nativesOf } from "../origin.ts";
import type { ChatMessage } from "../openai-chat/chat-message.ts";
import { openaiChat } from "../openai-chat/openai-chat.ts";
import { messageFacts, type MessageFacts } from "./message-facts.ts";
import type { MessageEntry } from "./transcript-format.ts";

/** Records that are chat messages as they are. */
export function decodeChatRecords(records: readonly object[], factsOf: (record: object) => MessageFacts = () => messageFacts({})): MessageEntry[] {
  // `decode` refuses whatever is not a chat message, and names its place.
  return openaiChat.decode(records as readonly ChatMessage[]).map((message) => {
    const natives = nativesOf<ChatMessage>(message) ?? [];
    return { kind: "message", message, nativeMessages: natives.length, ...(natives[0] === undefined ? {} : factsOf(natives[0])) };
  });
}

/** For formats all of whose records are messages. */
export function encodeChatRecords(_records: readonly object[], view: readonly Message[]): object[] {
  return openaiChat.encode(view);
}
