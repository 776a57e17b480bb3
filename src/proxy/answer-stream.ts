import type { IncomingMessage } from "node:http";
import { nextChunk, type ClientAnswer } from "./http/client-answer.ts";
import { unpackerOf, type Unpacker } from "./http/content-encoding.ts";
import { EventFrames, type Frame } from "./http/event-frames.ts";

/** Bytes of events as they came, for those that go on as they are. */
export type RawEvents = WeakMap<object, Buffer>;

export interface AnswerStreamOptions {
  readonly incoming: IncomingMessage;
  readonly answer: ClientAnswer;
  /** Nothing of it can be hidden: the client gets every chunk before it is read here. */
  readonly isRaw: boolean;
  readonly raws: RawEvents;
}

/**
 * One streamed answer of the provider on its way to the client, and what the engine reads of it. It ends, for the engine, with its last
 * event: what the engine makes of that happens before the client hears that the answer is over, since its next request may be here at once.
 */
export class AnswerStream {
  readonly incoming: IncomingMessage;
  readonly #answer: ClientAnswer;
  readonly #isRaw: boolean;
  readonly #raws: RawEvents;
  readonly #unpacker: Unpacker;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #frames = new EventFrames();
  /** What came with the last event, or after it. */
  readonly #held: Buffer[] = [];

  private constructor({ incoming, answer, isRaw, raws }: AnswerStreamOptions, unpacker: Unpacker) {
    this.incoming = incoming;
    this.#answer = answer;
    this.#isRaw = isRaw;
    this.#raws = raws;
    this.#unpacker = unpacker;
    this.#chunks = incoming.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Undefined: it is packed in a way that nobody here knows. */
  static open(options: AnswerStreamOptions): AnswerStream | undefined {
    const unpacker = unpackerOf(options.incoming.headers["content-encoding"]);
    return unpacker === undefined ? undefined : new AnswerStream(options, unpacker);
  }

  /** The events of the answer, up to its last one. What is none goes on to the client in its place. */
  async *events(): AsyncGenerator<object, void, void> {
    for (;;) {
      const chunk = await this.#next();
      if (chunk === undefined) break;
      const frames = await this.#framesOf(chunk);
      const last = frames.findIndex(({ isLast }) => isLast);
      if (this.#isRaw) {
        if (last === -1) await this.#answer.write(chunk);
        else this.#held.push(chunk);
        yield* eventsIn(last === -1 ? frames : frames.slice(0, last + 1));
      } else {
        yield* this.#relayed(last === -1 ? frames : frames.slice(0, last + 1));
        if (last !== -1) this.#held.push(...frames.slice(last + 1).map(({ raw }) => raw), this.#frames.rest());
      }
      if (last !== -1) return;
    }
    // Half an event is all that came: the client gets it, as it would without us.
    if (!this.#isRaw) await this.#answer.write(this.#frames.rest());
  }

  /** Everything else that the provider sends, as it sends it. */
  async finish(): Promise<void> {
    for (const held of this.#held.splice(0)) await this.#answer.write(held);
    for (;;) {
      const chunk = await this.#next();
      if (chunk === undefined) break;
      await this.#answer.write(this.#isRaw ? chunk : await this.#unpacker.push(chunk));
    }
    this.#unpacker.close();
  }

  /** Another answer follows: what comes after the last event of this one nobody sees. */
  leave(): void {
    this.#unpacker.close();
    this.incoming.on("error", () => undefined).resume();
  }

  async *#relayed(frames: readonly Frame[]): AsyncGenerator<object, void, void> {
    for (const { raw, event, isLast } of frames) {
      if (event !== undefined) {
        this.#raws.set(event, raw);
        yield event;
      } else if (isLast) this.#held.push(raw);
      else await this.#answer.write(raw);
    }
  }

  async #next(): Promise<Buffer | undefined> {
    try {
      return await nextChunk(this.#chunks, this.#answer.signal);
    } catch (error) {
      if (!this.#isRaw && !this.#answer.signal.aborted) await this.#answer.write(this.#frames.rest());
      throw error;
    }
  }

  async #framesOf(chunk: Buffer): Promise<readonly Frame[]> {
    try {
      return this.#frames.push(await this.#unpacker.push(chunk));
    } catch (error) {
      // What we cannot read, the client may be able to.
      if (this.#isRaw) this.#held.push(chunk);
      throw error;
    }
  }
}

function* eventsIn(frames: readonly Frame[]): Generator<object, void, void> {
  for (const { event } of frames) if (event !== undefined) yield event;
}
