import { isRecord } from "../../errors/is-record.ts";

/** A piece of a stream of server-sent events, up to the blank line that ends it, with its event. */
export interface Frame {
  readonly raw: Buffer;
  /** Undefined: a comment, `[DONE]`, or data that no API sends. */
  readonly event: object | undefined;
  /** The last event of an answer: nothing after it belongs to the answer. */
  readonly isLast: boolean;
}

/** Larger than any answer: that much data without a blank line is not an event stream. */
const MOST_FRAME_BYTES = 64 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const LAST_EVENTS: ReadonlySet<unknown> = new Set(["message_stop", "response.completed", "response.incomplete", "response.failed"]);

/** An event is longer than `MOST_FRAME_BYTES`. */
class FrameTooLong extends Error {
  override readonly name = "FrameTooLong";
}

/** Cuts bytes into frames, wherever the chunks end. No byte is lost: the frames and `rest()`, in order, are the input. */
export class EventFrames {
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Is the current line empty so far? */
  #isEmptyLine = true;
  #wasReturn = false;

  /** Returns the frames that these bytes complete. */
  push(chunk: Buffer): readonly Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      const ends = byte === CARRIAGE_RETURN || (byte === LINE_FEED && !this.#wasReturn);
      const isSecondHalf = byte === LINE_FEED && this.#wasReturn;
      this.#wasReturn = byte === CARRIAGE_RETURN;
      if (isSecondHalf) continue;
      if (!ends) {
        this.#isEmptyLine = false;
        continue;
      }
      if (this.#isEmptyLine) {
        const end = chunk[at] === CARRIAGE_RETURN && chunk[at + 1] === LINE_FEED ? at + 2 : at + 1;
        frames.push(frameOf(Buffer.concat([...this.#pending, chunk.subarray(start, end)])));
        [this.#pending, this.#pendingBytes] = [[], 0];
        start = end;
      }
      this.#isEmptyLine = true;
    }
    if (start < chunk.length) {
      this.#pending.push(chunk.subarray(start));
      this.#pendingBytes += chunk.length - start;
    }
    if (this.#pendingBytes > MOST_FRAME_BYTES) throw new FrameTooLong(`The provider sent an event longer than ${MOST_FRAME_BYTES} bytes.`);
    return frames;
  }

  /** Returns what came after the last frame, and forgets it. */
  rest(): Buffer {
    const rest = Buffer.concat(this.#pending);
    [this.#pending, this.#pendingBytes] = [[], 0];
    return rest;
  }
}

function frameOf(raw: Buffer): Frame {
  const data = dataIn(raw.toString("utf8"));
  const event = data === undefined ? undefined : objectIn(data);
  return { raw, event, isLast: data === "[DONE]" || (event !== undefined && "type" in event && LAST_EVENTS.has(event.type)) };
}

function dataIn(text: string): string | undefined {
  const lines = text.split(/\r\n|\r|\n/).flatMap((line) => (line.startsWith("data:") ? [line.slice(line[5] === " " ? 6 : 5)] : []));
  return lines.length === 0 ? undefined : lines.join("\n");
}

function objectIn(data: string): object | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
