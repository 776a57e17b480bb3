import { aiSdk } from "./ai-sdk/ai-sdk.ts";
import { anthropic } from "./anthropic/anthropic.ts";
import type { Codec, FormatName } from "./codec.ts";
import { openaiChat } from "./openai-chat/openai-chat.ts";
import { openaiResponses } from "./openai-responses/openai-responses.ts";

const CODECS: Readonly<Record<FormatName, unknown>> = {
  anthropic,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  "ai-sdk": aiSdk,
};

/** The codec of a format that is known by name only: what it decodes is its own business. */
export function codecOf(name: FormatName): Codec<object, object> {
  return CODECS[name] as Codec<object, object>;
}
