import type { Message } from "../../messages/message.ts";
import type { Codec } from "../codec.ts";
import { nativesOf } from "../origin.ts";
import type { MessageEntry } from "./transcript-format.ts";
import { weaveRecords } from "./weave-records.ts";

/** The half of a codec that files need. */
export type MessageCodec<Native extends object> = Pick<Codec<Native>, "name" | "decode" | "encode">;

/** Decodes records that are plain messages of a format. `isMessage`: whether a record counts as a message of the file. */
export function decodeMessages<Native extends object>(
  codec: MessageCodec<Native>,
  records: readonly Native[],
  isMessage: (record: Native) => boolean = () => true,
): MessageEntry[] {
  return codec.decode(records).map((message) => ({
    kind: "message",
    message,
    // Anthropic's messages have no origin: they are the log's own format.
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
