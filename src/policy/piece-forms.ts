import type { Proposal } from "../edits/edit.ts";
import { blockAt, resultText, type Message, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";
import { beginningOf } from "../messages/beginning-of.ts";
import { kindOf, type ContentKind } from "../content/kinds/kind-of.ts";
import { countRecords } from "../content/kinds/count-records.ts";
import type { Parts } from "../content/parts/text-parts.ts";
import { partsOf } from "../content/parts/parts-of-text.ts";
import { tellingText } from "../content/parts/telling-text.ts";
import { hasSameLines, shortened } from "../content/tidy/tidy.ts";
import { handleNote } from "../passes/handle.ts";
import { inputText } from "../stateless/original-text.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { cutBySettings } from "./cut-by-settings.ts";
import { hintsOf } from "./hints-of.ts";
import { pieceHandle } from "./handles.ts";
import type { Measured } from "./measured.ts";
import { STUB, type Level, type Piece } from "./piece.ts";
import type { ParsedPolicy } from "./policy-options.ts";
import { shortInput } from "./short-input.ts";
import type { ShownWords } from "./shown-words.ts";

/** Writes the form of a piece at each level, with a note that states what was cut and the handle. */
export class PieceForms {
  readonly #options: ParsedPolicy;
  readonly #words: ShownWords;
  readonly #measured: Measured;
  /** Texts parsed since the log last grew. */
  readonly #reads = new Map<number, Parts>();
  #readAt = 0;

  constructor(options: ParsedPolicy, words: ShownWords, measured: Measured) {
    this.#options = options;
    this.#words = words;
    this.#measured = measured;
  }

  /**
   * Returns how a result is shown when it arrives: whole up to a limit, apart from lossless tidying; a longer one shows its most telling lines
   * up to that limit. `atMost`: a lower limit, because the request would not fit otherwise. Undefined: unchanged.
   */
  atFirstSight(log: readonly Message[], piece: Piece, atMost?: number): Proposal | undefined {
    const text = resultText(blockAt(log, piece.at) as ToolResultBlock);
    const hints = hintsOf(log, piece);
    const kind = kindOf(text, hints);
    if (kind === "diff") return undefined;
    const settings = this.#options.tools[piece.tool] ?? {};
    const own = settings.limit ?? (hints.isFileRead || kind === "code" ? this.#options.firstSightFileTokens : this.#options.firstSightTokens);
    const limit = atMost ?? own;
    const isOver = limit > 0 && piece.tokens > limit;
    if (!isOver && text.length < SHORTEST_TIDIED) return undefined;
    const reason = atMost === undefined ? "the lines that tell most" : "the request would not fit the model's window otherwise";
    const told = isOver ? cutBySettings(text, settings, limit) : undefined;
    if (told !== undefined)
      return this.#result(log, piece, "truncated", this.#noted(log, piece, text, told), atMost === undefined ? "as its tool's settings say" : reason);
    if (!isOver) return this.#tidied(log, piece, text, shortened(text, kind).text, kind);
    const parts = this.#read(piece, text, kind);
    // Tidying may bring it within the limit.
    if (parts.text.length < text.length && kind !== "html" && estimateTokens(parts.text) <= limit) return this.#tidied(log, piece, text, parts.text, kind);
    const count = countRecords(text, kind);
    const heading = count === undefined ? "" : `${count}\n`;
    const selected = tellingText(parts, { leastWorth: 0, maxTokens: limit - estimateTokens(heading), tokens: piece.tokens, mostShare: Infinity });
    if (selected === undefined) return this.#tidied(log, piece, text, parts.text, kind);
    return this.#result(log, piece, "truncated", this.#noted(log, piece, text, `${heading}${selected}`), reason);
  }

  #tidied(log: readonly Message[], piece: Piece, text: string, tidied: string, kind: ContentKind): Proposal | undefined {
    return kind !== "html" && tidied.length < text.length * WORTH_TIDYING ? this.#result(log, piece, "custom", tidied, "the same in fewer tokens") : undefined;
  }

  #noted(log: readonly Message[], piece: Piece, text: string, shown: string): string {
    return joined(shown, "\n", this.#resultNote(log, piece, text));
  }

  shorten(log: readonly Message[], piece: Piece, level: Level, tokens: number): Proposal | undefined {
    if (piece.kind === "input") return this.#input(log, piece, tokens);
    const text = resultText(blockAt(log, piece.at) as ToolResultBlock);
    if (level === STUB) return this.#result(log, piece, "stub", joined(stubOf(text, piece), " ", this.#resultNote(log, piece, text)), "old and not used since");
    const kind = kindOf(text, hintsOf(log, piece));
    const selected =
      kind === "diff" ? undefined : tellingText(this.#read(piece, text, kind), { leastWorth: 0, maxTokens: tokens, tokens: piece.tokens, mostShare: Infinity });
    return selected === undefined ? undefined : this.#result(log, piece, "skeleton", joined(selected, "\n", this.#resultNote(log, piece, text)), "old");
  }

  /** Parses a result, or returns it from the cache: a call may ask for it twice, and the conversation does not change in between. */
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
    const named = form === "custom" || this.#options.naming !== "all" ? {} : { handle: this.#handle(log, piece) };
    const origin = { pass: PASSES[form], reason, madeAt: log.length, ...named };
    const proposal: Proposal = { kind: "replace-result", at: piece.at, callId: piece.callId, form, content, ...origin };
    this.#measured.set(proposal, tokens);
    return proposal;
  }

  #input(log: readonly Message[], piece: Piece, tokens: number): Proposal | undefined {
    const { input } = blockAt(log, piece.at) as ToolUseBlock;
    const shorter = shortInput(input, tokens, this.#options.naming === "none" ? "" : handleNote(this.#handle(log, piece), inputText(input)));
    if (shorter === undefined) return undefined;
    return {
      kind: "replace-input",
      at: piece.at,
      input: shorter,
      pass: "shorten-inputs",
      reason: "an old call",
      madeAt: log.length,
      handle: this.#handle(log, piece),
    };
  }

  #handle(log: readonly Message[], piece: Piece): string {
    return pieceHandle(log, this.#options.thread, piece);
  }

  #resultNote(log: readonly Message[], piece: Piece, text: string): string {
    return this.#options.naming === "all" ? handleNote(this.#handle(log, piece), text) : "";
  }
}

/** A shorter result is not worth tidying. */
const SHORTEST_TIDIED = 400;
const WORTH_TIDYING = 0.95;
const PASSES = { custom: "tidy-results", truncated: "keep-telling-lines", skeleton: "keep-telling-lines", stub: "stub-results" } as const;
const GIST_CHARS = 80;

function joined(text: string, between: string, note: string): string {
  return note === "" ? text : `${text}${between}${note}`;
}

function stubOf(text: string, { tokens }: Piece): string {
  const lines = text.split("\n");
  const first = lines.find((line) => line.trim() !== "")?.trim() ?? "";
  return `[${lines.length} lines, ${tokens} tokens, not shown; begins: ${beginningOf(first, GIST_CHARS)}]`;
}
