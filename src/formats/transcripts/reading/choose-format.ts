import { PalimpsestError } from "../../../errors/palimpsest-error.ts";
import { isRecord } from "../../../errors/is-record.ts";
import type { TranscriptFormat } from "../transcript-format.ts";
import { TRANSCRIPT_FORMATS } from "../transcript-formats.ts";
import type { Container } from "./container.ts";
import { isValue, type FileValue } from "./file-part.ts";
import { unreadable } from "./unreadable.ts";

/** Chooses the format of a file by its first values. With a name, only that format is accepted. */
export function chooseFormat({ path, firstParts, isLines }: Container, name: string | undefined): TranscriptFormat {
  const values = firstParts.filter(isValue);
  const candidates = TRANSCRIPT_FORMATS.filter(({ layout }) => isLines || layout === "document");
  const format = firstFitting(
    path,
    values,
    candidates.filter((candidate) => name === undefined || candidate.name === name),
  );
  if (format !== undefined) return format;
  if (name !== undefined) throw mismatch(path, name, firstFitting(path, values, candidates)?.name ?? null, values[0]);
  throw unreadable(path, "it is JSON, but not a transcript of a known format");
}

/** Returns the first format that detects one of the values, or else the first that may fit one of them. */
function firstFitting(path: string, values: readonly FileValue[], formats: readonly TranscriptFormat[]): TranscriptFormat | undefined {
  return (
    formats.find((format) => values.some((value, position) => detects(path, format, value, position))) ??
    formats.find((format) => values.some((value) => fits(path, format, value)))
  );
}

/** Throws if a value that does not fit belongs to another format: two files were concatenated. */
export function refuseMixture(path: string, format: TranscriptFormat, value: FileValue, position: number): void {
  const other = TRANSCRIPT_FORMATS.find((candidate) => candidate !== format && detects(path, candidate, value, position));
  if (other !== undefined) throw mismatch(path, format.name, other.name, value);
}

export function belongs(path: string, format: TranscriptFormat, value: FileValue, position: number): boolean {
  return detects(path, format, value, position) || fits(path, format, value);
}

function detects(path: string, format: TranscriptFormat, { value, place }: FileValue, position: number): boolean {
  return inFile(path, place, () => (format.layout === "document" ? format.detect(value) : isRecord(value) && format.detect(value, position)));
}

function fits(path: string, format: TranscriptFormat, { value, place }: FileValue): boolean {
  return inFile(path, place, () => (format.layout === "document" ? format.fits?.(value) : isRecord(value) && format.fits?.(value)) === true);
}

/** Adds the path and line to the error about a mixture within one value. */
function inFile(path: string, place: string, look: () => boolean): boolean {
  try {
    return look();
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== "FORMAT_MISMATCH") throw error;
    throw new PalimpsestError("FORMAT_MISMATCH", `${path}, ${place}: ${error.message}`, { ...error.data, path }, error);
  }
}

function mismatch(path: string, expected: string, found: string | null, value: FileValue | undefined): PalimpsestError {
  const place = value?.place ?? "line 1";
  return new PalimpsestError("FORMAT_MISMATCH", `${path}, ${place}: expected the format ${expected}, found ${found ?? "an unknown one"}.`, {
    path,
    expected,
    found,
    place,
  });
}
