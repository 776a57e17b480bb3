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

/** Returns the codec of a format known only by name, without its message type. */
export function codecOf(name: FormatName): Codec<object, object> {
  return CODECS[name] as Codec<object, object>;
}
