import type { Protocol, ProtocolOptions } from "../protocol.ts";
import { checkResponsesRequest } from "./check-responses-request.ts";
import { createPromptCounter } from "./count-prompts.ts";
import type { Json } from "./json-values.ts";
import { errorOf } from "./openai-error.ts";
import { playResponsesAnswer } from "./play-responses-answer.ts";
import { responsesPrompt } from "./prompt-pieces.ts";
import { readResponsesRequest } from "./read-responses-request.ts";
import { inputItems } from "./response-items.ts";
import { conversationOf, createResponseMemory } from "./response-memory.ts";
import { outputOf } from "./response-output.ts";
import { sayTurn } from "./said-turn.ts";

/** OpenAI's Responses. C10 needs no code here: reasoning with an edited prefix is dropped silently. */
export function createResponsesProtocol(options: ProtocolOptions): Protocol {
  const countPrompt = createPromptCounter(options.tokensOf);
  const memory = createResponseMemory();
  const read = (body: Json): readonly Json[] => conversationOf(body, inputItems(body), memory);
  return {
    name: "openai-responses",
    path: "/v1/responses",
    check: (body) => checkResponsesRequest(body, memory, options),
    read: (body, turn) => readResponsesRequest(body, read(body), turn),
    answer: (body, turn, nowMs) => {
      const conversation = read(body);
      const { include } = body;
      const said = sayTurn(turn, options);
      const output = outputOf(said, Array.isArray(include) && include.includes("reasoning.encrypted_content"), options.newId);
      const id = options.newId("resp_");
      memory.remember({ id, conversation, output, stored: body["store"] !== false });
      const counts = countPrompt(responsesPrompt(body, conversation), nowMs);
      return playResponsesAnswer(body, { id, createdMs: nowMs, said, output, counts });
    },
    errorBody: (status) => ({ error: errorOf(status) }),
    errorEvent: (status) => {
      const { message, code, type } = errorOf(status);
      // The script decides where the stream is cut, so the event's number is unknown here. No client relies on it.
      return { event: "error", data: JSON.stringify({ type: "error", code: code ?? type, message, param: null, sequence_number: 0 }) };
    },
  };
}
