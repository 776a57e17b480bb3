import { callerOf, isServerCall, isServerResult, isThinking, isToolResult, isToolUse, type Block, type Message } from "./message.ts";
import type { Place } from "./place.ts";

/** A call, run by the client or the provider, with the place of its result once there is one. */
export interface Call extends Place {
  /** Its place in `LogIndex.calls`. */
  readonly number: number;
  readonly id: string;
  readonly server: boolean;
  /** The provider-run call that made this one (A3.3), or waits beside it for its result (A3.2): they stay or go together. */
  readonly owner: Call | undefined;
  result: Place | undefined;
}

export interface LogIndex {
  /** In the order of their places. */
  readonly calls: readonly Call[];
  /** Positions of the messages that hold thinking. */
  readonly thinkingAt: readonly number[];
  readonly systemAt: readonly number[];
}

/**
 * One pass over all blocks. A result belongs to the nearest earlier call with its id that is still unanswered, because in
 * real conversations ids repeat; a result without such a call is an orphan and belongs to nothing.
 */
export function indexLog(log: readonly Message[]): LogIndex {
  const reader = new LogReader();
  for (let position = 0; position < log.length; position++) {
    const message = log[position];
    if (message !== undefined) reader.read(message, position);
  }
  return reader;
}

class LogReader implements LogIndex {
  readonly calls: Call[] = [];
  readonly thinkingAt: number[] = [];
  readonly systemAt: number[] = [];
  readonly #client = new OpenCalls();
  readonly #server = new OpenCalls();
  #serverCallsOfTurn: Call[] = [];

  read({ role, content }: Message, position: number): void {
    if (role === "assistant") {
      if (typeof content === "string") return;
      for (let block = 0; block < content.length; block++) {
        const part = content[block];
        // Most blocks are text: the type is read once, because this runs for every block of every call.
        if (part !== undefined && part.type !== "text") this.#readAssistantBlock(part, position, block);
      }
      return;
    }
    if (this.#serverCallsOfTurn.length > 0) this.#serverCallsOfTurn = [];
    if (role === "system") {
      this.systemAt.push(position);
    } else if (typeof content !== "string") {
      for (let block = 0; block < content.length; block++) {
        const part = content[block];
        if (part !== undefined && isToolResult(part)) this.#client.answer(part.tool_use_id, position, block);
      }
    }
  }

  #readAssistantBlock(part: Block, position: number, block: number): void {
    if (isToolUse(part)) {
      const caller = callerOf(part);
      const owner = caller === undefined ? this.#waitingBeside() : this.#server.nearest(caller);
      this.#client.open(this.#add({ number: this.calls.length, id: part.id, position, block, server: false, owner, result: undefined }));
    } else if (isThinking(part)) {
      if (this.thinkingAt.at(-1) !== position) this.thinkingAt.push(position);
    } else if (isServerCall(part)) {
      const call = this.#add({ number: this.calls.length, id: part.id, position, block, server: true, owner: undefined, result: undefined });
      this.#server.open(call);
      this.#serverCallsOfTurn.push(call);
    } else if (isServerResult(part)) {
      this.#server.answer(part.tool_use_id, position, block);
    }
  }

  #add(call: Call): Call {
    this.calls.push(call);
    return call;
  }

  #waitingBeside(): Call | undefined {
    return this.#serverCallsOfTurn.length === 0 ? undefined : this.#serverCallsOfTurn.findLast((call) => call.result === undefined);
  }
}

/** So many calls are looked through one by one: a conversation that answers its calls has never more open at a time. */
const FEW = 16;

/** The calls without a result. */
class OpenCalls {
  readonly #recent: Call[] = [];
  /** Older ones, by id; where an id repeats, the nearest last. */
  readonly #older = new Map<string, Call[]>();

  open(call: Call): void {
    this.#recent.push(call);
    if (this.#recent.length <= FEW) return;
    const oldest = this.#recent.shift();
    if (oldest === undefined) return;
    const sameId = this.#older.get(oldest.id);
    if (sameId === undefined) this.#older.set(oldest.id, [oldest]);
    else sameId.push(oldest);
  }

  nearest(id: string): Call | undefined {
    return this.#recent.findLast((call) => call.id === id) ?? this.#older.get(id)?.at(-1);
  }

  answer(id: string, position: number, block: number): void {
    for (let number = this.#recent.length - 1; number >= 0; number--) {
      const call = this.#recent[number];
      if (call?.id !== id) continue;
      call.result = { position, block };
      this.#recent.splice(number, 1);
      return;
    }
    const call = this.#older.size === 0 ? undefined : this.#older.get(id)?.pop();
    if (call !== undefined) call.result = { position, block };
  }
}
