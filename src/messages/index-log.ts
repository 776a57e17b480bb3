import { callerOf, isServerCall, isServerResult, isToolResult, type Block, type Message, type ToolUseBlock } from "./message.ts";
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
  /**
   * A tool loop is the assistant's messages and the results between them since the last user message that answers no call:
   * to the provider one assistant turn (A4.1). For every length of the log: the first position of the loop that is open
   * there, or `NO_LOOP` where the turn is over.
   */
  readonly loops: readonly number[];
}

export const NO_LOOP = -1;

/**
 * One pass over all blocks. A result belongs to the nearest earlier call with its id that is still unanswered, because in
 * real conversations ids repeat; a result without such a call is an orphan and belongs to nothing.
 */
export function indexLog(log: readonly Message[]): LogIndex {
  const reader = new LogReader();
  for (const message of log) reader.read(message);
  return reader;
}

/** Reads one message after the other. Each block's type is read once, the common ones first: this runs for every block of every call. */
export class LogReader implements LogIndex {
  readonly calls: Call[] = [];
  readonly thinkingAt: number[] = [];
  readonly systemAt: number[] = [];
  readonly loops: number[] = [NO_LOOP];
  readonly #client = new OpenCalls();
  readonly #server = new OpenCalls();
  /** Answered ones too: a program may call on after its result has begun to come. */
  readonly #serverById = new Map<string, Call>();
  #serverCallsOfTurn: Call[] = [];
  #turn: Message["role"] | undefined;
  #turnHasCalls = false;
  #loopStart = NO_LOOP;
  #loopIsOpen = false;

  read(message: Message): void {
    const { role, content } = message;
    const position = this.loops.length - 1;
    const continuesTurn = role === this.#turn;
    this.#turn = role;
    if (role === "assistant") {
      if (!continuesTurn) this.#beginResponse();
      if (this.#loopStart === NO_LOOP) this.#loopStart = position;
      const isPaused = typeof content !== "string" && this.#readResponse(content, position);
      this.#loopIsOpen = this.#turnHasCalls || isPaused;
    } else if (role === "user") {
      const answers = typeof content !== "string" && this.#readResults(content, position);
      // Neighbouring user messages are one turn (A1.3): text in a message of its own does not end the loop that results before it continue.
      this.#loopIsOpen = this.#loopStart !== NO_LOOP && (answers || (continuesTurn && this.#loopIsOpen));
      if (!this.#loopIsOpen) this.#loopStart = NO_LOOP;
    } else {
      this.systemAt.push(position);
    }
    this.loops.push(this.#loopIsOpen ? this.#loopStart : NO_LOOP);
  }

  #beginResponse(): void {
    this.#turnHasCalls = false;
    if (this.#serverCallsOfTurn.length > 0) this.#serverCallsOfTurn = [];
  }

  /** Is there a result in it? */
  #readResults(content: readonly Block[], position: number): boolean {
    let answers = false;
    for (let block = 0; block < content.length; block++) {
      const part = content[block];
      if (part === undefined || !isToolResult(part)) continue;
      answers = true;
      this.#client.answer(part.tool_use_id, position, block);
    }
    return answers;
  }

  /** Did the assistant stop in the middle, because a provider-run tool takes long (`pause_turn`): before its result or behind it? */
  #readResponse(content: readonly Block[], position: number): boolean {
    const callsBefore = this.#serverCallsOfTurn.length;
    let endsInServerResult = false;
    for (let block = 0; block < content.length; block++) {
      const part = content[block];
      if (part === undefined) continue;
      endsInServerResult = false;
      switch (part.type) {
        case "text":
          break;
        case "tool_use":
          this.#readCall(part as ToolUseBlock, position, block);
          break;
        case "thinking":
        case "redacted_thinking":
          if (this.thinkingAt.at(-1) !== position) this.thinkingAt.push(position);
          break;
        default:
          endsInServerResult = isServerResult(part);
          if (isServerResult(part)) this.#server.answer(part.tool_use_id, position, block);
          else if (isServerCall(part)) this.#readServerCall(part.id, position, block);
      }
    }
    return (
      endsInServerResult ||
      (this.#serverCallsOfTurn.length > callsBefore && this.#serverCallsOfTurn.slice(callsBefore).some((call) => call.result === undefined))
    );
  }

  #readCall(part: ToolUseBlock, position: number, block: number): void {
    const caller = callerOf(part);
    const owner = caller === undefined ? this.#waitingBeside() : this.#serverById.get(caller);
    const call = { number: this.calls.length, id: part.id, position, block, server: false, owner, result: undefined };
    this.calls.push(call);
    this.#client.open(call);
    this.#turnHasCalls = true;
  }

  #readServerCall(id: string, position: number, block: number): void {
    const call = { number: this.calls.length, id, position, block, server: true, owner: undefined, result: undefined };
    this.calls.push(call);
    this.#server.open(call);
    this.#serverById.set(id, call);
    this.#serverCallsOfTurn.push(call);
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
