import { parseOptions } from "../errors/parse-options.ts";
import { invalid, type PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Block, ToolResultBlock } from "../messages/message.ts";
import { isResult, parseBlock, type Unchecked } from "../messages/message-shape.ts";
import { cappedContent } from "../passes/cap-results/cap-results.ts";
import { COMPRESSOR_FIELDS, type CompressorConfig } from "./compressor-config.ts";

/** Returns the block with its text cut to `maxToolResultTokens`, or the same block if it is short enough or no limit is set. */
export function compressToolResult(block: ToolResultBlock, config: CompressorConfig = {}): ToolResultBlock {
  const { maxToolResultTokens } = parseOptions(config, "config", COMPRESSOR_FIELDS);
  if (!isToolResultBlock(block)) throw blockFault(block);
  if (maxToolResultTokens === undefined || block.content === undefined) return block;
  const content = cappedContent(block.content, maxToolResultTokens);
  return content === block.content ? block : { ...block, content };
}

function isToolResultBlock(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as Unchecked).type === "tool_result" && isResult(value);
}

/** A block of another type is still a block: only its type is wrong. */
function blockFault(block: Block): PalimpsestError {
  parseBlock(block, "block");
  return invalid("INVALID_INPUT", "block.type", '"tool_result"', block.type);
}
