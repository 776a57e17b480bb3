import type { Protocol, ProtocolOptions } from "../protocol.ts";
import { checkChatRequest } from "./check-chat-request.ts";
import { createPromptCounter } from "./count-prompts.ts";
import { errorOf } from "./openai-error.ts";
import { playChatAnswer } from "./play-chat-answer.ts";
import { chatPrompt } from "./prompt-pieces.ts";
import { readChatRequest } from "./read-chat-request.ts";
import { sayTurn } from "./said-turn.ts";

/** OpenAI's Chat Completions. */
export function createChatProtocol(options: ProtocolOptions): Protocol {
  const countPrompt = createPromptCounter(options.tokensOf);
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
        counts: countPrompt(chatPrompt(body), nowMs),
      }),
    errorBody: (status) => ({ error: errorOf(status) }),
    errorEvent: (status) => ({ data: JSON.stringify({ error: errorOf(status) }) }),
  };
}
