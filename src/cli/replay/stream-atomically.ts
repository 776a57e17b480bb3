import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { inPlaceOf } from "../write-atomically.ts";

/** Writes pieces as they come, no faster than they can be written. If they end in an error, what was there stays. */
export async function streamAtomically(path: string, pieces: AsyncIterable<string>, option: string): Promise<void> {
  await inPlaceOf(path, option, async (temporary) => {
    // Opened before the first piece is asked for: a stream that opens it itself might do so when it was removed already.
    const file = (await open(temporary, "w")).createWriteStream();
    if (path.endsWith(".gz")) await pipeline(pieces, createGzip(), file);
    else await pipeline(pieces, file);
  });
}
