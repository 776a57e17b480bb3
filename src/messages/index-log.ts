import type { PalimpsestError } from "../errors/palimpsest-error.ts";
import {
  callerOf,
  isServerCall,
  isServerResult,
  type Block,
  type Message,
  type ServerCallBlock,
  type ServerResultBlock,
  type ToolUseBlock,
} from "./message.ts";
import { answerNewest, OpenCalls, ServerCalls, type Call } from "./open-calls.ts";
import { areBlocks, isAnswer, isBlock, messageFault, type Unchecked } from "./message-shape.ts";
import type { Place } from "./place.ts";

export interface LogIndex {
  /** The number of blocks of every message; string content counts as one. Stored here, because reading the messages is slow. */
  readonly blockCounts: readonly number[];
  /** For every message: the characters of the assistant's text in it. */
  readonly spokenChars: readonly number[];
  /** All calls, in the order of their places. */
  readonly calls: readonly Call[];
  /** For every length of the log: the number of calls in it. */
  readonly callsBefore: readonly number[];
  /** Every result of the client, in order, including those without a call. */
  readonly results: readonly Place[];
  /** For each result: the call that it answers, if any. */
  readonly answered: readonly (Call | undefined)[];
  /** For every length of the log: the number of results in it. */
  readonly resultsBefore: readonly number[];
  /** Every other user block, in order; string content counts as one. */
  readonly userBlocks: readonly Place[];
  /** The text of each user block; undefined for other types. Stored here, because several passes search them. */
  readonly userTexts: readonly (string | undefined)[];
  /** Every block of thinking, in order. */
  readonly thinking: readonly Place[];
  /** The positions of messages with a call or a result of a provider-run tool. */
  readonly providerRunAt: readonly number[];
  readonly systemAt: readonly number[];
  /**
   * A tool loop consists of the assistant's messages and the results between them since the last user message that answers no
   * call: to the provider one assistant turn (A4.1). For every length of the log: the first position of the loop that is open
   * there, or `NO_LOOP` if the turn is over.
   */
  readonly loops: readonly number[];
}

export const NO_LOOP = -1;
const NO_BLOCKS: readonly unknown[] = [];

export function indexLog(log: readonly Message[]): LogIndex {
  return new GrowingIndex(log.length).extendTo(log);
}

/** The index of a growing log. After an error it may have read half of a message, and must not be used again. */
export class GrowingIndex {
  #length = 0;
  readonly #blockCounts: number[];
  readonly #spokenChars: number[];
  readonly #calls: Call[];
  readonly #callsBefore: number[];
  readonly #results: Place[];
  readonly #answered: (Call | undefined)[];
  readonly #resultsBefore: number[];
  readonly #userBlocks: Place[] = [];
  readonly #userTexts: (string | undefined)[] = [];
  readonly #thinking: Place[] = [];
  readonly #providerRunAt: number[] = [];
  readonly #systemAt: number[] = [];
  readonly #loops: number[];
  readonly #client: OpenCalls;
  readonly #server: ServerCalls;
  #callCount = 0;
  #resultCount = 0;
  #turn: unknown = "";
  #turnHasCalls = false;
  #loopStart = NO_LOOP;
  #loopIsOpen = false;

  /** `length`: the length of the first log, so that lists can be allocated at their likely size. */
  constructor(length: number) {
    this.#blockCounts = new Array<number>(length);
    this.#spokenChars = new Array<number>(length);
    this.#calls = new Array<Call>(length);
    this.#results = new Array<Place>(length);
    this.#answered = new Array<Call | undefined>(length);
    this.#client = new OpenCalls(this.#calls, false);
    this.#server = new ServerCalls(this.#calls);
    this.#callsBefore = new Array<number>(length + 1);
    this.#resultsBefore = new Array<number>(length + 1);
    this.#loops = new Array<number>(length + 1);
    this.#callsBefore[0] = 0;
    this.#resultsBefore[0] = 0;
    this.#loops[0] = NO_LOOP;
  }

