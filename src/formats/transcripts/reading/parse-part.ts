import { isUtf8 } from "node:buffer";
import type { FilePart } from "./file-part.ts";
import { findJsonFault, type JsonFault } from "./find-json-fault.ts";

/** Parses a line as JSON, or says why it is not JSON. */
export function parseLine(line: number, bytes: Uint8Array): FilePart {
  const parsed = parseJson(bytes);
  if ("value" in parsed) return { kind: "value", value: parsed.value, line, place: `line ${line}`, bytes };
  return { kind: "skipped", line, reason: parsed.blank ? undefined : parsed.fault.reason, bytes };
}

export type ParsedJson = { readonly value: unknown } | { readonly blank: boolean; readonly fault: JsonFault };

export function parseJson(bytes: Uint8Array): ParsedJson {
  if (!isUtf8(bytes)) return { blank: false, fault: { reason: "it is binary or not in UTF-8", offset: 0, line: 1 } };
  let text = "";
  try {
    text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return { blank: text.trim() === "", fault: findJsonFault(text.trimEnd()) };
    // The runtime limits the length of a string.
    return { blank: false, fault: { reason: "it is longer than the longest possible string", offset: 0, line: 1 } };
  }
}
