import { invalid } from "../errors/palimpsest-error.ts";
import type { LogIndex } from "../messages/index-log.ts";
import type { Call } from "../messages/open-calls.ts";
import { blockAt, blocksOf, isText, isToolUse, resultText, type Message, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";
import { resultHints } from "../content/calls/result-hints.ts";
import { hasDiff } from "../content/kinds/has-diff.ts";
import { readingOf, type Reading } from "../content/calls/call-reads.ts";
import type { Place } from "../messages/place.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { contentTokens } from "../tokens/message-tokens.ts";
import { isMedia } from "../tokens/media-payload.ts";
import { plainJson } from "../tokens/plain-json.ts";
import { countBelow } from "./count-below.ts";
import { FULL, type Piece } from "./piece.ts";

/** An input below this is never worth an edit. */
const MIN_INPUT_TOKENS = 60;

/** The most different readings of one thing that are remembered. */
const MOST_READINGS = 8;

type Facts = Omit<Piece, "number" | "uses" | "usedAt" | "supersededBy" | "isCut" | "isDuplicate" | "call" | "level" | "shownTokens">;

/** Knows the pieces of the log, their sizes, and which of them were read again. Grows with the log. */
export class Catalogue {
  readonly pieces: Piece[] = [];
  /** The tokens of each position in the log. */
  readonly tokens: number[] = [];
  readonly #toolsAt = new Map<number, string[]>();
  /** Positions where results have more than text. */
  readonly #moreThanText = new Set<number>();
  /** Where each response of the assistant begins: neighbouring messages are one (A1.3). */
  readonly #responses: number[] = [];
  /** Readings, by the thing that was read, without those that a later result repeats. */
  readonly #readings = new Map<string, { readonly part: string; readonly piece: Piece; readonly text: string }[]>();
  #results = 0;
  #userBlocks = 0;

  /** How many turns the assistant has had. */
  get turns(): number {
    return this.#responses.length;
  }

  /** Returns the number of turns up to this position, included. */
  turnAt(position: number): number {
    return countBelow(this.#responses, position + 1);
  }

  /** Returns the position at which the assistant's last N responses begin. */
  startOfLast(turns: number): number {
    return turns === 0 ? this.tokens.length : (this.#responses.at(-turns) ?? 0);
  }

  /** Returns how many responses of the assistant begin there. */
  turnsBetween(from: number, to: number): number {
    return countBelow(this.#responses, to) - countBelow(this.#responses, from);
  }

  /** Returns whether a result there has images, documents or anything else that is not text. */
  hasMoreThanText(position: number): boolean {
    return this.#moreThanText.has(position);
  }

  /** Returns the tools whose calls or results are at a position. */
  toolsAt(position: number): readonly string[] {
    return this.#toolsAt.get(position) ?? [];
  }

  /** Reads new messages. */
  read(log: readonly Message[], index: LogIndex): void {
    for (let position = this.tokens.length; position < log.length; position++) {
      const message = log[position];
      if (message === undefined) continue;
      try {
        this.tokens.push(this.#readMessage(log, index, message, position));
      } catch (error) {
        // A RangeError here can only be a stack overflow.
        throw error instanceof RangeError ? invalid("INVALID_INPUT", `messages.${position}`, "inputs that are not nested by the thousand", message) : error;
      }
    }
  }

  /** Reads a message, and returns its tokens, counting everything in it once. */
  #readMessage(log: readonly Message[], index: LogIndex, message: Message, position: number): number {
    if (message.role === "assistant") return this.#readResponse(message, position, log[position - 1]?.role === "assistant");
    if (message.role === "system") return contentTokens(message.content);
    let tokens = 0;
    for (let at = index.results[this.#results]; at?.position === position; at = index.results[++this.#results])
      tokens += this.#readResult(log, index.answered[this.#results], at);
    for (let at = index.userBlocks[this.#userBlocks]; at?.position === position; at = index.userBlocks[++this.#userBlocks])
      tokens += this.#readUserBlock(log, at);
    return tokens;
  }

  #readResponse(message: Message, position: number, continues: boolean): number {
    if (!continues) this.#responses.push(position);
    let tokens = 0;
    for (const [block, part] of blocksOf(message).entries()) tokens += isToolUse(part) ? this.#readCall(part, { position, block }) : contentTokens([part]);
    return tokens;
  }

  #readCall(use: ToolUseBlock, at: Place): number {
    this.#noteTool(at.position, use.name);
    const plain = plainJson(use.input);
    const input = plain ?? JSON.stringify(use.input);
    const tokens = estimateTokens(input);
    if (tokens >= MIN_INPUT_TOKENS)
      this.#add({ kind: "input", at, callAt: at, callId: use.id, tool: use.name, tokens, isError: false, isWhole: false, media: 0 });
    return plain === undefined ? contentTokens([use]) : estimateTokens(use.name) + tokens;
  }

  #noteTool(position: number, tool: string): void {
    const tools = this.#toolsAt.get(position);
    if (tools === undefined) this.#toolsAt.set(position, [tool]);
    else tools.push(tool);
  }

  #readResult(log: readonly Message[], call: Call | undefined, at: Place): number {
    const block = blockAt(log, at) as ToolResultBlock;
    const use = call === undefined ? undefined : (blockAt(log, call) as ToolUseBlock);
    const { content } = block;
    const others = typeof content === "string" ? [] : (content ?? []).filter((part) => !isText(part));
    const media = others.filter(isMedia);
    this.#noteTool(at.position, use?.name ?? "");
    if (others.length > 0) this.#moreThanText.add(at.position);
    const isError = block.is_error === true;
    const text = resultText(block);
    const isDiff = hasDiff(text, () => resultHints({ tool: use?.name ?? "", input: use?.input }));
    const piece = this.#add({
      kind: "result",
      at,
      callAt: call ?? at,
      callId: block.tool_use_id,
      tool: use?.name ?? "",
      tokens: contentTokens(content),
      isError,
      isWhole: isError || isDiff || others.length > 0,
      media: media.length === 0 ? 0 : contentTokens(media),
    });
    if (use !== undefined && !isError && !isDiff) this.#noteReading(readingOf(use.name, use.input), piece, text);
    return piece.tokens;
  }

  /**
   * A reading supersedes an earlier one of the same file (all of it or the same part), and any result with the same text.
   * Other results (a search, a test run) may have said more the first time.
   */
  #noteReading(reading: Reading | undefined, piece: Piece, text: string): void {
    if (reading === undefined) return;
    const { of, part, path } = reading;
    const others = (this.#readings.get(of) ?? []).filter((other) => {
      const isAgain = other.text === text || (path !== undefined && (part === "" || part === other.part));
      if (isAgain) other.piece.supersededBy = piece;
      return !isAgain;
    });
    this.#readings.set(of, [...others.slice(-MOST_READINGS), { part, piece, text }]);
  }

  #readUserBlock(log: readonly Message[], at: Place): number {
    const block = blockAt(log, at);
    if (block === undefined) return 0;
    const tokens = contentTokens([block]);
    if (isMedia(block)) this.#add({ kind: "media", at, callAt: at, callId: "", tool: "", tokens, isError: false, isWhole: true, media: tokens });
    return tokens;
  }

  #add(facts: Facts): Piece {
    const { kind, at, callAt, callId, tool, tokens, isError, isWhole, media } = facts;
    const piece: Piece = {
      number: this.pieces.length,
      kind,
      at,
      callAt,
      callId,
      tool,
      tokens,
      isError,
      isWhole,
      media,
      uses: 0,
      usedAt: 0,
      supersededBy: undefined,
      isCut: false,
      isDuplicate: false,
      call: undefined,
      level: FULL,
      shownTokens: tokens,
    };
    this.pieces.push(piece);
    return piece;
  }
}
