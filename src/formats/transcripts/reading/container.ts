import type { FilePart } from "./file-part.ts";

/** How the values of a transcript lie in their file: one per line, one in all, or packed in an archive. */
export interface Container {
  /** What the file or stream is called. */
  readonly path: string;
  /** May there be any number of values? */
  readonly isLines: boolean;
  /** The first parts: enough to tell the format. */
  readonly firstParts: readonly FilePart[];
  /** All parts, the first ones among them. To be read once; a file of lines is read as they are asked for. */
  readonly parts: AsyncIterable<FilePart>;
  /** The file with these values: those of `parts` as they were, others written anew. `parts` are all that were read. */
  readonly write: (parts: readonly FilePart[], values: readonly unknown[]) => string | Uint8Array;
  /** For those who stop before the end. */
  readonly close: () => void;
}

/** Are these the values that were read, all of them and in their order? */
export function areUnchanged(parts: readonly FilePart[], values: readonly unknown[]): boolean {
  const read = parts.flatMap((part) => (part.kind === "value" ? [part.value] : []));
  return read.length === values.length && read.every((value, number) => value === values[number]);
}
