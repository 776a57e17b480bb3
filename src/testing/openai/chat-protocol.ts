import type { Protocol, ProtocolOptions } from "../protocol.ts";
import { chatPieces, checkChatRequest } from "./check-chat-request.ts";
import { stringOf } from "./json-values.ts";
import { errorOf } from "./openai-error.ts";
import { playChatAnswer } from "./play-chat-answer.ts";
import { createPrefixCache } from "./prefix-cache.ts";
import { readChatRequest } from "./read-chat-request.ts";
import { sayTurn } from "./said-turn.ts";

/** OpenAI's Chat Completions. */
export function createChatProtocol(options: ProtocolOptions): Protocol {
  const countPrompt = createPrefixCache(options.tokensOf);
  return {
    name: "openai-chat",
    path: "/v1/chat/completions",
    check: (body) => checkChatRequest(body, options),
    read: readChatRequest,
    answer: (body, turn, nowMs) =>
      playChatAnswer(body, {
        id: options.newId("chatcmpl-"),
        createdMs: nowMs,
        said: sayTurn(turn, options),
        counts: countPrompt(stringOf(body["model"]), chatPieces(body), nowMs),
      }),
    errorBody: (status) => ({ error: errorOf(status) }),
    errorEvent: (status) => ({ data: JSON.stringify({ error: errorOf(status) }) }),
  };
}
