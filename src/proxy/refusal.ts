import type { IncomingMessage } from "node:http";
import { tooLongIn } from "../agent/front-end/rescue.ts";
import type { Sent } from "../agent/front-end/exchange.ts";
import { unpackBody } from "./http/content-encoding.ts";
import { readWhole } from "./http/read-whole.ts";

/** An answer that goes to the client as it is: an error, or nothing that an API says. */
export class Refusal {
  readonly incoming: IncomingMessage;
  /** Undefined: it was not read. */
  readonly bytes: Buffer | undefined;

  constructor(incoming: IncomingMessage, bytes?: Buffer) {
    this.incoming = incoming;
    this.bytes = bytes;
  }
}

/** More than any error says. */
const MOST_ERROR_BYTES = 1024 * 1024;

/** What a provider says to a request that is too long, or that we have spoilt, can only be read in its words; all else goes on at once. */
export async function refusalOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Sent<never>> {
  const { statusCode: status, headers } = incoming;
  const mayBeTooLong = (status === 400 || status === 413) && Number(headers["content-length"] ?? 0) <= MOST_ERROR_BYTES;
  if (!mayBeTooLong) return { refused: new Refusal(incoming), tooLong: undefined, status };
  const bytes = await readWhole(incoming, signal);
  const unpacked = await unpackBody(bytes, headers["content-encoding"], MOST_ERROR_BYTES);
  const said = unpacked?.toString("utf8");
  return { refused: new Refusal(incoming, bytes), tooLong: said === undefined ? undefined : tooLongIn(said), status, said };
}
