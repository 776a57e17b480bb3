import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { addressOf, type CorpusFile } from "./corpus-list.ts";
import { extractFrom } from "./extract.ts";

export interface FetchSettings {
  readonly into: string;
  readonly host: string;
  /** The time limit for one file, from the request to the last byte. */
  readonly timeoutMs: number;
  /** How often a file is requested again after a failure of the network or the server. */
  readonly retries: number;
  readonly retryDelayMs: number;
  readonly onFile: (outcome: Outcome, done: number) => void;
}

export type Outcome =
  | { readonly kind: "there" | "fetched"; readonly file: CorpusFile }
  | { readonly kind: "failed"; readonly file: CorpusFile; readonly address: string; readonly reason: string };

const AT_ONCE = 4;

/**
 * Fetches missing files. A file gets its name only when its hash is right, so that a stopped run can be resumed. At the end each set has
 * an INDEX.json of its files.
 */
export async function fetchCorpus(files: readonly CorpusFile[], settings: FetchSettings): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = files.values();
  const worker = async (): Promise<void> => {
    for (const file of waiting) {
      const outcome = await fetchFile(file, settings);
      outcomes.push(outcome);
      settings.onFile(outcome, outcomes.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outcomes;
}

async function fetchFile(file: CorpusFile, settings: FetchSettings): Promise<Outcome> {
  const path = join(settings.into, file.set, file.file);
  if (isThere(path, file)) return { kind: "there", file };
  const address = addressOf(file, settings.host);
  try {
    const source = await download(address, file, settings);
    const content = file.extract === undefined ? source : extractFrom(source, file.extract);
    const hash = sha256(content);
    if (hash !== file.sha256_uncompressed) {
      const part = file.extract === undefined ? "" : ", cut out of the file,";
      return { kind: "failed", file, address, reason: `the content${part} has the hash ${hash}, expected ${file.sha256_uncompressed}` };
    }
    mkdirSync(dirname(path), { recursive: true });
    const unfinished = `${path}.part`;
    writeFileSync(unfinished, path.endsWith(".gz") ? gzipSync(content) : content);
    renameSync(unfinished, path);
    return { kind: "fetched", file };
  } catch (error) {
    rmSync(`${path}.part`, { force: true });
    return { kind: "failed", file, address, reason: error instanceof Error ? error.message : String(error) };
  }
}

function isThere(path: string, file: CorpusFile): boolean {
  if (!existsSync(path)) return false;
  try {
    const bytes = readFileSync(path);
    return sha256(path.endsWith(".gz") ? gunzipSync(bytes) : bytes) === file.sha256_uncompressed;
  } catch {
    // Damaged: fetch it again.
    return false;
  }
}

/** A temporary failure: a retry may succeed. */
class PassingFailure extends Error {}

/** Far more than any file of the list, to stop reading from a server that never ends. */
const MAX_BYTES = 256 * 1024 * 1024;

async function download(address: string, file: CorpusFile, { timeoutMs, retries, retryDelayMs }: FetchSettings): Promise<Buffer> {
  const most = file.extract === undefined ? file.raw_bytes : MAX_BYTES;
  for (let attempt = 0; ; attempt++) {
    try {
      return await downloadOnce(address, most, timeoutMs);
    } catch (error) {
      if (!(error instanceof PassingFailure) || attempt >= retries) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs * 2 ** attempt));
    }
  }
}

async function downloadOnce(address: string, mostBytes: number, timeoutMs: number): Promise<Buffer> {
  const signal = AbortSignal.timeout(timeoutMs);
  let response: Response;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    response = await fetch(address, { signal });
    if (response.status === 200 && response.body !== null) {
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        if (bytes > mostBytes) break;
        chunks.push(chunk);
      }
    }
  } catch (error) {
    if (signal.aborted) throw new PassingFailure(`no answer in ${timeoutMs / 1000} s`);
    throw new PassingFailure(`the connection failed: ${reasonOf(error)}`);
  }
  if (response.status === 429 || response.status >= 500) throw new PassingFailure(`the server says ${response.status}`);
  if (response.status === 404) throw new Error("it no longer exists (404)");
  if (response.status !== 200) throw new Error(`the server says ${response.status}`);
  if (bytes > mostBytes) throw new Error(`it is longer than expected: over ${mostBytes} bytes`);
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Writes the index for tests and benchmarks: the rows of the list whose files exist, however they got there. */
export function writeIndexes(files: readonly CorpusFile[], into: string): void {
  for (const [set, ofSet] of Map.groupBy(files, (file) => file.set)) {
    const rows = ofSet.filter(({ file }) => existsSync(join(into, set, file))).map(({ set: _set, extract: _extract, ...row }) => row);
    if (rows.length > 0) writeFileSync(join(into, set, "INDEX.json"), `${JSON.stringify(rows, null, 1)}\n`);
  }
}
