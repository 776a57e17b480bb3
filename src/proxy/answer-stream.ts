import type { IncomingMessage } from "node:http";
import { nextChunk, type ClientAnswer } from "./http/client-answer.ts";
import { unpackerOf, type Unpacker } from "./http/content-encoding.ts";
import { EventFrames, type Frame } from "./http/event-frames.ts";
import { spliceBody } from "./splice/splice-body.ts";

const LINE_FEED = 0x0a;

type Fields = Readonly<Record<string, unknown>>;

/** Returns the event as the client gets it. Undefined: the client does not get it. */
export type HideEvent = (event: object) => object | undefined;

/** The original bytes of events that are passed on unchanged. */
export type RawEvents = WeakMap<object, Buffer>;

export interface AnswerStreamOptions {
  readonly incoming: IncomingMessage;
  readonly answer: ClientAnswer;
  /** Bytes are passed on to the client before they are read here. */
  readonly isRaw: boolean;
  /** Set if the answer has something that the client has not asked for. */
  readonly hide: HideEvent | undefined;
  readonly raws: RawEvents;
}

/**
 * One streamed answer from the provider to the client, which the engine reads along the way. For the engine it ends with the last event: the
 * engine has to process that before the client learns that the answer is over, because the client's next request may come at once.
 */
export class AnswerStream {
  readonly incoming: IncomingMessage;
  readonly #answer: ClientAnswer;
  readonly #isRaw: boolean;
  readonly #hide: HideEvent | undefined;
  readonly #raws: RawEvents;
  readonly #unpacker: Unpacker;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #frames = new EventFrames();
  /** Bytes that came with the last event, or after it. */
  readonly #held: Buffer[] = [];

  private constructor({ incoming, answer, isRaw, hide, raws }: AnswerStreamOptions, unpacker: Unpacker) {
    this.incoming = incoming;
    this.#answer = answer;
    this.#isRaw = isRaw;
    this.#hide = hide;
    this.#raws = raws;
    this.#unpacker = unpacker;
    this.#chunks = incoming.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Undefined: its content encoding is not supported. */
  static open(options: AnswerStreamOptions): AnswerStream | undefined {
    const unpacker = unpackerOf(options.incoming.headers["content-encoding"]);
    return unpacker === undefined ? undefined : new AnswerStream(options, unpacker);
  }

  /** Yields the events of the answer, up to its last one. Everything else is passed on to the client in its place. */
  async *events(): AsyncGenerator<object, void, void> {
    for (;;) {
      const chunk = await this.#next();
      if (chunk === undefined) break;
      const frames = await this.#framesOf(chunk);
      const last = frames.findIndex(({ isLast }) => isLast);
      if (this.#isRaw && this.#hide !== undefined) {
        // Every event that the chunk completes is passed on at once.
        const shown = this.#shown(frames, this.#hide);
        if (last === -1) await this.#answer.write(shown);
        else this.#held.push(shown, this.#frames.rest());
        yield* eventsIn(last === -1 ? frames : frames.slice(0, last + 1));
      } else if (this.#isRaw) {
        if (last === -1) await this.#answer.write(chunk);
        else this.#held.push(chunk);
        yield* eventsIn(last === -1 ? frames : frames.slice(0, last + 1));
      } else {
        yield* this.#relayed(last === -1 ? frames : frames.slice(0, last + 1));
        if (last !== -1) this.#held.push(...frames.slice(last + 1).map(({ raw }) => raw), this.#frames.rest());
      }
      // The engine may take a while with the last event.
      this.#answer.flush();
      if (last !== -1) return;
    }
    // The stream ended in the middle of an event: the client gets that half, as it would without us.
    if (this.#isRewritten) await this.#answer.write(this.#frames.rest());
  }

  /** Passes on everything else that the provider sends, as it comes. */
  async finish(): Promise<void> {
    for (const held of this.#held.splice(0)) await this.#answer.write(held);
    for (;;) {
      const chunk = await this.#next();
      if (chunk === undefined) break;
      await this.#answer.write(this.#isRewritten ? await this.#unpacker.push(chunk) : chunk);
    }
    this.#unpacker.close();
  }

  /** Another answer follows, so whatever comes after the last event of this one is dropped. */
  leave(): void {
    this.#unpacker.close();
    this.incoming.on("error", () => undefined).resume();
  }

  /** The client gets unpacked bytes, not the provider's own. */
  get #isRewritten(): boolean {
    return !this.#isRaw || this.#hide !== undefined;
  }

  #shown(frames: readonly Frame[], hide: HideEvent): Buffer {
    return Buffer.concat(frames.map((frame) => (frame.event === undefined ? frame.raw : shownFrame(frame.raw, frame.event, hide(frame.event)))));
  }

  async *#relayed(frames: readonly Frame[]): AsyncGenerator<object, void, void> {
    for (const { raw, event, isLast } of frames) {
      if (event !== undefined) {
        const shown = this.#hide?.(event) ?? event;
        this.#raws.set(shown, shownFrame(raw, event, shown));
        yield shown;
      } else if (isLast) this.#held.push(raw);
      else await this.#answer.write(raw);
    }
  }

  async #next(): Promise<Buffer | undefined> {
    try {
      return await nextChunk(this.#chunks, this.#answer.signal);
    } catch (error) {
      if (this.#isRewritten && !this.#answer.signal.aborted) await this.#answer.write(this.#frames.rest());
      throw error;
    }
  }

  async #framesOf(chunk: Buffer): Promise<readonly Frame[]> {
    try {
      return this.#frames.push(await this.#unpacker.push(chunk));
    } catch (error) {
      // The client may be able to read what we cannot.
      if (!this.#isRewritten) this.#held.push(chunk);
      throw error;
    }
  }
}

/** Returns the frame with the event as the client gets it. All other bytes stay as they came. */
function shownFrame(raw: Buffer, event: object, shown: object | undefined): Buffer {
  if (shown === event) return raw;
  if (shown === undefined) return Buffer.alloc(0);
  const start = raw.indexOf("{");
  const end = raw.lastIndexOf("}") + 1;
  const data = raw.subarray(start, end);
  // An event over several lines has `data:` prefixes between its braces, not only JSON.
  if (data.includes(LINE_FEED)) return Buffer.from(`data: ${JSON.stringify(shown)}\n\n`);
  return Buffer.concat([raw.subarray(0, start), spliceBody(data, event as Fields, shown as Fields), raw.subarray(end)]);
}

function* eventsIn(frames: readonly Frame[]): Generator<object, void, void> {
  for (const { event } of frames) if (event !== undefined) yield event;
}
