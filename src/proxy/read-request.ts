import { isUtf8 } from "node:buffer";
import { isRecord } from "../errors/is-record.ts";

/** A request that could be read: as it came, as it is unpacked, and as a value. */
export interface Received {
  readonly bytes: Buffer;
  readonly unpacked: Buffer;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Undefined: it is no JSON object, or not in UTF-8. It is sent as it came. */
export function readRequest(bytes: Buffer, unpacked: Buffer): Received | undefined {
  if (!isUtf8(unpacked)) return undefined;
  try {
    const body: unknown = JSON.parse(unpacked.toString("utf8"));
    return isRecord(body) ? { bytes, unpacked, body } : undefined;
  } catch {
    return undefined;
  }
}
