import { isRecord } from "../../errors/is-record.ts";
import { blocksOf, textBlock, type Block, type Message } from "../../messages/message.ts";
import type { CacheMarker, Request } from "../../messages/request.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import { contentTokens } from "../../tokens/message-tokens.ts";
import { markerOf } from "./cache-markers.ts";
import { NOTHING, plus, type Amount } from "./token-fit.ts";
import type { WireMarkers } from "./wire.ts";

/** A client's request as it came. */
export interface OwnRequest {
  readonly body: object;
  /** Hash of everything before the messages. */
  readonly headHash: string;
  /** System messages at the start. */
  readonly system: readonly Message[];
  readonly messages: readonly Message[];
  /** Returns the cache marker on a tool or a block. `ends`: the message that ends with it, if any. */
  readonly markerOf: (value: object, ends: Message | undefined) => CacheMarker | undefined;
  /** The cache marker of the whole request. */
  readonly automatic: CacheMarker | undefined;
}

/** `markers`: of a format that is not Anthropic's. */
export function ownRequestOf<Body>(
  body: Body,
  headHash: string,
  system: readonly Message[],
  messages: readonly Message[],
  markers: WireMarkers<Body> | undefined,
): OwnRequest {
  const own = { body: body as object, headHash, system, messages };
  if (markers !== undefined) return { ...own, markerOf: markers.of, automatic: markers.automaticOf(body) };
  return { ...own, markerOf: (value) => markerOf(value as Block), automatic: (body as Request).cache_control ?? undefined };
}

/** Returns the amount of everything before the messages. */
export function headAmount(request: OwnRequest): Amount {
  return headValues(request).map(amountOfHead).reduce(plus, NOTHING);
}

export type HeadValue = readonly [part: "tools" | "system", value: unknown];

export function headValues({ body, system }: OwnRequest): HeadValue[] {
  const { tools, system: own, instructions } = body as Readonly<Record<string, unknown>>;
  const listed = Array.isArray(tools) ? (tools as readonly unknown[]) : [];
  const told = [own, instructions].flatMap((text) =>
    typeof text === "string" ? (text === "" ? [] : [textBlock(text)]) : Array.isArray(text) ? (text as readonly unknown[]) : [],
  );
  return [...listed.map((value): HeadValue => ["tools", value]), ...[...told, ...system.flatMap(blocksOf)].map((value): HeadValue => ["system", value])];
}

/** A block without text counts as nothing: it is not sent, or only notes something that is. */
export function amountOf(block: Block): Amount {
  const text = contentTokens([block]);
  return { text, pieces: text === 0 ? 0 : 1 };
}

export function amountOfHead([part, value]: HeadValue): Amount {
  return part === "system" && isRecord(value) ? amountOf(value as unknown as Block) : { text: estimateTokens(JSON.stringify(value)), pieces: 1 };
}

const amountsOfMessages = new WeakMap<Message, Amount>();

/** Most messages of a view are those of the view before: each is measured once. */
export function amountOfMessage(message: Message): Amount {
  const known = amountsOfMessages.get(message);
  if (known !== undefined) return known;
  const amount = blocksOf(message).map(amountOf).reduce(plus, NOTHING);
  amountsOfMessages.set(message, amount);
  return amount;
}

export function amountOfMessages(messages: readonly Message[]): Amount {
  let [text, pieces] = [0, 0];
  for (const message of messages) {
    const amount = amountOfMessage(message);
    text += amount.text;
    pieces += amount.pieces;
  }
  return { text, pieces };
}
