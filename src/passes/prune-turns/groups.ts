import { NO_LOOP, type LogIndex } from "../../messages/index-log.ts";
import type { Message } from "../../messages/message.ts";
import { waitingCalls } from "../../messages/waiting-calls.ts";

/** Messages that must be kept or left out together, by the first position of their group. */
export class Groups {
  /** The next smaller member of the group; a position without one is its own group, or the first of it. */
  readonly #parent: number[];

  /** Also keeps every tool loop whole: in manual mode a turn cannot do without its thinking (A4.2), nor without its answer. */
  static ofLoops(log: readonly Message[], index: LogIndex): Groups {
    const groups = new Groups(log, index);
    for (let position = 1; position < log.length; position++) {
      const isSameResponse = log[position - 1]?.role === "assistant" && log[position]?.role === "assistant";
      if (isSameResponse || index.loops[position] !== NO_LOOP) groups.#join(position - 1, position);
    }
    groups.#flatten();
    return groups;
  }

  /**
   * Links a call and its result, a call and the provider-run call that it belongs to, everything from a provider-run call to its late result (A3.2:
   * no summary may come in between), and a system message with its neighbours (A1.10).
   */
  constructor(log: readonly Message[], index: LogIndex) {
    this.#parent = new Array<number>(log.length);
    for (const call of index.calls) {
      if (call.result !== undefined) this.#join(call.position, call.result.position);
      if (call.owner !== undefined) this.#join(call.position, call.owner.position);
    }
    if (index.providerRunAt.length > 0) this.#joinWaiting(log, index);
    for (const position of index.systemAt) {
      if (position > 0) this.#join(position, position - 1);
      this.#join(position, position + 1);
    }
    this.#flatten();
  }

  #joinWaiting(log: readonly Message[], { calls }: LogIndex): void {
    let joined = 0;
    for (const { call, until } of waitingCalls(log, calls)) {
      // A result is joined with its call already.
      const last = until.position - 1;
      for (let position = Math.max(call.position, joined); position < last; position++) this.#join(position, position + 1);
      joined = Math.max(joined, last);
    }
  }

  /** Returns the first position of the group that this position belongs to. */
  firstOf(position: number): number {
    return this.#parent[position] ?? position;
  }

  /** The smaller root wins, so that a root is always the first of its group. */
  #join(a: number, b: number): void {
    const first = this.#rootOf(a);
    const second = this.#rootOf(b);
    this.#parent[Math.max(first, second)] = Math.min(first, second);
  }

  #rootOf(position: number): number {
    let root = position;
    for (let parent = this.firstOf(root); parent !== root; parent = this.firstOf(root)) {
      this.#parent[root] = this.firstOf(parent);
      root = parent;
    }
    return root;
  }

  /** A parent comes before its children, so a parent's parent is already a root when it is looked up. */
  #flatten(): void {
    for (let position = 0; position < this.#parent.length; position++) this.#parent[position] = this.firstOf(this.firstOf(position));
  }
}
