import { placeCacheMarkers } from "../formats/place-cache-markers.ts";
import { isToolResult, textBlock, type Block, type Message } from "../messages/message.ts";
import type { Request } from "../messages/request.ts";
import type { RequestBill } from "../pricing/billing/bill.ts";
import { createBiller, type Biller } from "../pricing/biller.ts";
import { modelInfo, type ModelOptions } from "../pricing/model-info.ts";
import type { ReplayHead } from "./replay-head.ts";
import type { ReplayedCall } from "./replay-trajectory.ts";

/** Where a request diverges from the previous one, and where the last rewrite ended. */
export interface Frontiers {
  /** The number of messages at the start that it shares with the previous request. */
  readonly kept: number;
  readonly frontier?: number;
}

/**
 * Bills the input of consecutive requests with ideal use of the prompt cache. If the provider caches at markers, there are four: after the
 * head, where the last rewrite ended, where the request diverges from the previous one, and at the end.
 */
export class ViewBiller {
  readonly #system: readonly Block[];
  readonly #tools: readonly object[];
  readonly #options: ModelOptions;
  readonly #unmarked = new WeakMap<Message, Message>();
  #biller: Biller | undefined;
  #lastAtMs: number | undefined;

  constructor(head: ReplayHead, options: ModelOptions) {
    this.#system = head.system === "" ? [] : [Object.assign(textBlock(head.system), MARKER)];
    const isEnd = (number: number): boolean => head.system === "" && number === head.tools.length - 1;
    this.#tools = head.tools.map((tool, number) => ({ ...withoutMarker(tool), ...(isEnd(number) ? MARKER : {}) }));
    this.#options = options;
  }

  bill({ model, atMs }: ReplayedCall, messages: readonly Message[], frontiers: Frontiers): RequestBill {
    this.#biller ??= createBiller(model, this.#options);
    this.#lastAtMs = atMs ?? this.#lastAtMs;
    const time = this.#lastAtMs === undefined ? {} : { atMs: this.#lastAtMs };
    const request = { system: this.#system, tools: this.#tools, messages: messages.map((message) => this.#withoutMarkers(message)) };
    const hasMarkers = modelInfo(model, this.#options).cache.kind === "markers";
    return this.#biller.bill({ ...(hasMarkers ? marked(request, frontiers) : request), model, ...time });
  }

  /** Removes the recording's own markers, which were meant for its original requests. */
  #withoutMarkers(message: Message): Message {
    let plain = this.#unmarked.get(message);
    if (plain === undefined) this.#unmarked.set(message, (plain = withoutMarkers(message)));
    return plain;
  }
}

const MARKER = { cache_control: { type: "ephemeral" } } as const;

function marked(request: Request, { kept, frontier }: Frontiers): Request {
  const stays = frontier === undefined ? request : placeCacheMarkers(request, { frontier });
  return kept === 0 ? placeCacheMarkers(stays) : placeCacheMarkers(stays, { frontier: kept - 1 });
}

function withoutMarkers(message: Message): Message {
  if (typeof message.content === "string") return message;
  const content = message.content.map(withoutMarkersIn);
  return content.every((block, number) => block === message.content[number]) ? message : { ...message, content };
}

function withoutMarkersIn(block: Block): Block {
  const plain = withoutMarker(block);
  if (!isToolResult(plain) || typeof plain.content !== "object") return plain;
  const content = plain.content.map(withoutMarker);
  return content.every((part, number) => part === plain.content?.[number]) ? plain : Object.assign({}, plain, { content });
}

function withoutMarker<T extends object>(value: T): T {
  if (!("cache_control" in value)) return value;
  const { cache_control: _, ...plain } = value;
  return plain as T;
}
