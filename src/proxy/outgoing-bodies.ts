import { isRecord } from "../errors/is-record.ts";
import type { Received } from "./request-reader.ts";
import { equalButForMarkers } from "./splice/equal-json.ts";
import { spliceBody } from "./splice/splice-body.ts";

/** Bytes for the provider. */
export interface Outgoing {
  readonly bytes: Buffer;
  /** They are the client's bytes, still encoded as they came. */
  readonly isOwn: boolean;
  /** Why the client's own bytes are sent. */
  readonly nothing: string | undefined;
  /** How many bytes the engine would send. */
  readonly wantedBytes: number;
}

export interface OutgoingOptions {
  readonly received: Received;
  /** Send the client's bytes, whatever the engine wants. */
  readonly observe: boolean;
  /** If only cache markers differ, send the client's bytes. */
  readonly ignoresMarkers: boolean;
  /** Why the engine leaves the body as it came, where it does. */
  readonly asItCame: string;
  readonly onFailure: (error: unknown) => void;
}

/** Writes the engine's request with the client's bytes wherever it did not change anything. */
export function outgoingFor(request: object, { received, observe, ignoresMarkers, asItCame, onFailure }: OutgoingOptions): Outgoing {
  const { bytes, unpacked, body } = received;
  const own = (nothing: string, wantedBytes: number): Outgoing => ({ bytes, isOwn: true, nothing, wantedBytes });
  if (request === body) return own(asItCame, unpacked.length);
  if (ignoresMarkers && equalButForMarkers(body, request)) return own("unchanged", unpacked.length);
  const written = spliced(received, request, onFailure);
  if (written.length === unpacked.length && written.equals(unpacked)) return own("unchanged", unpacked.length);
  if (observe) return own("observed", written.length);
  return { bytes: written, isOwn: false, nothing: undefined, wantedBytes: written.length };
}

function spliced({ unpacked, body, members }: Received, request: object, onFailure: (error: unknown) => void): Buffer {
  try {
    if (isRecord(request)) return spliceBody(unpacked, body, request, members());
  } catch (error) {
    onFailure(error);
  }
  return Buffer.from(JSON.stringify(request));
}
