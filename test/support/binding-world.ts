import { blocksIn, field, isResult, isThought, withoutMarkers, type JudgedBlock, type JudgedMessage } from "./judged-request.ts";

/** What the provider remembers about a thinking block: its bytes, and everything that stood before it. */
interface Birth {
  readonly bytes: string;
  readonly prefix: readonly string[];
  readonly thoughts: readonly string[];
}

/**
 * A provider that binds thinking to its prefix (A4.8). It is told every view that was sent and which message of the log
 * came back; afterwards it judges newer views as the provider would:
 *
 * - `A4.8:mark`: what stands before a shown thinking block is not, byte for byte, what stood there when it was produced.
 *   Earlier thinking may be missing, but only from the front. Cache markers do not count.
 * - `A4.7:mark`: the block itself was changed, or never produced here.
 * - `A4.1:loop`: of the open tool loop's thinking, some is shown and some is not, compared with what was sent when the last
 *   of it was produced.
 */
export class BindingWorld {
  readonly #log: readonly JudgedMessage[];
  readonly #births = new Map<string, Birth>();
  /** For every message of the log that came back: the thinking that its request showed. */
  readonly #sent = new Map<number, readonly string[]>();

  /** The thinking blocks of the log must be told apart by their signatures: see `signThinking`. */
  constructor(log: readonly JudgedMessage[]) {
    this.#log = log;
  }

  /**
   * Sends `viewAt(length)` before every assistant turn, as an agent would while its log grew: neighbouring assistant messages
   * came back for one request. Faults on the way are in `grown`.
   */
  static grow(log: readonly JudgedMessage[], viewAt: (length: number) => readonly JudgedMessage[]): { world: BindingWorld; grown: string[] } {
    const world = new BindingWorld(log);
    const grown: string[] = [];
    let sent: readonly JudgedMessage[] = [];
    log.forEach((message, position) => {
      if (message.role !== "assistant") return;
      const earlier = log[position - 1];
      if (earlier?.role === "assistant") {
        sent = [...sent, earlier];
      } else {
        sent = position === 0 ? [] : viewAt(position);
        grown.push(...world.faults(sent, position).map((fault) => `${fault}@${position}`));
      }
      world.produced(position, sent);
    });
    return { world, grown };
  }

  /** The message at `position` of the log came back when `view` was sent. */
  produced(position: number, view: readonly JudgedMessage[]): void {
    const message = this.#log[position];
    if (message?.role !== "assistant") throw new Error(`no assistant message at ${position}`);
    const walk = new PrefixWalk();
    for (const earlier of view) walk.message(earlier);
    this.#sent.set(position, [...walk.thoughts]);
    walk.message(message, (block, prefix) => {
      this.#births.set(markOf(block), { bytes: bytesOf(block), prefix, thoughts: [...walk.thoughts] });
    });
  }

