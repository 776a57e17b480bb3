import { guarded } from "../errors/guarded.ts";
export { aiSdk } from "./ai-sdk/ai-sdk.ts";
export type { AiMessage, AiToolResult } from "./ai-sdk/ai-message.ts";
export { anthropic } from "./anthropic/anthropic.ts";
export type { CheckOptions, Codec, FormatName } from "./codec.ts";
import { detectFormat as detectFormatUnguarded } from "./detect-format.ts";
import { forFormat as forFormatUnguarded } from "./for-format.ts";
export type { FormatFunctions, FormatOptions } from "./for-format.ts";
export type { ChatMessage } from "./openai-chat/chat-message.ts";
export { openaiChat } from "./openai-chat/openai-chat.ts";
export { openaiResponses } from "./openai-responses/openai-responses.ts";
export type { ResponseItem } from "./openai-responses/response-item.ts";
import { placeCacheMarkers as placeCacheMarkersUnguarded } from "./place-cache-markers.ts";
export type { MarkerOptions } from "./place-cache-markers.ts";
import { loadTranscript as loadTranscriptUnguarded } from "./transcripts/load-transcript.ts";
import { readTranscript as readTranscriptUnguarded } from "./transcripts/read-transcript.ts";
export { TRANSCRIPT_FORMATS } from "./transcripts/transcript-formats.ts";
export type { CompactionEntry, DamagedEntry, Entry, MessageEntry, TrajectoryEntry, TranscriptFormat } from "./transcripts/transcript-format.ts";
export type { Usage as TranscriptUsage } from "../messages/usage.ts";

// Guarded: an unreadable argument is named in the error, wherever the function fails.
/** Returns the format of a message array or a request body; undefined if it is neither. Throws `FORMAT_MISMATCH` for a mixture. */
export const detectFormat: typeof detectFormatUnguarded = /* @__PURE__ */ guarded(detectFormatUnguarded, "value");
export const forFormat: typeof forFormatUnguarded = /* @__PURE__ */ guarded(forFormatUnguarded, "codec", "options");
/**
 * Returns the request with cache markers that the next requests can use, because entries exist only at markers. One is at
 * the tail. One is on the frontier of the last batch, for when the present tail is out of reach (20 blocks). The caller's
 * markers stay and count. Call it after all edits: a marker on a message that an edit removes is lost.
 */
export const placeCacheMarkers: typeof placeCacheMarkersUnguarded = /* @__PURE__ */ guarded(placeCacheMarkersUnguarded, "request", "options");
/** Reads a whole transcript into memory, so that it can be written again. */
export const loadTranscript: typeof loadTranscriptUnguarded = /* @__PURE__ */ guarded(loadTranscriptUnguarded, "source", "options");
/** Reads a transcript of any known format from a path or a stream, with or without gzip. */
export const readTranscript: typeof readTranscriptUnguarded = /* @__PURE__ */ guarded(readTranscriptUnguarded, "source", "options");
