import { guardedCodec } from "../guarded-codec.ts";
import { invalid } from "../../errors/palimpsest-error.ts";
import type { Codec } from "../codec.ts";
import { checkResponses } from "./check-responses.ts";
import { decodeResponses } from "./decode-responses.ts";
import { encodeResponses } from "./encode-responses.ts";
import { sideOf } from "./item-kinds.ts";
import { parseResponseItem, type ResponseItem } from "./response-item.ts";
import { decodeOutput, encodeOutput } from "./tool-outputs.ts";

/**
 * OpenAI's Responses API: the items of `input`. For requests that hold their whole history: with `previous_response_id` or
 * `conversation` the provider keeps the history, and nothing can be removed from it (C8).
 */
export const openaiResponses: Codec<ResponseItem> = guardedCodec({
  name: "openai-responses",
  // Reasoning after a changed prefix is dropped, not refused (C10); any item may come last.
  target: { bindsThinking: false, prefill: true },
  decode: decodeResponses,
  encode: encodeResponses,
  decodeResult: (result, path) => {
    const item = parseResponseItem(result, path);
    if (sideOf(item) !== "output") throw invalid("INVALID_INPUT", `${path}.type`, "the type of an output", item.type);
    return decodeOutput(item);
  },
  encodeResult: encodeOutput,
  check: checkResponses,
});