  /** What the provider would refuse in a view of the log as it was at `length`. */
  faults(view: readonly JudgedMessage[], length: number = this.#log.length): string[] {
    const found: string[] = [];
    const walk = new PrefixWalk();
    for (const message of view) {
      walk.message(message, (block, prefix) => {
        const birth = this.#births.get(markOf(block));
        if (birth?.bytes !== bytesOf(block)) found.push(`A4.7:${markOf(block)}`);
        else if (!sameList(prefix, birth.prefix) || !isTail(walk.thoughts, birth.thoughts)) found.push(`A4.8:${markOf(block)}`);
      });
    }
    return [...found, ...this.#loopFaults(walk.thoughts, length)];
  }

  #loopFaults(shown: readonly string[], length: number): string[] {
    const start = openLoopStart(this.#log.slice(0, length));
    if (start === null) return [];
    const inLoop = (position: number): boolean => position >= start && position < length;
    const positions = this.#log.flatMap((message, position) => (inLoop(position) && thoughtsIn(message).length > 0 ? [position] : []));
    const last = positions.at(-1);
    if (last === undefined) return [];
    const ofLoop = new Set(positions.flatMap((position) => thoughtsOf(this.#log[position])));
    const then = [...(this.#sent.get(last) ?? []), ...thoughtsOf(this.#log[last])].filter((mark) => ofLoop.has(mark));
    const now = shown.filter((mark) => ofLoop.has(mark));
    return now.length === 0 || sameList(now, then) ? [] : ["A4.1:loop"];
  }
}

/** Gives every thinking block a signature of its own, the same one each time, so that a block can be recognised in a view. */
export function signThinking<M extends JudgedMessage>(log: readonly M[]): M[] {
  return log.map((message, position) => {
    if (typeof message.content === "string" || !message.content.some(isThought)) return message;
    const content = message.content.map((block, index) => {
      if (!isThought(block)) return block;
      const mark = `signed-${position}-${index}`;
      return { ...block, ...(block.type === "thinking" ? { signature: mark } : { data: mark }) };
    });
    return { ...message, content };
  });
}

/** Goes through messages and knows, at every thinking block, what stands before it without thinking and markers. */
class PrefixWalk {
  readonly thoughts: string[] = [];
  readonly #messages: string[] = [];

  message(message: JudgedMessage, onThought?: (block: JudgedBlock, prefix: readonly string[]) => void): void {
    const blocks = blocksIn(message);
    blocks.forEach((block, index) => {
      if (!isThought(block)) return;
      const before = blocks.slice(0, index).filter((other) => !isThought(other));
      onThought?.(block, before.length === 0 ? [...this.#messages] : [...this.#messages, written(message, before)]);
      this.thoughts.push(markOf(block));
    });
    if (blocks.length === 0 || !blocks.every(isThought)) this.#messages.push(withoutThoughts(message));
  }
}

/** Views share the messages that no edit touched, so most of them were written before. */
const writings = new WeakMap<JudgedMessage, string>();

function withoutThoughts(message: JudgedMessage): string {
  const known = writings.get(message);
  if (known !== undefined) return known;
  const text = written(
    message,
    blocksIn(message).filter((block) => !isThought(block)),
  );
  writings.set(message, text);
  return text;
}

function written(message: JudgedMessage, content: readonly JudgedBlock[]): string {
  return JSON.stringify({ ...message, content: content.map(withoutMarkers) });
}

function bytesOf(block: JudgedBlock): string {
  return JSON.stringify(withoutMarkers(block));
}

function markOf(block: JudgedBlock): string {
  return String(field(block, block.type === "thinking" ? "signature" : "data"));
}

function thoughtsIn(message: JudgedMessage): readonly JudgedBlock[] {
  return message.role === "assistant" ? blocksIn(message).filter(isThought) : [];
}

function thoughtsOf(message: JudgedMessage | undefined): readonly string[] {
  return message === undefined ? [] : thoughtsIn(message).map(markOf);
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

function isTail(short: readonly string[], long: readonly string[]): boolean {
  return short.length <= long.length && sameList(short, long.slice(long.length - short.length));
}

/** Where the tool loop at the end begins; null where the user has spoken since. A user turn without results, or with words beside them, ends a loop. */
function openLoopStart(log: readonly JudgedMessage[]): number | null {
  let start = 0;
  let turn: JudgedBlock[] = [];
  log.forEach((message, position) => {
    if (message.role === "assistant") turn = [];
    if (message.role !== "user") return;
    turn.push(...blocksIn(message));
    if (!turn.some(isResult) || turn.some(isSpeech)) start = position + 1;
  });
  const begun = log.slice(start).some((message) => message.role === "assistant");
  return begun ? start : null;
}

const REMINDER = /^\s*<system-reminder>[^]*<\/system-reminder>\s*$/;
const CHECKPOINT = /^<checkpoint:[a-z0-9]{6}>$/;

/** Reminders and checkpoints are the client's, not the user's: after a result they do not end a loop. */
function isSpeech(block: JudgedBlock): boolean {
  if (isResult(block) || block.type === "system_reminder" || block.type === "checkpoint") return false;
  const text = String(field(block, "text"));
  return block.type !== "text" || !(REMINDER.test(text) || CHECKPOINT.test(text));
}
