import { guardedCodec } from "../guarded-codec.ts";
import type { Codec } from "../codec.ts";
import { parseAiResult, type AiMessage, type AiToolResult } from "./ai-message.ts";
import { decodeAiResult, encodeAiResult } from "./ai-tool-output.ts";
import { checkAiSdk } from "./check-ai-sdk.ts";
import { decodeAiSdk } from "./decode-ai-sdk.ts";
import { encodeAiSdk } from "./encode-ai-sdk.ts";

/** The messages of the AI SDK (`ModelMessage`), whatever provider is behind it. */
export const aiSdk: Codec<AiMessage, AiToolResult> = guardedCodec({
  name: "ai-sdk",
  // The strictest provider that may be behind it is Anthropic, whose reasoning is signed with its prefix (A4.8) and whose
  // models take no prefill (A1.8): what suits it suits every other. A caller who knows better says so.
  target: {},
  decode: decodeAiSdk,
  encode: encodeAiSdk,
  decodeResult: (result, path) => decodeAiResult(parseAiResult(result, path)),
  encodeResult: (block) => encodeAiResult(block),
  check: checkAiSdk,
});
