import type { Transform } from "node:stream";
import { promisify } from "node:util";
import * as zlib from "node:zlib";

type Unpack = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

interface Coding {
  readonly unpack: Unpack;
  readonly stream: () => Transform;
}

const gzip: Coding = { unpack: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip), stream: zlib.createGunzip };
const CODINGS: Readonly<Record<string, Coding>> = {
  gzip,
  "x-gzip": gzip,
  deflate: { unpack: unpackDeflate, stream: zlib.createInflate },
  br: { unpack: promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress), stream: zlib.createBrotliDecompress },
  zstd: { unpack: promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress), stream: zlib.createZstdDecompress },
};

const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);

/** Some clients use "deflate" for the raw format without a header. */
async function unpackDeflate(bytes: Buffer, options: { readonly maxOutputLength: number }): Promise<Buffer> {
  try {
    return await inflate(bytes, options);
  } catch (error) {
    if (isTooLarge(error)) throw error;
    return inflateRaw(bytes, options);
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}

/** Returns the unpacked body. Undefined: it cannot be unpacked, or is larger than `maxBytes`. */
export async function unpackBody(bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer | undefined> {
  let unpacked = bytes;
  try {
    // The encoding that was applied last is named last.
    for (const name of codingsIn(encoding).toReversed()) {
      const coding = CODINGS[name];
      if (coding === undefined) return undefined;
      unpacked = await coding.unpack(unpacked, { maxOutputLength: maxBytes });
    }
  } catch {
    return undefined;
  }
  return unpacked.length <= maxBytes ? unpacked : undefined;
}

/** Unpacks a stream piece by piece. */
export interface Unpacker {
  /** Returns the bytes that this piece completes. Rejects if the data is not in the encoding that its header names. */
  push(chunk: Buffer): Promise<Buffer>;
  close(): void;
}

/** Undefined: an encoding that is not supported, or more than one. */
export function unpackerOf(encoding: string | undefined): Unpacker | undefined {
  const [name, ...more] = codingsIn(encoding);
  if (name === undefined) return { push: (chunk) => Promise.resolve(chunk), close: () => undefined };
  const coding = CODINGS[name];
  return coding === undefined || more.length > 0 ? undefined : transforming(coding.stream());
}

function transforming(transform: Transform): Unpacker {
  let known: Buffer[] = [];
  let failure: Error | undefined;
  // Zlib never calls back for a piece that it cannot read.
  let fail: ((error: Error) => void) | undefined;
  transform.on("data", (chunk: Buffer) => void known.push(chunk));
  transform.on("error", (error) => {
    failure = error;
    fail?.(error);
  });
  return {
    push: async (chunk) => {
      if (failure !== undefined) throw failure;
      await new Promise<void>((resolve, reject) => {
        fail = reject;
        transform.write(chunk, (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
      const pieces = known;
      known = [];
      return Buffer.concat(pieces);
    },
    close: () => void transform.destroy(),
  };
}

/** Returns the part of the client's `accept-encoding` that can be read here. Undefined stays undefined: servers then send no encoding. */
export function readableEncodings(accepted: string | undefined): string | undefined {
  if (accepted === undefined) return undefined;
  const readable = accepted.split(",").filter((entry) => {
    const name = (entry.split(";", 1)[0] ?? "").trim().toLowerCase();
    return name === "identity" || Object.hasOwn(CODINGS, name);
  });
  return readable.length === 0 ? "identity" : readable.map((entry) => entry.trim()).join(", ");
}

function codingsIn(encoding: string | undefined): readonly string[] {
  return (encoding ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
}
