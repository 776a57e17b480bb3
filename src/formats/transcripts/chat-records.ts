import type { Message } from "../../messages/message.ts";
import { nativesOf } from "../origin.ts";
import type { ChatMessage } from "../openai-chat/chat-message.ts";
import { openaiChat } from "../openai-chat/openai-chat.ts";
import { messageFacts, type MessageFacts } from "./message-facts.ts";
import type { MessageEntry } from "./transcript-format.ts";

/** Decodes records that are plain chat messages. */
export function decodeChatRecords(records: readonly object[], factsOf: (record: object) => MessageFacts = () => messageFacts({})): MessageEntry[] {
  // `decode` refuses anything that is not a chat message, with its path.
  return openaiChat.decode(records as readonly ChatMessage[]).map((message) => {
    const natives = nativesOf<ChatMessage>(message) ?? [];
    return { kind: "message", message, nativeMessages: natives.length, ...(natives[0] === undefined ? {} : factsOf(natives[0])) };
  });
}

/** Encodes formats in which every record is a message. */
export function encodeChatRecords(_records: readonly object[], view: readonly Message[]): object[] {
  return openaiChat.encode(view);
}
