import { guardedCodec } from "../guarded-codec.ts";
import { checkMessages } from "../../messages/check-messages.ts";
import type { Message, ToolResultBlock } from "../../messages/message.ts";
import { parseBlock, parseMessages } from "../../messages/parse-messages.ts";
import type { Codec } from "../codec.ts";

/** Anthropic's messages are those of the log. */
export const anthropic: Codec<Message, ToolResultBlock> = guardedCodec({
  name: "anthropic",
  target: {},
  decode: (messages) => [...parseMessages(messages)],
  encode: (messages) => [...messages],
  decodeResult: (result, path) => {
    parseBlock(result, path);
    return result;
  },
  encodeResult: (block) => block,
  check: checkMessages,
});
