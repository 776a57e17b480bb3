import type { Finding } from "../messages/check-messages.ts";
import type { Message, ToolResultBlock } from "../messages/message.ts";
import type { Target } from "../messages/target.ts";

export type FormatName = "anthropic" | "openai-chat" | "openai-responses" | "ai-sdk";

/**
 * Between a provider's messages and the log. What belongs together in one turn is one message of the log, whatever the
 * format cuts it into: all that the assistant says and calls in one response, and all results that answer it. System
 * messages at the start stay at the start of the log.
 *
 * `encode(decode(messages))` gives the same objects back; a message that was changed in between is written anew, with
 * every part of it that was not changed as it was.
 */
export interface Codec<Native extends object, NativeResult extends object = Native> {
  readonly name: FormatName;
  /** What its providers accept, unless the caller says otherwise. */
  readonly target: Partial<Target>;
  /** Throws `INVALID_INPUT` with the path of what is not a message of this format. Never changes its input. */
  readonly decode: (messages: readonly Native[]) => Message[];
  readonly encode: (messages: readonly Message[]) => Native[];
  /** A single result, as the format has it: for `compressToolResult`. */
  readonly decodeResult: (result: NativeResult, path: string) => ToolResultBlock;
  readonly encodeResult: (block: ToolResultBlock) => NativeResult;
  /** What the provider would refuse, by its own rules and in its own words. */
  readonly check: (messages: readonly Native[], options?: CheckOptions) => Finding[];
}

export type CheckOptions = Partial<Target> & {
  /** More will be added, so the rules for the last message are off. */
  readonly history?: boolean;
  /** Of the Responses API: false if the provider keeps nothing, so that no id can be looked up (C5). */
  readonly store?: boolean;
};
