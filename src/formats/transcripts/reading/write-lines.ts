import { areUnchanged } from "./container.ts";
import type { FilePart } from "./file-part.ts";

/**
 * Writes JSONL with these values. Lines that were read and remain keep their bytes. Empty and damaged lines stay only in an
 * unchanged file: their place in a changed one is unknown.
 */
export function writeLines(parts: readonly FilePart[], values: readonly unknown[]): Buffer {
  if (areUnchanged(parts, values)) return Buffer.concat(parts.map((part) => part.bytes));
  const lines = new Map(parts.flatMap((part) => (part.kind === "value" ? [[part.value, withoutEnding(part.bytes)]] : [])));
  const written = values.flatMap((value) => [lines.get(value) ?? Buffer.from(JSON.stringify(value)), endingOf(parts[0])]);
  return Buffer.concat(endsOpen(parts) ? written.slice(0, -1) : written);
}

function withoutEnding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end--;
  return bytes.subarray(0, end);
}

function endingOf(first: FilePart | undefined): Buffer {
  return Buffer.from(first?.bytes.at(-2) === 0x0d ? "\r\n" : "\n");
}

/** Says whether the last line has no ending. */
function endsOpen(parts: readonly FilePart[]): boolean {
  return parts.at(-1)?.bytes.at(-1) !== 0x0a;
}
