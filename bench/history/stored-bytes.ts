import { openHistory } from "../../src/history/index.ts";
import { openStore } from "../../src/store/open-store.ts";
import { jsonBytes, type Conversations } from "./conversations.ts";
import { totalBytes, type Engine, type TableSize } from "./database.ts";

export interface StoredBytes {
  readonly database: string;
  readonly conversationBytes: number;
  readonly storedBytes: number;
  readonly tables: readonly TableSize[];
}

/** The conversations as they are, without edits, each appended at once. */
export async function storedBytes(engine: Engine, { threads }: Conversations, progress: (text: string) => void): Promise<StoredBytes> {
  const base = await engine.create();
  const empty = totalBytes(await base.tables());
  const store = await openStore(base.address);
  let conversationBytes = 0;
  for (const [index, messages] of threads.entries()) {
    progress(`${index + 1} of ${threads.length} conversations`);
    await (await openHistory({ store, thread: `t${index}` })).append(messages);
    conversationBytes += jsonBytes(messages);
  }
  await store.close();
  const tables = await base.tables();
  await base.remove();
  return { database: engine.name, conversationBytes, storedBytes: totalBytes(tables) - empty, tables };
}
