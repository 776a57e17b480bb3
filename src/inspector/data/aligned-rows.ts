import type { Edit, Proposal } from "../../edits/edit.ts";
import { parseAndArrange } from "../../edits/render.ts";
import type { RenderTarget } from "../../edits/render.ts";
import { blocksOf, isText, isToolResult, isToolUse, type Block, type Message } from "../../messages/message.ts";

/** A block and its place in the log. */
export interface PlacedBlock {
  /** −1 if it is not in the log. */
  readonly position: number;
  readonly number: number;
  readonly role: Message["role"];
  readonly block: Block;
}

/** The client's blocks beside the blocks that were sent in their place. */
export interface AlignedRow {
  readonly type: "same" | "changed" | "left-out" | "added";
  readonly left: readonly PlacedBlock[];
  /** The same as `left` if nothing differs. */
  readonly right: readonly PlacedBlock[];
  /** Ids of the edits that caused the difference. */
  readonly edits: readonly string[];
  readonly isHidden: boolean;
  readonly isAnswer: boolean;
}

export interface CallToAlign {
  readonly log: readonly Message[];
  /** All edits ever made, undone ones included. */
  readonly edits: readonly Edit[];
  readonly upTo: number;
  /** The position after the answer and its hidden rounds. */
  readonly end: number;
  readonly target: RenderTarget;
  /** Names of the tools whose calls the client does not see. */
  readonly ownTools: readonly string[];
}

/** Aligns the messages that were sent with the client's, block by block. Ignores the edits of later calls. */
export function alignRows({ log, edits, upTo, end, target, ownTools }: CallToAlign): AlignedRow[] {
  const then = log.slice(0, upTo);
  const inForce = editsAt(edits, upTo);
  const view = parseAndArrange(then, inForce, { ...target, seenFrom: 0 });
  const aligner = new Aligner(then, inForce, view.editAt, ownTools);
  view.messages.forEach((message, number) => aligner.shown(message, view.positions[number] ?? -1));
  aligner.end();
  return [...aligner.rows, ...answerRows(log, upTo, end, ownTools)];
}

/** Returns the edits as they were when the log had this length. */
export function editsAt(edits: readonly Edit[], length: number): Edit[] {
  return edits
    .filter(({ madeAt }) => madeAt <= length)
    .map((edit) => {
      const { undoneAt, ...rest } = edit;
      return undoneAt !== undefined && undoneAt > length ? rest : edit;
    });
}

class Aligner {
  readonly rows: AlignedRow[] = [];
  readonly #log: readonly Message[];
  readonly #editAt: (position: number) => Proposal | undefined;
  readonly #blockEdits = new Map<string, string[]>();
  readonly #isHidden: (block: Block) => boolean;
  /** The first message of the log that is in no row yet, and its first such block. */
  #next = 0;
  #nextBlock = 0;
  #inserted: PlacedBlock[] = [];

  constructor(log: readonly Message[], edits: readonly Edit[], editAt: (position: number) => Proposal | undefined, ownTools: readonly string[]) {
    this.#log = log;
    this.#editAt = editAt;
    this.#isHidden = hiddenBlocks(log, ownTools);
    for (const edit of edits) {
      if (edit.undoneAt !== undefined && edit.undoneAt <= log.length) continue;
      for (const at of edit.kind === "strip-blocks" ? edit.at : "at" in edit ? [edit.at] : []) {
        const key = `${at.position}.${at.block}`;
        const there = this.#blockEdits.get(key);
        if (there === undefined) this.#blockEdits.set(key, [edit.id]);
        else there.push(edit.id);
      }
    }
  }

  shown(message: Message, position: number): void {
    if (position < 0) {
      this.#inserted.push(...placed(message, -1));
      return;
    }
    const from = position === this.#next - 1 ? this.#nextBlock : 0;
    if (position >= this.#next) this.#gapUntil(position);
    else this.#insert();
    const before = this.#log[position];
    this.#next = position + 1;
    if (before === undefined) return;
    if (before === message) {
      this.#same(before, position);
      return;
    }
    this.#nextBlock = this.#pair(before, message, position, from);
  }

  end(): void {
    this.#gapUntil(this.#log.length);
  }

  #same(message: Message, position: number): void {
    this.#nextBlock = Infinity;
    for (const one of placed(message, position)) {
      const isHidden = this.#isHidden(one.block);
      this.rows.push({ type: isHidden ? "added" : "same", left: isHidden ? [] : [one], right: [one], edits: [], isHidden, isAnswer: false });
    }
  }

  /** Adds the rows of a message that was changed. Returns the first block that it did not reach. */
  #pair(before: Message, message: Message, position: number, from: number): number {
    const left = placed(before, position);
    const shown = placed(message, position);
    let at = from;
    for (const one of shown) {
      const found = left.findIndex(({ block }, number) => number >= at && (block === one.block || isSaidAs(block, one.block)));
      const paired = found !== -1 ? found : left.findIndex(({ block, number }) => number >= at && this.#isReplaced(position, number, block, one.block));
      if (paired === -1) {
        this.rows.push({ type: "added", left: [], right: [one], edits: [], isHidden: false, isAnswer: false });
        continue;
      }
      this.#leftOut(left.slice(at, paired));
      const old = left[paired] as PlacedBlock;
      const isSame = old.block === one.block || isSaidAs(old.block, one.block);
      const isHidden = this.#isHidden(old.block);
      this.rows.push({
        type: isHidden ? "added" : isSame ? "same" : "changed",
        left: isHidden ? [] : [old],
        right: [{ ...one, number: old.number }],
        edits: isSame ? [] : this.#editsOf(old),
        isHidden,
        isAnswer: false,
      });
      at = paired + 1;
    }
    // The rest of the message may come after a summary.
    const rest = left.slice(at);
    if (rest.length > 0 && this.#editAt(position)?.kind !== "replace-range") {
      this.#leftOut(rest);
      return Infinity;
    }
    return at;
  }

