import { constants, gunzipSync } from "node:zlib";
import { parseName } from "../../../history/history-input.ts";
import { importThread, parseExport } from "../../../history/transfer.ts";
import { CliError } from "../../cli-error.ts";
import type { CommandContext } from "../../command-context.ts";
import type { ImportChoice, WriteImport } from "./imported.ts";
import { listenForInterruption } from "./interruption.ts";
import { beginImport, refuseThere } from "../unfinished-imports.ts";

const FORMAT = "palimpsest-history";

/** Returns whether these are the first bytes of an export. */
export function isExport(firstBytes: Uint8Array): boolean {
  try {
    // Only the beginning of the gzip data, so the end is missing.
    return textOf(firstBytes, constants.Z_SYNC_FLUSH).startsWith(`{"format":"${FORMAT}"`);
  } catch {
    return false;
  }
}

/** Checks all of the export, so that a damaged one leaves no store behind. */
export function importExport({ interrupts }: CommandContext, file: string, bytes: Uint8Array, choice: ImportChoice): WriteImport {
  const { thread: asked, trajectory } = choice;
  if (trajectory !== undefined) throw new CliError("An export holds one thread.", "Leave --trajectory out.");
  const text = unpack(file, bytes);
  const branches = parseExport(text);
  const thread = asked ?? parseName((JSON.parse(text.slice(0, text.indexOf("\n"))) as { readonly thread?: unknown }).thread, "line 1.thread");
  return async (store) => {
    await refuseThere(store, [thread], choice);
    const interruption = listenForInterruption(interrupts);
    const target = await beginImport(store, thread, choice);
    const onWritten = (): Promise<void> => interruption.check(target.isResumed);
    const commits = await target
      .complete((id) => importThread(store, id, thread, branches, onWritten))
      .finally(() => {
        interruption.end();
      });
    return { store: store.name, file, format: FORMAT, threads: [{ thread, commits }], damaged: [] };
  };
}

function unpack(file: string, bytes: Uint8Array): string {
  try {
    return textOf(bytes, constants.Z_FINISH);
  } catch (cause) {
    throw new CliError(`Cannot read ${file}: the gzip data is damaged or incomplete.`, "Export the thread again.", cause);
  }
}

function textOf(bytes: Uint8Array, finishFlush: number): string {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return Buffer.from(isPacked ? gunzipSync(bytes, { finishFlush }) : bytes).toString("utf8");
}
