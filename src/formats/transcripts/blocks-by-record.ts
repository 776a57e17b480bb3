import { isToolResult, isToolUse, type Block } from "../../messages/message.ts";

/** Assigns the shown blocks, changed or not, to the records that they came from. New blocks go to the last record. */
export function blocksByRecord<R>(records: readonly R[], blocksIn: (record: R) => readonly Block[], shown: readonly Block[]): Block[][] {
  const parts: Block[][] = records.map(() => []);
  const owners = new Map<Block | string, number>();
  records.forEach((record, number) => {
    for (const block of blocksIn(record)) {
      owners.set(block, number);
      const key = keyOf(block);
      if (key !== undefined && !owners.has(key)) owners.set(key, number);
    }
  });
  for (const block of shown) {
    const owner = owners.get(block) ?? owners.get(keyOf(block) ?? block) ?? records.length - 1;
    parts[owner]?.push(block);
  }
  return parts;
}

/** Changed calls and results are recognized by id. */
function keyOf(block: Block): string | undefined {
  if (isToolUse(block)) return `call ${block.id}`;
  return isToolResult(block) ? `result ${block.tool_use_id}` : undefined;
}
