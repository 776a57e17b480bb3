import type { CallRecord } from "../../agent/calls/call-record.ts";
import type { Edit } from "../../edits/edit.ts";
import { codecOf } from "../../formats/codecs.ts";
import { isToolUse, textBlock, type Block } from "../../messages/message.ts";
import { targetFor } from "../../pricing/target-for.ts";
import { contentTokens } from "../../tokens/message-tokens.ts";
import type { BlocksAnswer, BlockView, ContextAnswer, ContextPart, EditCard, FoldRow, PairRow, Row, RowsAnswer, TextAnswer } from "../answers.ts";
import { alignRows, type AlignedRow, type PlacedBlock } from "./aligned-rows.ts";
import { ownTools } from "./own-tools.ts";
import { gistOf, isShowable, mediaIn, safeSlice, textOfBlock, viewOfBlock, type CallNames } from "./block-view.ts";
import type { StoredConversation } from "./shelf.ts";

export type Show = "new" | "edits" | "all";

export interface CallViewInput {
  readonly record: CallRecord;
  readonly sequence: number;
  readonly conversation: StoredConversation;
  readonly head: Readonly<Record<string, unknown>> | undefined;
  /** Returns the call that an edit with this `madeAt` was made for. */
  readonly sequenceOf: (madeAt: number) => number | undefined;
}

/** Blocks of a row that are shown at first: a digest can replace thousands. */
const FIRST_BLOCKS = 6;
const SMALL_PREVIEW_CHARS = 500;
const SEGMENTS = 140;

const sizes = new WeakMap<Block, number>();

/** One call: the sent blocks beside the client's. Built once, then read piece by piece. */
export class CallView {
  readonly #input: CallViewInput;
  readonly #rows: readonly AlignedRow[];
  readonly #calls: CallNames;
  readonly #edits: ReadonlyMap<string, Edit>;
  readonly #new: ReadonlySet<string>;
  /** Reported tokens per estimated token. */
  readonly #factor: number;
  readonly #firstChanged: number;
  readonly #items = new Map<Show, readonly (number | FoldRow)[]>();

  constructor(input: CallViewInput) {
    this.#input = input;
    const { record, conversation } = input;
    const { log, edits } = conversation;
    this.#edits = new Map(edits.map((edit) => [edit.id, edit]));
    this.#new = new Set(record.edits);
    const aligned = alignRows({
      log,
      edits,
      upTo: Math.min(record.upTo, log.length),
      end: Math.min(record.end, log.length),
      target: { ...codecTarget(record.api), ...(record.model === undefined ? {} : targetFor(record.model, { onWarning: () => undefined })) },
      ownTools: record.head.added,
    });
    this.#rows = [...headRows(input), ...aligned];
    this.#calls = callNames(aligned);
    const estimate = aligned.reduce((sum, row) => (row.isAnswer ? sum : sum + rightOf(row).reduce((own, { block }) => own + sizeOf(block), 0)), 0);
    const headTokens = record.head.systemTokens + record.head.toolsTokens;
    this.#factor = estimate === 0 || record.tokens.sent <= headTokens ? 1 : (record.tokens.sent - headTokens) / estimate;
    const { firstChanged } = record;
    this.#firstChanged = firstChanged === undefined ? -1 : this.#rowAt(firstChanged.position, firstChanged.block);
  }

