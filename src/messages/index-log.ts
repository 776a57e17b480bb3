import { callerOf, isServerCall, isServerResult, type Block, type Message, type ToolResultBlock, type ToolUseBlock } from "./message.ts";
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
  /** Every block of thinking, in order. */
  readonly thinking: readonly Place[];
  readonly systemAt: readonly number[];
  /**
   * A tool loop is the assistant's messages and the results between them since the last user message that answers no call:
   * to the provider one assistant turn (A4.1). For every length of the log: the first position of the loop that is open
   * there, or `NO_LOOP` where the turn is over.
   */
  readonly loops: readonly number[];
}

export const NO_LOOP = -1;
const NO_BLOCKS: readonly Block[] = [];

/**
 * One pass over all blocks. A result belongs to the nearest earlier call with its id that is still unanswered, because in
 * real conversations ids repeat; a result without such a call is an orphan and belongs to nothing.
 *
 * This runs over every block of every call of a function, so it keeps its state in local variables and reads each block's
 * type once, the common ones first.
 */
export function indexLog(log: readonly Message[]): LogIndex {
  const calls: Call[] = [];
  const thinking: Place[] = [];
  const systemAt: number[] = [];
  const loops: number[] = [NO_LOOP];
  const client = new OpenCalls();
  const server = new ServerCalls();
  let turn: Message["role"] | undefined;
  let turnHasCalls = false;
  let loopStart = NO_LOOP;
  let loopIsOpen = false;

  for (let position = 0; position < log.length; position++) {
    const message = log[position];
    if (message === undefined) continue;
    const { role } = message;
    const content = typeof message.content === "string" ? NO_BLOCKS : message.content;
    const continuesTurn = role === turn;
    turn = role;
    if (role === "assistant") {
      if (!continuesTurn) {
        turnHasCalls = false;
        server.beginTurn();
      }
      if (loopStart === NO_LOOP) loopStart = position;
      let isPaused = false;
      for (let block = 0; block < content.length; block++) {
        const part = content[block];
        if (part === undefined) continue;
        const { type } = part;
        if (type === "text") continue;
        if (type === "tool_use") {
          const use = part as ToolUseBlock;
          const call = { number: calls.length, id: use.id, position, block, server: false, owner: server.ownerOf(use), result: undefined };
          calls.push(call);
          client.open(call);
          turnHasCalls = true;
        } else if (type === "thinking" || type === "redacted_thinking") {
          thinking.push({ position, block });
        } else if (isServerCall(part)) {
          const call = { number: calls.length, id: part.id, position, block, server: true, owner: undefined, result: undefined };
          calls.push(call);
          server.open(call);
        } else if (isServerResult(part)) {
          server.answer(part.tool_use_id, position, block);
          isPaused = block === content.length - 1;
        }
      }
      loopIsOpen = turnHasCalls || isPaused || server.isWaitingIn(position);
    } else if (role === "user") {
      let answers = false;
      for (let block = 0; block < content.length; block++) {
        const part = content[block];
        if (part?.type !== "tool_result") continue;
        answers = true;
        client.answer((part as ToolResultBlock).tool_use_id, position, block);
      }
      // Neighbouring user messages are one turn (A1.3): text in a message of its own does not end the loop that results before it continue.
      loopIsOpen = loopStart !== NO_LOOP && (answers || (continuesTurn && loopIsOpen));
      if (!loopIsOpen) loopStart = NO_LOOP;
    } else {
      systemAt.push(position);
    }
    loops.push(loopIsOpen ? loopStart : NO_LOOP);
  }
  return { calls, thinking, systemAt, loops };
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

  answer(id: string, position: number, block: number): void {
    for (let number = this.#recent.length - 1; number >= 0; number--) {
      const call = this.#recent[number];
      if (call?.id !== id) continue;
      call.result = { position, block };
      // `splice` would allocate, and the last one is the common case.
      if (number === this.#recent.length - 1) this.#recent.pop();
      else this.#recent.copyWithin(number, number + 1).pop();
      return;
    }
    const call = this.#older.size === 0 ? undefined : this.#older.get(id)?.pop();
    if (call !== undefined) call.result = { position, block };
  }
}

/** The calls that the provider runs. Most conversations have none. */
class ServerCalls {
  readonly #unanswered = new OpenCalls();
  readonly #byId = new Map<string, Call>();
  #ofTurn: Call[] = [];

  beginTurn(): void {
    if (this.#ofTurn.length > 0) this.#ofTurn = [];
  }

  open(call: Call): void {
    this.#unanswered.open(call);
    this.#byId.set(call.id, call);
    this.#ofTurn.push(call);
  }

  answer(id: string, position: number, block: number): void {
    this.#unanswered.answer(id, position, block);
  }

  /** The call that made this one, answered or not; else the one of the same turn that waits beside it. */
  ownerOf(use: ToolUseBlock): Call | undefined {
    if (this.#byId.size === 0) return undefined;
    const caller = callerOf(use);
    return caller === undefined ? this.#ofTurn.findLast((call) => call.result === undefined) : this.#byId.get(caller);
  }

  /** Did the assistant stop here in the middle, because a provider-run tool takes long (`pause_turn`)? */
  isWaitingIn(position: number): boolean {
    return this.#ofTurn.length > 0 && this.#ofTurn.some((call) => call.position === position && call.result === undefined);
  }
}
