import { hash64 } from "../../edits/edit-id.ts";
import type { Message } from "../../messages/message.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import { sizeOfAll } from "./message-size.ts";

/** The part of a request before its messages. */
export interface RequestHead {
  readonly hash: string;
  readonly systemTokens: number;
  readonly toolsTokens: number;
}

/** Remembers the last result, because the head is the same string in nearly every request of a conversation. */
let last = { text: "", head: { hash: "", systemTokens: 0, toolsTokens: 0 } };

export function requestHead(text: string, body: object, system: readonly Message[]): RequestHead {
  if (last.text !== text) {
    const { system: own, instructions, tools } = body as Readonly<Record<string, unknown>>;
    const tokensOf = (value: unknown): number => (value === undefined ? 0 : estimateTokens(typeof value === "string" ? value : JSON.stringify(value)));
    const systemTokens = tokensOf(own) + tokensOf(instructions) + sizeOfAll(system);
    last = { text, head: { hash: hash64(text), systemTokens, toolsTokens: tokensOf(tools) } };
  }
  return last.head;
}
