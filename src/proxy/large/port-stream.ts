import { Duplex } from "node:stream";
import type { MessagePort } from "node:worker_threads";

/** Larger pieces are split, and copied in several turns of the event loop. */
const MOST_BYTES = 1024 * 1024;
/** The message that says that the last piece was read. */
const READ = "read";
const END = "end";

/**
 * Returns a connection to another thread of this process. Each piece waits until the one before it has been read, so a slow reader slows the
 * writer down.
 */
export function portStream(port: MessagePort): Duplex {
  /** The other side waits until this side wants more. */
  let isOwed = false;
  let sent: (() => void) | undefined;
  const stream = new Duplex({
    read: () => {
      if (isOwed) port.postMessage(READ);
      isOwed = false;
    },
    write: (chunk: Buffer, _encoding, done) => {
      let at = 0;
      const next = (): void => {
        if (at >= chunk.length) return done();
        // A copy, because it is transferred: small buffers share their memory with others.
        const piece = new Uint8Array(chunk.subarray(at, at + MOST_BYTES));
        at += piece.length;
        sent = next;
        port.postMessage(piece, [piece.buffer]);
      };
      next();
    },
    final: (done) => {
      port.postMessage(END);
      done();
    },
    destroy: (error, done) => {
      port.close();
      done(error);
    },
  });
  port.on("message", (message: Uint8Array | typeof READ | typeof END) => {
    if (message === READ) sent?.();
    else if (message === END) stream.push(null);
    else {
      isOwed = true;
      // It may call `read` at once, or later.
      stream.push(Buffer.from(message.buffer, message.byteOffset, message.length));
    }
  });
  // Once both sides have ended, this has no effect.
  port.on("close", () => stream.destroy());
  return stream;
}
