import type { Place } from "./place.ts";

/** A call of the client or the provider, with the place of its result once there is one. */
export interface Call extends Place {
  /** Its place in `LogIndex.calls`. */
  readonly number: number;
  readonly id: string;
  /** The tool of a client's call, empty for the provider's. */
  readonly name: string;
  /** The id of the provider-run block that made it (A3.3), even if that is not in the log. */
  readonly caller: string | undefined;
  readonly server: boolean;
  /** The provider-run call that made this one (A3.3) or waits beside it for its result (A3.2): they stay or go together. */
  readonly owner: Call | undefined;
  result: Place | undefined;
}

/** The number of calls searched linearly: a conversation that answers its calls never has more open. */
const FEW = 16;

/** Assigns the result to the nearest open call with its id, if that is among the newest `FEW`. Returns that call. */
export function answerNewest(calls: readonly Call[], count: number, server: boolean, id: string, result: Place): Call | undefined {
  const older = Math.max(0, count - FEW);
  for (let number = count - 1; number >= older; number--) {
    const call = calls[number] as Call;
    if (call.result !== undefined || call.id !== id || call.server !== server) continue;
    call.result = result;
    return call;
  }
  return undefined;
}

/** The older unanswered calls of the client or of the provider. */
export class OpenCalls {
  readonly #calls: readonly Call[];
  readonly #server: boolean;
  /** The open ones of the first `#sorted` calls, by id; the nearest last if an id repeats. */
  #older: Map<string, Call[]> | undefined;
  #sorted = 0;

  constructor(calls: readonly Call[], server: boolean) {
    this.#calls = calls;
    this.#server = server;
  }

  /** Assigns the result to the nearest older call with its id, if none of the newest has it. */
  answer(id: string, result: Place, count: number): Call | undefined {
    const older = count - FEW;
    if (older <= 0) return undefined;
    this.#older ??= new Map();
    for (; this.#sorted < older; this.#sorted++) {
      const call = this.#calls[this.#sorted];
      if (call === undefined || call.result !== undefined || call.server !== this.#server) continue;
      const sameId = this.#older.get(call.id);
      if (sameId === undefined) this.#older.set(call.id, [call]);
      else sameId.push(call);
    }
    const call = this.#older.get(id)?.pop();
    if (call !== undefined) call.result = result;
    return call;
  }
}

/** The provider-run calls. Most conversations have none. */
export class ServerCalls {
  readonly #calls: readonly Call[];
  readonly #unanswered: OpenCalls;
  readonly #byId = new Map<string, Call>();
  #ofTurn: Call[] = [];

  constructor(calls: readonly Call[]) {
    this.#calls = calls;
    this.#unanswered = new OpenCalls(calls, true);
  }

  beginTurn(): void {
    if (this.#ofTurn.length > 0) this.#ofTurn = [];
  }

  open(call: Call): void {
    this.#byId.set(call.id, call);
    this.#ofTurn.push(call);
  }

  answer(id: string, result: Place, count: number): void {
    if (answerNewest(this.#calls, count, true, id, result) === undefined) this.#unanswered.answer(id, result, count);
  }

  /** Returns the call that made this one, answered or not, or else a waiting call of the same turn. */
  ownerOf(caller: string | undefined): Call | undefined {
    if (this.#byId.size === 0) return undefined;
    return caller === undefined ? this.#ofTurn.findLast((call) => call.result === undefined) : this.#byId.get(caller);
  }

  /** Says whether the assistant's turn was paused here, because a provider-run tool takes long (`pause_turn`). */
  isWaitingIn(position: number): boolean {
    return this.#ofTurn.length > 0 && this.#ofTurn.some((call) => call.position === position && call.result === undefined);
  }
}
