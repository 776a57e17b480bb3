/** A part of a file: a JSON value, or a line that is not JSON. */
export type FilePart = FileValue | SkippedPart;

/** A JSON value of the file: a line, the whole file, or a sample of an archive. */
export interface FileValue {
  readonly kind: "value";
  readonly value: unknown;
  /** The line in which it begins; in an archive, the number of the sample. */
  readonly line: number;
  /** For error messages, such as "line 7". */
  readonly place: string;
  /** The bytes in the file; a line with its ending. */
  readonly bytes: Uint8Array;
}

export interface SkippedPart {
  readonly kind: "skipped";
  readonly line: number;
  /** Why it could not be read; undefined for an empty line. */
  readonly reason: string | undefined;
  readonly bytes: Uint8Array;
}

export function isValue(part: FilePart): part is FileValue {
  return part.kind === "value";
}
