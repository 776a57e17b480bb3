import { guardedCodec } from "../guarded-codec.ts";
import type { Codec } from "../codec.ts";
import { parseAiResult, type AiMessage, type AiToolResult } from "./ai-message.ts";
import { decodeAiResult, encodeAiResult } from "./ai-tool-output.ts";
import { checkAiSdk } from "./check-ai-sdk.ts";
import { decodeAiSdk } from "./decode-ai-sdk.ts";
import { encodeAiSdk } from "./encode-ai-sdk.ts";

/** The messages of the AI SDK (`ModelMessage`), for any provider. */
export const aiSdk: Codec<AiMessage, AiToolResult> = guardedCodec({
  name: "ai-sdk",
  // The strictest possible provider is Anthropic: its reasoning is signed with the prefix (A4.8) and its models accept no
  // prefill (A1.8). What it accepts, the others accept too. A caller who knows the provider can pass a target.
  target: {},
  decode: decodeAiSdk,
  encode: encodeAiSdk,
  decodeResult: (result, path) => decodeAiResult(parseAiResult(result, path)),
  encodeResult: (block) => encodeAiResult(block),
  check: checkAiSdk,
});
