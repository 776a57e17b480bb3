import type { Message } from "../../messages/message.ts";
import type { Codec } from "../codec.ts";
import { nativesOf } from "../origin.ts";
import type { MessageEntry } from "./transcript-format.ts";
import { weaveRecords } from "./weave-records.ts";

/** The half of a codec that files need. */
export type MessageCodec<Native extends object> = Pick<Codec<Native>, "name" | "decode" | "encode">;

/** Records that are messages of a format as they are. `isMessage`: those that count as one of the file. */
export function decodeMessages<Native extends object>(
  codec: MessageCodec<Native>,
  records: readonly Native[],
  isMessage: (record: Native) => boolean = () => true,
): MessageEntry[] {
  return codec.decode(records).map((message) => ({
    kind: "message",
    message,
    // Messages of the log's own format are decoded from themselves.
    nativeMessages: nativesOf<Native>(message)?.filter(isMessage).length ?? 1,
  }));
}

/** Records that are not messages stay where they are. */
export function encodeMessages<Native extends object>(
  codec: MessageCodec<Native>,
  records: readonly object[],
  view: readonly Message[],
  isMessage: (record: object) => boolean = () => true,
): object[] {
  const known = new Set(records);
  return weaveRecords(
    records,
    isMessage,
    codec.encode(view).map((record) => (known.has(record) ? { record, inPlaceOf: record } : { record })),
  );
}
