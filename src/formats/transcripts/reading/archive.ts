import { unzipSync, zipSync, type Unzipped } from "fflate";
import { areUnchanged } from "./container.ts";
import { isValue, type FilePart } from "./file-part.ts";
import { parseJson } from "./parse-part.ts";
import { unreadable } from "./unreadable.ts";

/** A name may contain anything, even line breaks. */
const SAMPLE = /^samples\/.*\.json$/s;

/** Archives store the local time of their files, but equal content should produce equal bytes. */
const NO_TIME = new Date(1980, 0, 1);

/** A ZIP archive of JSON, as written by Inspect: every sample is a document. */
export interface Archive {
  readonly parts: readonly FilePart[];
  /** Returns the archive with these documents as its samples, and all other files unchanged. */
  readonly write: (values: readonly unknown[]) => Uint8Array;
}

export function openArchive(path: string, bytes: Uint8Array): Archive {
  const files = unzip(path, bytes);
  const samples = Object.keys(files).filter((name) => SAMPLE.test(name));
  if (samples.length === 0) throw unreadable(path, "the ZIP archive has no samples/*.json");
  const parts = samples.map((name, number) => readSample(name, number + 1, files[name] ?? new Uint8Array()));
  return { parts, write: (values) => (areUnchanged(parts, values) ? bytes : pack(files, samples, parts, values)) };
}

function unzip(path: string, bytes: Uint8Array): Unzipped {
  try {
    return unzipSync(bytes);
  } catch (error) {
    throw unreadable(path, `the ZIP archive is damaged (${error instanceof Error ? error.message : String(error)})`, {}, error);
  }
}

function readSample(name: string, line: number, bytes: Uint8Array): FilePart {
  const parsed = parseJson(bytes);
  if ("value" in parsed) return { kind: "value", value: parsed.value, line, place: name, bytes };
  return { kind: "skipped", line, reason: `${name}: ${parsed.fault.reason}`, bytes };
}

function pack(files: Unzipped, samples: readonly string[], parts: readonly FilePart[], values: readonly unknown[]): Uint8Array {
  const names = samples.filter((_, number) => parts[number]?.kind === "value");
  const read = parts.filter(isValue);
  const changed = names.flatMap((name, number) => {
    const value = values[number];
    return value === read[number]?.value ? [] : [[name, Buffer.from(JSON.stringify(value))] as const];
  });
  return zipSync({ ...files, ...Object.fromEntries(changed) }, { mtime: NO_TIME });
}
