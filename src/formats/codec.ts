import type { Finding } from "../messages/check-messages.ts";
import type { Message, ToolResultBlock } from "../messages/message.ts";
import type { Target } from "../messages/target.ts";

export type FormatName = "anthropic" | "openai-chat" | "openai-responses" | "ai-sdk";

/**
 * Converts between a provider's messages and the log. One turn is one message of the log, however the format splits it:
 * all text and calls of one response, and all results that answer it. System messages at the start stay at the start of
 * the log.
 *
 * `encode(decode(messages))` returns the same objects. A message that was changed in between is rewritten; its unchanged
 * parts stay as they were.
 */
export interface Codec<Native extends object, NativeResult extends object = Native> {
  readonly name: FormatName;
  /** The default target: what providers of this format accept. */
  readonly target: Partial<Target>;
  /** Throws `INVALID_INPUT` with the path of a value that is not a message of this format. Never changes its input. */
  readonly decode: (messages: readonly Native[]) => Message[];
  readonly encode: (messages: readonly Message[]) => Native[];
  /** Decodes a single result of this format, for `compressToolResult`. */
  readonly decodeResult: (result: NativeResult, path: string) => ToolResultBlock;
  readonly encodeResult: (block: ToolResultBlock) => NativeResult;
  /** Reports what the provider would refuse, by its own rules and in its own words. */
  readonly check: (messages: readonly Native[], options?: CheckOptions) => Finding[];
}

export type CheckOptions = Partial<Target> & {
  /** More messages will follow, so the rules for the last message are off. */
  readonly history?: boolean;
  /** Responses API: false if the provider stores nothing, so that no id can be looked up (C5). */
  readonly store?: boolean;
};
