import type { Proposal } from "../edits/edit.ts";
import { blockAt, resultText, type Message, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";
import { headOf } from "../messages/head-of.ts";
import type { ContentKind } from "../content/content-kind.ts";
import { kindOf } from "../content/kind-of.ts";
import type { Parts } from "../content/parts.ts";
import { partsOf } from "../content/parts-of.ts";
import { tellingText } from "../content/telling-parts.ts";
import { hasSameLines, shortened } from "../content/tidy.ts";
import { handleNote, handleOf } from "../passes/handle.ts";
import { inputText } from "../stateless/original-text.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { asTold } from "./as-told.ts";
import { canReadAgain, factsOf } from "./facts-of.ts";
import type { Measured } from "./measured.ts";
import { STUB, type Level, type Piece } from "./piece.ts";
import type { ParsedPolicy } from "./policy-options.ts";
import { shortInput } from "./short-input.ts";
import type { ShownWords } from "./shown-words.ts";

/** How a piece is shown at each level, with what was cut and the handle said in it. */
export class Levels {
  readonly #options: ParsedPolicy;
  readonly #words: ShownWords;
  readonly #measured: Measured;
  /** What was read since the log last grew. */
  readonly #reads = new Map<number, Parts>();
  #readAt = 0;

  constructor(options: ParsedPolicy, words: ShownWords, measured: Measured) {
    this.#options = options;
    this.#words = words;
    this.#measured = measured;
  }

  /** As it is shown when it comes in: tidied, and with the lines only that tell enough for what they take. Undefined: as it is. */
  ingest(log: readonly Message[], piece: Piece): Proposal | undefined {
    const text = resultText(blockAt(log, piece.at) as ToolResultBlock);
    if (text.length < SHORTEST_CUT) return undefined;
    const kind = kindOf(text, factsOf(log, piece));
    if (kind === "diff") return undefined;
    const settings = this.#options.tools[piece.tool] ?? {};
    const limit = settings.limit ?? this.#options.ingestTokens;
    const isOver = limit > 0 && piece.tokens > limit;
    // Of a file, agents edit prose as they edit code.
    const valued = kind === "text" && canReadAgain(log, piece) ? "code" : kind;
    if (valued === "code" && text.length < SHORTEST_CODE_CUT && !isOver) return undefined;
    const told = isOver ? asTold(text, settings, limit) : undefined;
    if (told !== undefined) return this.#result(log, piece, "truncated", joined(told, "\n", this.#resultNote(piece, text)), "as its tool's settings say");
    const parts = this.#read(piece, text, kind);
    const least = leastWorth(this.#options.ingestWorth, text, valued);
    const wanted = { leastWorth: least, maxTokens: limit, tokens: piece.tokens, mostShare: WORTH_CUTTING };
    const selected = limit === 0 ? undefined : tellingText(parts, wanted);
    if (selected !== undefined) return this.#result(log, piece, "truncated", joined(selected, "\n", this.#resultNote(piece, text)), "the lines that tell most");
    return kind !== "html" && parts.text.length < text.length * WORTH_TIDYING
      ? this.#result(log, piece, "custom", parts.text, "the same in fewer tokens")
      : undefined;
  }

  shorten(log: readonly Message[], piece: Piece, level: Level, tokens: number): Proposal | undefined {
    if (piece.kind === "input") return this.#input(log, piece, tokens);
    const text = resultText(blockAt(log, piece.at) as ToolResultBlock);
    if (level === STUB) return this.#result(log, piece, "stub", joined(stubOf(text, piece), " ", this.#resultNote(piece, text)), "old and not used since");
    const kind = kindOf(text, factsOf(log, piece));
    const selected =
      kind === "diff" ? undefined : tellingText(this.#read(piece, text, kind), { leastWorth: 0, maxTokens: tokens, tokens: piece.tokens, mostShare: Infinity });
    return selected === undefined ? undefined : this.#result(log, piece, "skeleton", joined(selected, "\n", this.#resultNote(piece, text)), "old");
  }

  /** Within one call a result may be asked for twice, and nothing is said in between. */
  #read(piece: Piece, text: string, kind: ContentKind): Parts {
    if (this.#readAt !== this.#words.version) this.#reads.clear();
    this.#readAt = this.#words.version;
    let parts = this.#reads.get(piece.number);
    if (parts === undefined) {
      const tidied = shortened(text, kind);
      parts = partsOf(tidied.text, kind, this.#words.familiarityOf(piece, hasSameLines(tidied.text, text, kind)), tidied.json);
      this.#reads.set(piece.number, parts);
    }
    return parts;
  }

  #result(log: readonly Message[], piece: Piece, form: keyof typeof PASSES, content: string, reason: string): Proposal | undefined {
    const tokens = estimateTokens(content);
    if (tokens >= piece.shownTokens) return undefined;
    const named = form === "custom" || this.#options.naming !== "all" ? {} : { handle: this.#handle(piece) };
    const origin = { pass: PASSES[form], reason, madeAt: log.length, ...named };
    const proposal: Proposal = { kind: "replace-result", at: piece.at, callId: piece.callId, form, content, ...origin };
    this.#measured.set(proposal, tokens);
    return proposal;
  }

  #input(log: readonly Message[], piece: Piece, tokens: number): Proposal | undefined {
    const { input } = blockAt(log, piece.at) as ToolUseBlock;
    const shorter = shortInput(input, tokens, this.#options.naming === "none" ? "" : handleNote(this.#handle(piece), inputText(input)));
    if (shorter === undefined) return undefined;
    return {
      kind: "replace-input",
      at: piece.at,
      input: shorter,
      pass: "shorten-inputs",
      reason: "an old call",
      madeAt: log.length,
      handle: this.#handle(piece),
    };
  }

  #handle(piece: Piece): string {
    return handleOf(this.#options.thread, piece.at);
  }

  #resultNote(piece: Piece, text: string): string {
    return this.#options.naming === "all" ? handleNote(this.#handle(piece), text) : "";
  }
}

/** Of a shorter result nothing is cut when it comes in. */
const SHORTEST_CUT = 400;
/** Nor of so much of a file, below its limit: who asks for a few dozen lines works on them. */
const SHORTEST_CODE_CUT = 2_500;
/** A cut that leaves more than this share is not worth its marks. */
const WORTH_CUTTING = 0.85;

/** What lines of these kinds are worth beside those of others. What went wrong in a log or a test is shown in any case. */
const KIND_WORTH: Readonly<Partial<Record<ContentKind, number>>> = { code: 1.5, json: 0.7, "json-lines": 0.7, log: 0.5, "test-output": 0.5 };
/** Of longer results a smaller share is needed. */
const ORDINARY_CHARS = 4400;

function leastWorth(ordinary: number, text: string, kind: ContentKind): number {
  return (ordinary * Math.sqrt(Math.max(1, text.length / ORDINARY_CHARS))) / (KIND_WORTH[kind] ?? 1);
}

const WORTH_TIDYING = 0.95;
const PASSES = { custom: "tidy-results", truncated: "keep-telling-lines", skeleton: "keep-telling-lines", stub: "stub-results" } as const;
const GIST_CHARS = 80;

function joined(text: string, between: string, note: string): string {
  return note === "" ? text : `${text}${between}${note}`;
}

function stubOf(text: string, { tokens }: Piece): string {
  const lines = text.split("\n");
  const first = lines.find((line) => line.trim() !== "")?.trim() ?? "";
  return `[${lines.length} lines, ${tokens} tokens, not shown; begins: ${headOf(first, GIST_CHARS)}]`;
}
