import { parseOptions } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { ToolResultBlock } from "../messages/message.ts";
import { parseBlock } from "../messages/parse-messages.ts";
import { cappedContent } from "../passes/cap-results/cap-results.ts";
import { COMPRESSOR_FIELDS, type CompressorConfig } from "./compressor-config.ts";

/** The block with its text cut to `maxToolResultTokens`; the same block if it is short enough, or nothing is set. */
export function compressToolResult(block: ToolResultBlock, config: CompressorConfig = {}): ToolResultBlock {
  const { maxToolResultTokens } = parseOptions(config, "config", COMPRESSOR_FIELDS);
  parseBlock(block, "block");
  if ((block.type as string) !== "tool_result") throw invalid("INVALID_INPUT", "block.type", '"tool_result"', block.type);
  if (maxToolResultTokens === undefined || block.content === undefined) return block;
  const content = cappedContent(block.content, maxToolResultTokens);
  return content === block.content ? block : { ...block, content };
}
