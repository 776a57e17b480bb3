import { compressToolResult, type ToolResultBlock } from "../../src/index.ts";
import { createSubject, expectWork, type Subject } from "../subject.ts";
import { blocksOf } from "../threads/parts.ts";

const NAME = "compressToolResult, all results";
const MAX_TOKENS = 100;

export const compressSubject: Subject = createSubject<readonly ToolResultBlock[], readonly ToolResultBlock[]>({
  name: NAME,
  jobs: ["shorten results"],
  convert: (messages) => messages.flatMap((message) => blocksOf(message).filter((block): block is ToolResultBlock => block.type === "tool_result")),
  run: (blocks) => blocks.map((block) => compressToolResult(block, { maxToolResultTokens: MAX_TOKENS })),
  check(before, after) {
    const cut = after.filter((block, index) => JSON.stringify(block).length < JSON.stringify(before[index]).length).length;
    expectWork(cut > 0 && after.length === before.length, NAME, `${cut} of ${before.length} results were cut`);
    return `${cut} of ${before.length} results cut`;
  },
});
