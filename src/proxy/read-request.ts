import { isUtf8 } from "node:buffer";
import { isRecord } from "../errors/is-record.ts";
import { unpackBody } from "./http/content-encoding.ts";

/** A request that could be read: as it came, as it is unpacked, and as a value. */
export interface Received {
  readonly bytes: Buffer;
  readonly unpacked: Buffer;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Undefined: it cannot be unpacked, is no JSON object, or has characters that are none. It goes on as it came. */
export async function readRequest(bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Received | undefined> {
  const unpacked = await unpackBody(bytes, encoding, maxBytes);
  if (unpacked === undefined || !isUtf8(unpacked)) return undefined;
  try {
    const body: unknown = JSON.parse(unpacked.toString("utf8"));
    return isRecord(body) ? { bytes, unpacked, body } : undefined;
  } catch {
    return undefined;
  }
}
