import type { IncomingMessage } from "node:http";
import { tooLongIn } from "../agent/front-end/rescue.ts";
import type { Sent } from "../agent/front-end/exchange.ts";
import { unpackBody } from "./http/content-encoding.ts";
import { readWhole } from "./http/read-whole.ts";

/** An answer that goes to the client as it is: an error, or something that is not in the API's format. */
export class Refusal {
  readonly incoming: IncomingMessage;
  /** Undefined: it was not read. */
  readonly bytes: Buffer | undefined;

  constructor(incoming: IncomingMessage, bytes?: Buffer) {
    this.incoming = incoming;
    this.bytes = bytes;
  }
}

/** Larger than any error. */
const MOST_ERROR_BYTES = 1024 * 1024;

/** Reads the body of a 400 or 413: only its text says whether the request is too long, or our view was refused. Everything else is passed on at once. */
export async function refusalOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Sent<never>> {
  const { statusCode: status, headers } = incoming;
  const mayBeTooLong = (status === 400 || status === 413) && Number(headers["content-length"] ?? 0) <= MOST_ERROR_BYTES;
  if (!mayBeTooLong) return { refused: new Refusal(incoming), tooLong: undefined, status };
  const bytes = await readWhole(incoming, signal);
  const unpacked = await unpackBody(bytes, headers["content-encoding"], MOST_ERROR_BYTES);
  const said = unpacked?.toString("utf8");
  return { refused: new Refusal(incoming, bytes), tooLong: said === undefined ? undefined : tooLongIn(said), status, said };
}
