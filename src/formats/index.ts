export { aiSdk } from "./ai-sdk/ai-sdk.ts";
export type { AiMessage, AiToolResult } from "./ai-sdk/ai-message.ts";
export { anthropic } from "./anthropic/anthropic.ts";
export type { CheckOptions, Codec, FormatName } from "./codec.ts";
export { detectFormat } from "./detect-format.ts";
export { forFormat, type FormatFunctions, type FormatOptions } from "./for-format.ts";
export type { ChatMessage } from "./openai-chat/chat-message.ts";
export { openaiChat } from "./openai-chat/openai-chat.ts";
export { openaiResponses } from "./openai-responses/openai-responses.ts";
export type { ResponseItem } from "./openai-responses/response-item.ts";
export { placeCacheMarkers, type MarkerOptions } from "./place-cache-markers.ts";
export { loadTranscript } from "./transcripts/load-transcript.ts";
export { readTranscript } from "./transcripts/read-transcript.ts";
export { TRANSCRIPT_FORMATS } from "./transcripts/transcript-formats.ts";
export type {
  CompactionEntry,
  DamagedEntry,
  Entry,
  MessageEntry,
  TrajectoryEntry,
  TranscriptFormat,
  TranscriptUsage,
} from "./transcripts/transcript-format.ts";
