import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** A complete body, or one that is too large to be read and can only be piped. */
export type Received = { readonly kind: "whole"; readonly bytes: Buffer } | { readonly kind: "large"; readonly stream: Readable };

/** The client sent nothing for too long. */
export class SlowClient extends Error {
  override readonly name = "SlowClient";
}

/** Reads up to `maxBytes`; a body with a larger `content-length` is not read at all. Rejects with `SlowClient`. */
export async function receiveBody(request: IncomingMessage, maxBytes: number, idleMs: number): Promise<Received> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return { kind: "large", stream: request };
  const chunks: Buffer[] = [];
  let length = 0;
  const iterator = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const next = await within(idleMs, iterator.next());
    if (next.done === true) return { kind: "whole", bytes: chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks, length) };
    chunks.push(next.value);
    length += next.value.length;
    if (length > maxBytes) return { kind: "large", stream: Readable.from(bothOf(chunks, iterator)) };
  }
}

async function* bothOf(chunks: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function within<T>(idleMs: number, next: Promise<T>): Promise<T> {
  if (idleMs === 0) return next;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SlowClient(`The client sent nothing of its request for ${idleMs} ms.`)), idleMs);
  });
  try {
    return await Promise.race([next, late]);
  } finally {
    clearTimeout(timer);
  }
}
