import type { FilePart } from "./file-part.ts";

/** The layout of a transcript file: one value per line, a single value, or an archive. */
export interface Container {
  /** The name of the file or stream. */
  readonly path: string;
  /** True if there may be any number of values. */
  readonly isLines: boolean;
  /** The first parts: enough to detect the format. */
  readonly firstParts: readonly FilePart[];
  /** All parts, including the first ones. Can be read once; lines are read as they are requested. */
  readonly parts: AsyncIterable<FilePart>;
  /** Returns the file with these values. Values of `parts`, which are all that were read, keep their bytes; others are rewritten. */
  readonly write: (parts: readonly FilePart[], values: readonly unknown[]) => string | Uint8Array;
  /** Call it if you stop before the end. */
  readonly close: () => void;
}

/** Says whether these are exactly the values that were read, in the same order. */
export function areUnchanged(parts: readonly FilePart[], values: readonly unknown[]): boolean {
  const read = parts.flatMap((part) => (part.kind === "value" ? [part.value] : []));
  return read.length === values.length && read.every((value, number) => value === values[number]);
}