  #leftOut(blocks: readonly PlacedBlock[]): void {
    for (const one of blocks)
      if (!this.#isHidden(one.block)) this.rows.push({ type: "left-out", left: [one], right: [], edits: this.#editsOf(one), isHidden: false, isAnswer: false });
  }

  #editsOf({ position, number }: PlacedBlock): readonly string[] {
    const own = this.#blockEdits.get(`${position}.${number}`);
    if (own !== undefined) return own.slice(-1);
    const id = idOf(this.#editAt(position));
    return id === undefined ? [] : [id];
  }

  #isReplaced(position: number, number: number, before: Block, now: Block): boolean {
    if (isToolResult(before)) return isToolResult(now) && before.tool_use_id === now.tool_use_id;
    if (isToolUse(before) && isToolUse(now)) return before.id === now.id;
    return isText(now) && this.#blockEdits.has(`${position}.${number}`);
  }

  /** Adds rows for the hidden blocks before this position, grouped by the edits that removed them, each beside its replacement. */
  #gapUntil(position: number): void {
    const runs: { id: string | undefined; blocks: PlacedBlock[] }[] = [];
    const first = this.#next > 0 && this.#nextBlock !== Infinity ? this.#next - 1 : this.#next;
    for (let at = first; at < position; at++) {
      const id = idOf(this.#editAt(at));
      const message = this.#log[at];
      if (message === undefined) continue;
      const all = placed(message, at);
      const blocks = (at === this.#next - 1 ? all.slice(this.#nextBlock) : all).filter(({ block }) => !this.#isHidden(block));
      const run = runs.at(-1);
      if (run !== undefined && run.id === id) run.blocks.push(...blocks);
      else runs.push({ id, blocks: [...blocks] });
    }
    this.#next = Math.max(this.#next, position);
    this.#nextBlock = 0;
    const filled = runs.filter(({ blocks }) => blocks.length > 0);
    const inserted = this.#inserted;
    this.#inserted = [];
    if (filled.length === 0) {
      for (const one of inserted) this.rows.push({ type: "added", left: [], right: [one], edits: [], isHidden: false, isAnswer: false });
      return;
    }
    // Normally each range has one summary, in the same order. If not, the first row gets all summaries.
    const isEach = inserted.length === filled.length;
    filled.forEach(({ id, blocks }, number) => {
      const right = isEach ? inserted.slice(number, number + 1) : number === 0 ? inserted : [];
      this.rows.push({
        type: right.length === 0 ? "left-out" : "changed",
        left: blocks,
        right,
        edits: id === undefined ? [] : [id],
        isHidden: false,
        isAnswer: false,
      });
    });
  }

  /** Adds summaries that stand between two parts of one message. */
  #insert(): void {
    for (const one of this.#inserted) this.rows.push({ type: "added", left: [], right: [one], edits: [], isHidden: false, isAnswer: false });
    this.#inserted = [];
  }
}

function idOf(edit: Proposal | undefined): string | undefined {
  return edit !== undefined && "id" in edit && typeof edit.id === "string" ? edit.id : undefined;
}

function placed(message: Message, position: number): PlacedBlock[] {
  return blocksOf(message).map((block, number) => ({ position, number, role: message.role, block }));
}

/** Compares by value where needed: a string content becomes a new text block each time. */
function isSaidAs(before: Block, now: Block): boolean {
  return isText(before) && isText(now) && before.text === now.text;
}

/** Returns a test for blocks that only the model has seen: calls of our own tools, their results, and checkpoints. */
function hiddenBlocks(log: readonly Message[], ownTools: readonly string[]): (block: Block) => boolean {
  const own = new Set(ownTools);
  const calls = new Set<string>();
  if (own.size > 0)
    for (const message of log)
      if (message.role === "assistant") for (const block of blocksOf(message)) if (isToolUse(block) && own.has(block.name)) calls.add(block.id);
  return (block) => {
    if (block.type === "checkpoint") return true;
    if (isToolUse(block)) return own.has(block.name);
    return isToolResult(block) && calls.has(block.tool_use_id);
  };
}

function answerRows(log: readonly Message[], upTo: number, end: number, ownTools: readonly string[]): AlignedRow[] {
  const after = log.slice(upTo, end);
  const isHidden = hiddenBlocks(after, ownTools);
  return after.flatMap((message, number) =>
    placed(message, upTo + number).map((one): AlignedRow => {
      const hidden = isHidden(one.block) || message.role === "user";
      return { type: hidden ? "added" : "same", left: hidden ? [] : [one], right: [one], edits: [], isHidden: hidden, isAnswer: true };
    }),
  );
}
