import type { Block } from "../../../src/messages/message.ts";
import { contentTokens } from "../../../src/tokens/message-tokens.ts";

export type TokensOfBlock = (block: Block) => number;
export type TokenCounterName = "estimate" | "chars";

/** `estimate`: about the tokens of o200k. `chars`: four characters a token, as the printed table seems to count. */
export const TOKEN_COUNTERS: Readonly<Record<TokenCounterName, TokensOfBlock>> = {
  estimate: remembering((block) => contentTokens([block])),
  chars: remembering((block) => charsIn(block) / 4),
};

function remembering(count: TokensOfBlock): TokensOfBlock {
  const known = new WeakMap<Block, number>();
  return (block) => {
    let tokens = known.get(block);
    if (tokens === undefined) known.set(block, (tokens = count(block)));
    return tokens;
  };
}

function charsIn(block: Block): number {
  const { type: _, id: _id, tool_use_id: _for, ...rest } = block as Block & Readonly<Record<string, unknown>>;
  return block.type === "tool_use" ? JSON.stringify(rest).length : charsOf(rest);
}

function charsOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, entry) => sum + charsOf(entry), 0);
}