  /**
   * Reads the new blocks in one pass. The log must begin with the earlier messages; the index of the shorter log is then no longer valid. A
   * result belongs to the nearest earlier unanswered call with its id, because in real conversations ids repeat; a result without such a
   * call is an orphan.
   *
   * Every function call runs this over every block. So it also checks the shape of what it reads, keeps its state in local variables, reads
   * every field once, and compares each block's type as rarely as possible: blocks come in many hidden classes, and in blocks from JSON the
   * type of a result is a separate string each time. Reading and comparing those takes most of the time here. Lists grow by assignment past
   * their end: V8 never recompiles a `push` that it compiled for an empty list of numbers.
   */
  extendTo(log: readonly Message[]): LogIndex {
    const blockCounts = this.#blockCounts;
    const spokenChars = this.#spokenChars;
    const calls = this.#calls;
    const callsBefore = this.#callsBefore;
    const results = this.#results;
    const answered = this.#answered;
    const resultsBefore = this.#resultsBefore;
    const userBlocks = this.#userBlocks;
    const userTexts = this.#userTexts;
    const thinking = this.#thinking;
    const providerRunAt = this.#providerRunAt;
    const systemAt = this.#systemAt;
    const loops = this.#loops;
    const client = this.#client;
    const server = this.#server;
    let callCount = this.#callCount;
    let resultCount = this.#resultCount;
    let turn = this.#turn;
    let turnHasCalls = this.#turnHasCalls;
    let loopStart = this.#loopStart;
    let loopIsOpen = this.#loopIsOpen;

    for (let position = this.#length; position < log.length; position++) {
      const message: unknown = log[position];
      if (typeof message !== "object" || message === null) throw faultAt(log, position);
      const { role, content: given } = message as Unchecked;
      const content: unknown = typeof given === "string" ? NO_BLOCKS : given;
      if (!Array.isArray(content)) throw faultAt(log, position);
      let spoken = 0;
      const continuesTurn = role === turn;
      turn = role;
      if (role === "assistant") {
        if (!continuesTurn) {
          turnHasCalls = false;
          if (providerRunAt.length > 0) server.beginTurn();
        }
        if (loopStart === NO_LOOP) loopStart = position;
        let isPaused = false;
        for (let block = 0; block < content.length; block++) {
          const part: unknown = content[block];
          if (typeof part !== "object" || part === null) throw faultAt(log, position);
          const { type } = part as Unchecked;
          if (type === "tool_use") {
            const { id, name } = part as Unchecked;
            if (typeof id !== "string" || typeof name !== "string") throw faultAt(log, position);
            const caller = callerOf(part as ToolUseBlock);
            const owner = providerRunAt.length === 0 ? undefined : server.ownerOf(caller);
            calls[callCount] = { number: callCount, id, name, caller, position, block, server: false, owner, result: undefined };
            callCount++;
            turnHasCalls = true;
          } else if (type === "text") {
            const { text } = part as Unchecked;
            if (typeof text !== "string") throw faultAt(log, position);
            spoken += text.length;
          } else if (type === "thinking" || type === "redacted_thinking") {
            thinking[thinking.length] = { position, block };
          } else if (!isBlock(part)) {
            throw faultAt(log, position);
          } else if (isServerCall(part as Block)) {
            const { id } = part as ServerCallBlock;
            const call = { number: callCount, id, name: "", caller: undefined, position, block, server: true, owner: undefined, result: undefined };
            calls[callCount++] = call;
            server.open(call);
            providerRunAt.push(position);
          } else if (isServerResult(part as Block)) {
            server.answer((part as ServerResultBlock).tool_use_id, { position, block }, callCount);
            isPaused = block === content.length - 1;
            providerRunAt.push(position);
          }
        }
        if (typeof given === "string") spoken = given.length;
        loopIsOpen = turnHasCalls || isPaused || (providerRunAt.length > 0 && server.isWaitingIn(position));
      } else if (role === "user") {
        let answers = false;
        for (let block = 0; block < content.length; block++) {
          const part: unknown = content[block];
          if (typeof part !== "object" || part === null) throw faultAt(log, position);
          const { type } = part as Unchecked;
          if (type === "tool_result") {
            const { tool_use_id: id, content: answer } = part as Unchecked;
            if (typeof id !== "string" || !isAnswer(answer)) throw faultAt(log, position);
            answers = true;
            const result = { position, block };
            answered[resultCount] = answerNewest(calls, callCount, false, id, result) ?? client.answer(id, result, callCount);
            results[resultCount++] = result;
            continue;
          }
          const text = type === "text" ? (part as Unchecked).text : undefined;
          if (typeof text !== "string" && !isBlock(part)) throw faultAt(log, position);
          userBlocks[userBlocks.length] = { position, block };
          userTexts[userTexts.length] = text as string | undefined;
        }
        if (typeof given === "string") {
          userBlocks[userBlocks.length] = { position, block: 0 };
          userTexts[userTexts.length] = given;
        }
        // Neighbouring user messages are one turn (A1.3), so a message of text after results does not end the loop.
        loopIsOpen = loopStart !== NO_LOOP && (answers || (continuesTurn && loopIsOpen));
        if (!loopIsOpen) loopStart = NO_LOOP;
      } else if (role === "system") {
        if (!areBlocks(content)) throw faultAt(log, position);
        systemAt.push(position);
      } else {
        throw faultAt(log, position);
      }
      blockCounts[position] = typeof given === "string" ? 1 : content.length;
      spokenChars[position] = spoken;
      callsBefore[position + 1] = callCount;
      resultsBefore[position + 1] = resultCount;
      loops[position + 1] = loopIsOpen ? loopStart : NO_LOOP;
    }
    // Trim the unused part of the initial allocation.
    calls.length = callCount;
    results.length = resultCount;
    answered.length = resultCount;
    this.#length = log.length;
    this.#callCount = callCount;
    this.#resultCount = resultCount;
    this.#turn = turn;
    this.#turnHasCalls = turnHasCalls;
    this.#loopStart = loopStart;
    this.#loopIsOpen = loopIsOpen;
    return { blockCounts, spokenChars, calls, callsBefore, results, answered, resultsBefore, userBlocks, userTexts, thinking, providerRunAt, systemAt, loops };
  }
}

function faultAt(log: readonly unknown[], position: number): PalimpsestError {
  return messageFault(log[position], `messages.${position}`);
}
