import { contentId, type ReplayHead } from "./replay-head.ts";
import type { ReplayedCall } from "./replay-trajectory.ts";
import type { WireMessages } from "./wire-messages.ts";

/** The source of a call, as in its line. */
export interface ViewSource {
  readonly file: string;
  readonly trajectory: string;
  readonly head: ReplayHead;
  readonly wire: WireMessages;
}

/**
 * Writes views as JSON lines for other programs: every message, head and recoverable text once, before its first use, under an id
 * derived from its content; and one line per call.
 */
export class ViewLines {
  readonly #defined = new Set<string>();
  readonly #ids = new WeakMap<object, string>();
  readonly #textIds = new Map<string, string>();

  *of(call: ReplayedCall, { file, trajectory, head, wire }: ViewSource): Generator<string, void> {
    const lines: string[] = [];
    const define = (value: object): string => this.#define(value, lines);
    const view = wire.encode(call.view.messages).map(define);
    const action = wire.recorded(call.action).map(define);
    const recoverable = call.view.recoverable.map(({ handle, text }) => ({ handle, id: this.#defineText(text, lines) }));
    if (!this.#defined.has(head.id)) {
      this.#defined.add(head.id);
      lines.push(line({ id: head.id, message: { system: head.system, tools: head.tools } }));
    }
    yield* lines;
    const { step, model } = call;
    // Formats that split a response into several messages have several ids for it.
    const answered = action.length === 1 ? action[0] : action;
    yield line({ file, trajectory, step, format: wire.codec.name, model, head: head.id, view, action: answered, recoverable });
  }

  #define(message: object, lines: string[]): string {
    const known = this.#ids.get(message);
    if (known !== undefined) return known;
    const json = JSON.stringify(message);
    const id = contentId(json);
    this.#ids.set(message, id);
    if (!this.#defined.has(id)) {
      this.#defined.add(id);
      lines.push(`{"id":"${id}","message":${json}}\n`);
    }
    return id;
  }

  #defineText(text: string, lines: string[]): string {
    const id = this.#textIds.get(text) ?? contentId(JSON.stringify(text));
    this.#textIds.set(text, id);
    if (!this.#defined.has(id)) {
      this.#defined.add(id);
      lines.push(line({ id, text }));
    }
    return id;
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
