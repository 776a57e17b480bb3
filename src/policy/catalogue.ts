import type { Call, LogIndex } from "../messages/index-log.ts";
import { blockAt, blocksOf, isText, isToolUse, resultText, type Message, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";
import { comparePlaces, type Place } from "../messages/place.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { contentTokens } from "../tokens/message-tokens.ts";
import { FULL, type Piece } from "./piece.ts";
import { WordIndex } from "./word-index.ts";

/** An input below this is never worth an edit. */
const MIN_INPUT_TOKENS = 60;

type Facts = Omit<Piece, "number" | "uses" | "usedAt" | "level" | "shownTokens">;

/** What is known of the log, and grows with it: its pieces, their sizes, and which of them the assistant used. */
export class Catalogue {
  readonly pieces: Piece[] = [];
  readonly words: WordIndex = new WordIndex();
  /** Per position: its tokens in the log. */
  readonly tokens: number[] = [];
  /** Per piece: the last turn that used it. */
  readonly #usedIn: number[] = [];
  /** Where each response of the assistant begins: neighbouring messages are one (A1.3). */
  readonly #responses: number[] = [];
  #results = 0;

  /** How often the assistant has spoken. */
  get turns(): number {
    return this.#responses.length;
  }

  /** The position from which on its last so many responses are. */
  startOfLast(turns: number): number {
    return turns === 0 ? this.tokens.length : (this.#responses.at(-turns) ?? 0);
  }

  /** Reads what is new. A result is used by what the assistant says after it, so both are read in their order. */
  read(log: readonly Message[], index: LogIndex): void {
    for (let position = this.tokens.length; position < log.length; position++) {
      const message = log[position];
      if (message === undefined) continue;
      if (message.role === "assistant") this.#readResponse(message, position, log[position - 1]?.role === "assistant");
      for (let at = index.results[this.#results]; at?.position === position; at = index.results[++this.#results]) this.#readResult(log, index, at);
      this.tokens.push(contentTokens(message.content));
    }
  }

  #readResponse(message: Message, position: number, continues: boolean): void {
    if (!continues) this.#responses.push(position);
    for (const [block, part] of blocksOf(message).entries()) {
      if (isText(part)) this.#noteSaid(part.text);
      if (!isToolUse(part)) continue;
      const input = JSON.stringify(part.input);
      this.#noteSaid(input);
      const tokens = estimateTokens(input);
      const at = { position, block };
      if (tokens >= MIN_INPUT_TOKENS) this.#add({ kind: "input", at, callAt: at, callId: part.id, tool: part.name, tokens, isError: false, isWhole: false });
    }
  }

  #noteSaid(text: string): void {
    this.words.addSaid(this.turns, text, (number) => {
      const piece = this.pieces[number];
      if (piece === undefined || this.#usedIn[number] === this.turns) return;
      this.#usedIn[number] = this.turns;
      piece.uses++;
      piece.usedAt = this.turns;
    });
  }

  #readResult(log: readonly Message[], { calls }: LogIndex, at: Place): void {
    const block = blockAt(log, at) as ToolResultBlock;
    const call = callAnsweredAt(calls, at);
    const use = call === undefined ? undefined : (blockAt(log, call) as ToolUseBlock);
    const { content } = block;
    const piece = this.#add({
      kind: "result",
      at,
      callAt: call ?? at,
      callId: block.tool_use_id,
      tool: use?.name ?? "",
      tokens: contentTokens(content),
      isError: block.is_error === true,
      isWhole: block.is_error === true || (typeof content !== "string" && !(content ?? []).every(isText)),
    });
    this.words.addPiece(piece.number, resultText(block));
  }

  #add(facts: Facts): Piece {
    const piece: Piece = { ...facts, number: this.pieces.length, uses: 0, usedAt: 0, level: FULL, shownTokens: facts.tokens };
    this.pieces.push(piece);
    this.#usedIn.push(0);
    return piece;
  }
}

/** A result answers one of the newest calls, or none. */
function callAnsweredAt(calls: readonly Call[], at: Place): Call | undefined {
  return calls.findLast(({ result }) => result !== undefined && comparePlaces(result, at) === 0);
}