  get sides(): {
    readonly client: { readonly tokens: number; readonly blocks: number };
    readonly sent: { readonly tokens: number; readonly blocks: number };
    readonly rows: number;
    readonly newEdits: number;
    readonly edits: number;
  } {
    const { tokens } = this.#input.record;
    const sent = this.#rows.filter(({ isAnswer }) => !isAnswer);
    const shown = new Set(sent.flatMap(({ edits }) => edits));
    return {
      client: { tokens: tokens.full, blocks: sent.reduce((sum, { left }) => sum + left.length, 0) },
      sent: { tokens: tokens.sent, blocks: sent.reduce((sum, row) => sum + rightOf(row).length, 0) },
      rows: this.#rows.length,
      newEdits: [...shown].filter((id) => this.#new.has(id)).length,
      edits: shown.size,
    };
  }

  /** Returns a page of the rows. Rows that `show` does not select are folded. */
  rows(show: Show, from: number, limit: number): RowsAnswer {
    const items = this.#itemsOf(show);
    const rows = items.slice(from, from + limit).map((item): Row => (typeof item === "number" ? this.#pair(item) : item));
    return { rows, total: items.length, from };
  }

  /** Returns the rows inside a fold. */
  unfolded(from: number, to: number): RowsAnswer {
    const rows = this.#rows.slice(from, to).map((_, number) => this.#pair(from + number));
    return { rows, total: this.#rows.length, from };
  }

  blocks(row: number, from: number, limit: number): BlocksAnswer {
    const left = this.#rows[row]?.left ?? [];
    const blocks = left.slice(from, from + limit).map((one, number) => this.#block(one, `l${row}.${from + number}`, SMALL_PREVIEW_CHARS * 4));
    return { blocks, from, total: left.length };
  }

  /** Returns undefined if there is no such block. */
  text(id: string, from: number, limit: number): TextAnswer | undefined {
    const block = this.#blockOf(id);
    if (block === undefined) return undefined;
    const text = textOfBlock(block);
    return { text: safeSlice(text, Math.min(from, text.length), Math.min(text.length, from + limit)), from, chars: text.length };
  }

  media(id: string, index: number): { readonly type: string; readonly bytes: Buffer } | undefined {
    const block = this.#blockOf(id);
    const media = block === undefined ? undefined : mediaIn(block)[index];
    return media === undefined || !isShowable(media.type) ? undefined : { type: media.type, bytes: Buffer.from(media.data, "base64") };
  }

  /** The parts of the request in order; small neighbours are merged. */
  get segments(): readonly { readonly label: string; readonly tokens: number }[] {
    const { systemTokens, toolsTokens } = this.#input.record.head;
    const sent = this.#rows.filter((row) => !row.isAnswer && rightOf(row).length > 0 && !isHead(row));
    const total = sent.reduce((sum, row) => sum + this.#tokensOf(rightOf(row)), 0);
    const least = total / SEGMENTS;
    const segments: { label: string; tokens: number }[] = [
      { label: "tools", tokens: toolsTokens },
      { label: "system prompt", tokens: systemTokens },
    ].filter(({ tokens }) => tokens > 0);
    let open: { label: string; tokens: number } | undefined;
    for (const row of sent) {
      const tokens = this.#tokensOf(rightOf(row));
      if (open !== undefined && open.tokens + tokens <= least) open.tokens += tokens;
      else segments.push((open = { label: this.#labelOf(rightOf(row)[0]), tokens }));
    }
    return segments;
  }

  get firstChanged(): { readonly place: string; readonly label: string; readonly beforeTokens: number } | undefined {
    const { firstChanged, head } = this.#input.record;
    if (firstChanged === undefined) return undefined;
    const row = this.#rows[this.#firstChanged];
    const before = this.#rows.slice(0, Math.max(0, this.#firstChanged)).filter((one) => !isHead(one));
    const tokens = before.reduce((sum, one) => sum + this.#tokensOf(rightOf(one)), 0);
    const cut = row === undefined ? undefined : row.edits.map((id) => this.#edits.get(id)?.handle).find((handle) => handle !== undefined);
    const label = row === undefined ? "" : `${this.#labelOf(row.left[0] ?? row.right[0])}${cut === undefined ? "" : `, cut by ${cut}`}`;
    return { place: `${firstChanged.position}.${firstChanged.block}`, label, beforeTokens: head.systemTokens + head.toolsTokens + tokens };
  }

  get context(): ContextAnswer {
    return { sent: this.#contextOf((row) => rightOf(row)), full: this.#contextOf(({ left }) => left) };
  }

  /** Returns the row that has this block of the log, or −1. */
  #rowAt(position: number, block: number): number {
    return this.#rows.findIndex(
      ({ left, right, isAnswer }) => !isAnswer && [...left, ...right].some((one) => one.position === position && one.number >= block),
    );
  }

  card(edit: Edit): EditCard {
    const { record, sequence, sequenceOf } = this.#input;
    const made = this.#new.has(edit.id) ? sequence : sequenceOf(edit.madeAt);
    return {
      id: edit.id,
      pass: edit.pass,
      reason: edit.reason,
      kind: edit.kind,
      before: this.#scaled(edit.tokensBefore),
      after: this.#scaled(edit.tokensAfter),
      ...(edit.handle === undefined ? {} : { handle: edit.handle }),
      ...(made === undefined ? {} : { sequence: made }),
      isNew: this.#new.has(edit.id),
      ...(edit.undoneAt === undefined || edit.undoneAt <= record.upTo ? {} : { undoneAt: sequenceOf(edit.undoneAt) ?? sequence }),
      by: byOf(edit, record.policy),
    };
  }

  #contextOf(side: (row: AlignedRow) => readonly PlacedBlock[]): readonly ContextPart[] {
    const { head } = this.#input.record;
    const parts = new Map<string, { label: string; tokens: number; count: number; unit: string; group: ContextPart["group"] }>();
    const add = (label: string, unit: string, group: ContextPart["group"], tokens: number, count = 1): void => {
      const part = parts.get(label) ?? { label, unit, group, tokens: 0, count: 0 };
      part.tokens += tokens;
      part.count += count;
      parts.set(label, part);
    };
    if (head.toolsTokens > 0) add("Tools", "definition", "fixed", head.toolsTokens, head.tools);
    if (head.systemTokens > 0) add("System prompt", "", "fixed", head.systemTokens);
    for (const row of this.#rows) {
      if (row.isAnswer || isHead(row)) continue;
      for (const one of side(row)) {
        const tokens = this.#scaled(sizeOf(one.block));
        const { kind, name } = this.#block(one, "", 0);
        const edit = this.#edits.get(row.edits[0] ?? "");
        if (kind === "result") add(name ?? "Results", "result", "results", tokens);
        else if (kind === "summary" || kind === "note") add(edit?.pass === "digest-rounds" ? "Digest" : "Summaries", "text", "ours", tokens);
        else if (kind === "call") add("Calls", "call", "words", tokens);
        else if (kind === "thinking") add("Thinking", "block", "words", tokens);
        else if (kind === "checkpoint") add("Checkpoints", "line", "ours", tokens);
        else if (kind === "media") add("Pictures and files", "piece", "results", tokens);
        else
          add(
            one.role === "assistant" ? "Assistant" : one.role === "user" ? "User" : "System prompt",
            "text",
            one.role === "system" ? "fixed" : "words",
            tokens,
          );
      }
    }
    return [...parts.values()]
      .filter(({ tokens }) => tokens > 0)
      .sort((a, b) => b.tokens - a.tokens)
      .map(({ label, unit, count, tokens, group }) => ({
        label,
        detail: unit === "" ? "" : `${count.toLocaleString("en-US")} ${unit}${count === 1 ? "" : "s"}`,
        tokens,
        group,
      }));
  }

  #itemsOf(show: Show): readonly (number | FoldRow)[] {
    const known = this.#items.get(show);
    if (known !== undefined) return known;
    const items: (number | FoldRow)[] = [];
    const interesting = this.#rows.map((row, number) => show === "all" || this.#isInteresting(row, number, show));
    // The model answers the last row, so it is always shown.
    const last = this.#rows.findLastIndex(({ isAnswer, isHidden }) => !isAnswer && !isHidden);
    if (last !== -1) interesting[last] = true;
    for (let row = 0; row < this.#rows.length; row++) {
      if (interesting[row] === true) {
        items.push(row);
        continue;
      }
      let to = row;
      while (to < this.#rows.length && interesting[to] !== true) to++;
      const folded = this.#rows.slice(row, to);
      // A fold of checkpoints alone is not worth a line; `show: "all"` has them.
      if (!folded.every(isCheckpoint)) items.push(to - row === 1 && !isHead(this.#rows[row] as AlignedRow) ? row : this.#fold(row, to));
      row = to - 1;
    }
    this.#items.set(show, items);
    return items;
  }

  #isInteresting(row: AlignedRow, number: number, show: Show): boolean {
    if (isCheckpoint(row)) return false;
    if (row.isAnswer) return true;
    if (number === this.#firstChanged) return true;
    if (isHead(row)) return row.type === "changed";
    if (row.edits.length > 0) return show === "edits" || row.edits.some((id) => this.#new.has(id));
    // The task, in the user's own words.
    return row.left[0]?.position === 0 && row.type === "same";
  }

  #fold(from: number, to: number): FoldRow {
    const rows = this.#rows.slice(from, to);
    const blocks = rows.reduce((sum, row) => sum + Math.max(row.left.length, rightOf(row).length), 0);
    const labels = rows
      .filter((row) => !isCheckpoint(row))
      .slice(0, 4)
      .map((row) => this.#labelOf(row.left[0] ?? row.right[0]));
    return {
      type: "fold",
      row: from,
      to,
      blocks,
      edits: new Set(rows.flatMap(({ edits }) => edits)).size,
      tokens: rows.reduce((sum, row) => sum + this.#tokensOf(rightOf(row)), 0),
      what: `${labels.join(", ")}${rows.length > labels.length ? ", …" : ""}`,
    };
  }

  #pair(number: number): PairRow {
    const row = this.#rows[number] as AlignedRow;
    const { left, type, edits, isHidden, isAnswer } = row;
    const isMany = left.length > 1;
    const chars = isMany ? SMALL_PREVIEW_CHARS : undefined;
    const cards = edits.flatMap((id) => {
      const edit = this.#edits.get(id);
      return edit === undefined ? [] : [this.card(edit)];
    });
    return {
      type,
      row: number,
      left: left.slice(0, isMany ? FIRST_BLOCKS : 1).map((one, at) => this.#block(one, `l${number}.${at}`, chars)),
      right: type === "same" ? [] : row.right.map((one, at) => this.#block(one, `r${number}.${at}`)),
      leftBlocks: left.length,
      ...(isMany ? { leftEnd: placeOf(left.at(-1)) } : {}),
      leftTokens: this.#tokensOf(left),
      rightTokens: this.#tokensOf(rightOf(row)),
      edits: cards,
      isNew: cards.some(({ isNew }) => isNew),
      ...(isHidden ? { isHidden } : {}),
      ...(isAnswer ? { isAnswer } : {}),
      ...(number === this.#firstChanged ? { isFirstChanged: true } : {}),
    };
  }

  #block(one: PlacedBlock, id: string, previewChars?: number): BlockView {
    if (one.position === HEAD) return this.#headBlock(one, id);
    return viewOfBlock(one, { id, tokens: this.#scaled(sizeOf(one.block)), calls: this.#calls, ...(previewChars === undefined ? {} : { previewChars }) });
  }

  #headBlock(one: PlacedBlock, id: string): BlockView {
    const { head } = this.#input.record;
    const isTools = one.number === TOOLS;
    const view = viewOfBlock({ ...one, position: 0 }, { id, tokens: isTools ? head.toolsTokens : head.systemTokens, calls: this.#calls });
    return { ...view, place: "head", kind: isTools ? "tools" : "system", role: "system", ...(isTools ? { name: nameOfTools(one.block) } : {}) };
  }

  #blockOf(id: string): Block | undefined {
    const [, side, row, number] = /^([lr])(\d{1,9})\.(\d{1,9})$/.exec(id) ?? [];
    const found = this.#rows[Number(row)];
    if (found === undefined) return undefined;
    return (side === "l" ? found.left : rightOf(found))[Number(number)]?.block;
  }

  #labelOf(one: PlacedBlock | undefined): string {
    if (one === undefined) return "";
    const { kind, name, gist, role } = this.#block(one, "", 0);
    if (kind === "call" || kind === "result")
      return `${kind === "result" ? "result of " : ""}${name ?? "a tool"}${gist === undefined ? "" : ` ${short(gist)}`}`;
    if (kind === "text") return role === "user" ? "user" : "assistant";
    return kind === "system" ? "system prompt" : kind;
  }

  #tokensOf(blocks: readonly PlacedBlock[]): number {
    if (blocks[0]?.position === HEAD) {
      const { toolsTokens, systemTokens } = this.#input.record.head;
      return blocks.reduce((sum, { number }) => sum + (number === TOOLS ? toolsTokens : systemTokens), 0);
    }
    return this.#scaled(blocks.reduce((sum, { block }) => sum + sizeOf(block), 0));
  }

  #scaled(tokens: number): number {
    return Math.round(tokens * this.#factor);
  }
}

const HEAD = -2;
const SYSTEM = 0;
const TOOLS = 1;

/** Returns rows for the system prompt and the tools; the sent tools include ours. */
function headRows({ head, record }: CallViewInput): AlignedRow[] {
  if (head === undefined) return [];
  const { system, tools } = head;
  const own = Array.isArray(tools) ? (tools as readonly unknown[]) : [];
  const all = [...own, ...ownTools(record.head.added)];
  const block = (text: string, number: number): PlacedBlock => ({ position: HEAD, number, role: "system", block: textBlock(text) });
  const rows: AlignedRow[] = [];
  const text = systemText(system ?? head["instructions"]);
  const base = { edits: [], isHidden: false, isAnswer: false } as const;
  if (text !== "") {
    const one = block(text, SYSTEM);
    rows.push({ type: "same", left: [one], right: [one], ...base });
  }
  if (all.length > 0) {
    const isSame = own.length === all.length;
    const left = block(toolsText(own), TOOLS);
    rows.push({ type: isSame ? "same" : "changed", left: [left], right: [isSame ? left : block(toolsText(all), TOOLS)], ...base });
  }
  return rows;
}

function isCheckpoint({ left, right }: AlignedRow): boolean {
  return left.length === 0 && right.length === 1 && right[0]?.block.type === "checkpoint";
}

function isHead({ left, right }: AlignedRow): boolean {
  return (left[0] ?? right[0])?.position === HEAD;
}

function systemText(system: unknown): string {
  if (typeof system === "string") return system;
  if (!Array.isArray(system)) return "";
  return system.map((part: unknown) => (typeof part === "object" && part !== null && "text" in part ? String(part.text) : "")).join("\n\n");
}

function toolsText(tools: readonly unknown[]): string {
  return tools.map((tool) => JSON.stringify(tool)).join("\n");
}

function nameOfTools(block: Block): string {
  const text = textOfBlock(block);
  const count = text === "" ? 0 : text.split("\n").length;
  return `${count} ${count === 1 ? "tool" : "tools"}`;
}

function placeOf(one: PlacedBlock | undefined): string {
  return one === undefined ? "" : `${one.position}.${one.number}`;
}

function rightOf(row: AlignedRow): readonly PlacedBlock[] {
  return row.right;
}

function callNames(rows: readonly AlignedRow[]): CallNames {
  const names = new Map<string, { readonly name: string; readonly gist: string }>();
  for (const { left, right, type } of rows)
    for (const { block } of type === "same" ? left : [...right, ...left])
      if (isToolUse(block)) names.set(block.id, { name: block.name, gist: gistOf(block.input) });
  return names;
}

function sizeOf(block: Block): number {
  const known = sizes.get(block);
  if (known !== undefined) return known;
  const size = contentTokens([block]);
  sizes.set(block, size);
  return size;
}

function codecTarget(api: CallRecord["api"]): object {
  return api === "other" ? {} : codecOf(api).target;
}

function byOf({ pass }: Pick<Edit, "pass">, policy: string | undefined): string {
  if (pass === "compact") return "by the agent";
  if (pass === "stale-thinking") return "because the provider would refuse it";
  return policy === undefined ? "" : `by ${policy}`;
}

function short(text: string): string {
  return text.length > 48 ? `${safeSlice(text, 0, 47)}…` : text;
}
