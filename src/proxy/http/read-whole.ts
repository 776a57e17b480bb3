import type { IncomingMessage } from "node:http";
import { nextChunk } from "./client-answer.ts";

/** Reads an answer to its end. Rejects with `UpstreamFailure`. */
export async function readWhole(incoming: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const iterator = incoming.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const chunk = await nextChunk(iterator, signal);
    if (chunk === undefined) return Buffer.concat(chunks);
    chunks.push(chunk);
  }
}
