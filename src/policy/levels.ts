import type { Proposal } from "../edits/edit.ts";
import { blockAt, resultText, type Message, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";
import { headOf } from "../messages/head-of.ts";
import type { ContentHint, ContentKind } from "../content/content-kind.ts";
import { kindOf } from "../content/kind-of.ts";
import { select } from "../content/select.ts";
import { tidy } from "../content/tidy.ts";
import type { Unit } from "../content/unit.ts";
import { unitsOf } from "../content/units-of.ts";
import { handleNote, handleOf } from "../passes/handle.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { STUB, type Level, type Piece } from "./piece.ts";
import type { ParsedPolicy } from "./policy-options.ts";
import { shortInput } from "./short-input.ts";
import type { WordIndex } from "./word-index.ts";

/** How a piece is shown at each level, with what was cut and the handle said in it. */
export class Levels {
  readonly #options: ParsedPolicy;
  readonly #words: WordIndex;

  constructor(options: ParsedPolicy, words: WordIndex) {
    this.#options = options;
    this.#words = words;
  }

  /** As it is shown when it comes in: tidied and, if it is too long, with its most telling lines only. Undefined: as it is. */
  ingest(log: readonly Message[], piece: Piece): Proposal | undefined {
    const named = this.#options.tools[piece.tool]?.limit;
    const text = resultText(blockAt(log, piece.at) as ToolResultBlock);
    const hint = hintOf(log, piece);
    const kind = kindOf(text, hint);
    if (kind === "diff") return undefined;
    const tidied = tidy(text, kind);
    const limit = named ?? Math.floor((this.#options.ingestTokens * INGEST_PERCENT[kind]) / 100);
    if (limit === 0 || piece.tokens <= limit * INGEST_SLACK || estimateTokens(tidied) <= limit * INGEST_SLACK)
      return tidied.length < text.length * WORTH_TIDYING ? this.#result(log, piece, "custom", tidied, "the same in fewer tokens") : undefined;
    return this.#selected(log, piece, tidied, kind, limit, "truncated", `longer than ${limit} tokens`);
  }

  shorten(log: readonly Message[], piece: Piece, level: Level, tokens: number): Proposal | undefined {
    if (piece.kind === "input") return this.#input(log, piece, tokens);
    const text = resultText(blockAt(log, piece.at) as ToolResultBlock);
    if (level === STUB) return this.#result(log, piece, "stub", joined(stubOf(text, piece), " ", this.#resultNote(piece)), "old and not used since");
    const kind = kindOf(text, hintOf(log, piece));
    if (kind === "diff") return undefined;
    return this.#selected(log, piece, tidy(text, kind), kind, tokens, "skeleton", "old");
  }

  #selected(
    log: readonly Message[],
    piece: Piece,
    text: string,
    kind: ContentKind,
    tokens: number,
    form: "truncated" | "skeleton",
    reason: string,
  ): Proposal | undefined {
    const units = unitsOf(text, kind);
    const { text: chosen, cutUnits } = select(units, (unit) => this.#worth(unit), tokens);
    if (cutUnits === 0) return undefined;
    return this.#result(log, piece, form, joined(chosen, "\n", this.#resultNote(piece)), reason);
  }

  /** What was used is used again; what is rare is what one looks for. */
  #worth(unit: Unit): number {
    const said = this.#words.wasSaid(unit.text) ? USED_WORTH : 0;
    return unit.weight + said;
  }

  #result(log: readonly Message[], piece: Piece, form: keyof typeof PASSES, content: string, reason: string): Proposal | undefined {
    if (estimateTokens(content) >= piece.shownTokens) return undefined;
    const named = form === "custom" || this.#options.naming !== "all" ? {} : { handle: this.#handle(piece) };
    return { kind: "replace-result", at: piece.at, callId: piece.callId, form, content, pass: PASSES[form], reason, madeAt: log.length, ...named };
  }

  #input(log: readonly Message[], piece: Piece, tokens: number): Proposal | undefined {
    const { input } = blockAt(log, piece.at) as ToolUseBlock;
    const shorter = shortInput(input, tokens, this.#options.naming === "none" ? "" : handleNote(this.#handle(piece)));
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

  #resultNote(piece: Piece): string {
    return this.#options.naming === "all" ? handleNote(this.#handle(piece)) : "";
  }
}

/**
 * Percent of the limit at ingest, by kind: what of a kind is needed at once can be told from its form more or less well (measured:
 * docs/decisions/0009). Prose and listings tell little; logs and test output have their few telling lines.
 */
const INGEST_PERCENT: Readonly<Record<ContentKind, number>> = {
  code: 150,
  text: 250,
  listing: 300,
  search: 60,
  log: 50,
  "test-output": 60,
  json: 40,
  "json-lines": 40,
  table: 40,
  html: 100,
  base64: 40,
  diff: 100,
};
/** A little over the limit is not worth a cut. */
const INGEST_SLACK = 1.2;
const WORTH_TIDYING = 0.95;
const USED_WORTH = 3;
const PASSES = { custom: "tidy-results", truncated: "keep-telling-lines", skeleton: "keep-telling-lines", stub: "stub-results" } as const;
const GIST_CHARS = 80;

function joined(text: string, between: string, note: string): string {
  return note === "" ? text : `${text}${between}${note}`;
}

function hintOf(log: readonly Message[], piece: Piece): ContentHint {
  const use = blockAt(log, piece.callAt);
  return { tool: piece.tool, input: use?.type === "tool_use" ? (use as ToolUseBlock).input : undefined, isError: piece.isError };
}

function stubOf(text: string, { tokens }: Piece): string {
  const lines = text.split("\n");
  const first = lines.find((line) => line.trim() !== "")?.trim() ?? "";
  return `[${lines.length} lines, ${tokens} tokens, not shown; begins: ${headOf(first, GIST_CHARS)}]`;
}
