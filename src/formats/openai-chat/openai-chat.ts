import { guardedCodec } from "../guarded-codec.ts";
import type { Codec } from "../codec.ts";
import { checkChat } from "./check-chat.ts";
import { parseChatMessage, type ChatMessage } from "./chat-message.ts";
import { decodeChat, decodeChatResult } from "./decode-chat.ts";
import { encodeChat, encodeChatResult } from "./encode-chat.ts";

/** OpenAI's Chat Completions, and the many servers that speak it. */
export const openaiChat: Codec<ChatMessage> = guardedCodec({
  name: "openai-chat",
  // Nothing is signed here, and any role may come last (B10).
  target: { bindsThinking: false, prefill: true },
  decode: decodeChat,
  encode: encodeChat,
  decodeResult: (result, path) => decodeChatResult(parseChatMessage(result, path)),
  encodeResult: encodeChatResult,
  check: checkChat,
});
