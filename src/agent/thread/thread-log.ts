import { arrange, type Arrangement } from "../../edits/arrange.ts";
import { EMPTY } from "../../edits/blank.ts";
import type { Edit, Proposal } from "../../edits/edit.ts";
import { makeEdits } from "../../edits/make-edits.ts";
import { invalid, PalimpsestError } from "../../errors/palimpsest-error.ts";
import { createCheckpointContent, generateCheckpointId, type PlacedCheckpoint } from "../../messages/checkpoint.ts";
import type { LogIndex } from "../../messages/index-log.ts";
import { blocksOf, isThinking, type Block, type CheckpointBlock, type Message, type ToolResultBlock } from "../../messages/message.ts";
import { parseLog } from "../../messages/parse-messages.ts";
import type { Target } from "../../messages/target.ts";
import { Groups } from "../../passes/prune-turns/groups.ts";
import type { OneCall } from "../../stateless/render-once.ts";
import { COMPACT_PASS } from "../tools/compact-tool.ts";
import { Handles } from "./handles.ts";
import { refuseLostLoopStart } from "./loop-start.ts";
import { pinnedError, positionTaken, positionsPinned, positionsWith, type Pin } from "./pin.ts";
import { settleProposals, type Kept } from "./settle-proposals.ts";
import { shownMessage } from "./shown-blocks.ts";
import { STALE_PASS } from "./stale-thinking.ts";
import { STATE_VERSION, type HeldResult, type ThreadState } from "./thread-state.ts";

const NO_MESSAGE: Message = { role: "user", content: [] };
/** So many messages behind it, what was recalled is as any other result. */
const RECALL_PROTECTED_MESSAGES = 20;

/** A view, and where each of its messages comes from. */
export interface ShownView {
  readonly messages: readonly Message[];
  /** Per message of the view: its position in the log. */
  readonly positions: readonly number[];
}

/**
 * The log of a thread with its edits and pins, and the one way in which both grow. It knows nothing of who speaks next: that is the
 * business of the thread, or of the front end that keeps it.
 */
export class ThreadLog {
  readonly id: string;
  readonly seenFrom: number;
  readonly handles: Handles;
  readonly #messages: Message[];
  readonly #checkpoints: PlacedCheckpoint[] = [];
  #edits: readonly Edit[];
  #pins: readonly Pin[];
  #parsed: OneCall | undefined;
  target: Target;

  constructor(target: Target, state: Omit<ThreadState, "version" | "held">) {
    this.target = target;
    this.id = state.id;
    this.seenFrom = state.seenFrom;
    this.#messages = [...state.log];
    this.#edits = state.edits;
    this.#pins = state.pins;
    this.handles = new Handles(state.id, state.edits);
    state.log.forEach((message, position) => {
      this.#noteCheckpoints(message, position);
    });
    // Edits that do not fit the log are refused now, not when the first request is due.
    if (state.edits.length > 0) this.arrange();
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get length(): number {
    return this.#messages.length;
  }

  get edits(): readonly Edit[] {
    return this.#edits;
  }

  get pins(): readonly Pin[] {
    return this.#pins;
  }

  /** The positions that pins hold, each with its pin. */
  get pinned(): ReadonlyMap<number, Pin> {
    return positionsPinned(this.#pins, this.parsed.index);
  }

  /** The edits that show. */
  get inForce(): readonly Edit[] {
    return this.#edits.filter((edit) => edit.undoneAt === undefined);
  }

  /** The log, indexed once for each length. */
  get parsed(): OneCall {
    if (this.#parsed?.log.length !== this.#messages.length || this.#parsed.target !== this.target) {
      const log = [...this.#messages];
      this.#parsed = { log, index: parseLog(log).index, target: this.target };
    }
    return this.#parsed;
  }

  append(message: Message): number {
    this.#noteCheckpoints(message, this.#messages.length);
    this.#messages.push(message);
    return this.#messages.length - 1;
  }

  /** A checkpoint that no other of this thread is called like. */
  newCheckpoint(): CheckpointBlock {
    return createCheckpointContent(generateCheckpointId(new Set(this.#checkpoints.map(({ id }) => id))));
  }

  /** All that were issued here, those inside summaries too. */
  get checkpoints(): readonly PlacedCheckpoint[] {
    return this.#checkpoints;
  }

  /** Those that are shown, and the ids of the rest. */
  usableCheckpoints(): { usable: readonly PlacedCheckpoint[]; hidden: ReadonlySet<string> } {
    const shown = new Set(this.arrange().messages.flatMap((message) => blocksOf(message).flatMap((block) => (isCheckpoint(block) ? [block.id] : []))));
    const usable = this.#checkpoints.filter(({ id }) => shown.has(id));
    return { usable, hidden: new Set(this.#checkpoints.flatMap(({ id }) => (shown.has(id) ? [] : [id]))) };
  }

  /** What passes propose, as far as it may be done beside what is there already, made and in force from now on. */
  propose(proposals: readonly Proposal[], named: boolean): Edit[] {
    if (proposals.length === 0) return [];
    const { log, index } = this.parsed;
    const name = (proposal: Proposal): Proposal => (named ? this.handles.name(proposal, log, index) : proposal);
    // Named first: the note counts, where a cut must not make a result longer.
    const shown = proposals.map((proposal) => (proposal.kind === "replace-range" ? proposal : name(proposal)));
    const settled = settleProposals(log, shown, this.inForce, this.#kept());
    const proposed = settled.map((proposal) => (proposal.kind === "replace-range" ? name(proposal) : proposal));
    try {
      return this.commit(proposed, ({ messages }) => refuseLostLoopStart(this.parsed, messages));
    } catch (error) {
      // A pass holds back where a loop is open in the log; that one is open in the view only, its answer gone, is seen no earlier than here.
      if (PalimpsestError.isInstance(error) && error.code === "LOOP_OPEN") return [];
      throw error;
    }
  }

  /** All of it, or an error and nothing. `check` sees the view that would be, and may throw. */
  commit(proposals: readonly Proposal[], check?: (view: Arrangement) => void): Edit[] {
    const known = new Set(this.inForce.map(({ id }) => id));
    const made = makeEdits(this.parsed.log, proposals).filter(({ id }) => !known.has(id));
    if (made.length === 0) return [];
    const { pinned } = this;
    for (const edit of made) {
      const position = positionTaken(edit, pinned.keys());
      const pin = position === undefined ? undefined : pinned.get(position);
      if (position !== undefined && pin !== undefined) throw pinnedError(pin, position);
    }
    const view = this.arrange(made);
    check?.(view);
    // Made and undone before the log grew, and now made again: it is the same edit.
    const ids = new Set(made.map(({ id }) => id));
    this.#edits = [...this.#edits.filter(({ id }) => !ids.has(id)), ...made];
    this.handles.add(made);
    return made;
  }

  undo(id: string): Edit {
    const edit = this.#edits.find((candidate) => candidate.id === id && candidate.undoneAt === undefined);
    if (edit?.pass === STALE_PASS) throw invalid("INVALID_INPUT", "id", "an edit that can be undone: what this one hides, no provider accepts any more", id);
    if (edit === undefined) throw invalid("INVALID_INPUT", "id", "the id of an edit that is in force", id);
    const undone: Edit = { ...edit, undoneAt: this.length };
    const edits = this.#edits.map((candidate) => (candidate === edit ? undone : candidate));
    // Thinking that was produced since is bound to what the edit shows, and an open loop may not be able to do without it.
    const answered = withAnswers(this.parsed);
    const { messages } = arrange(answered.log, answered.index, edits, { ...this.target, seenFrom: this.seenFrom });
    refuseLostLoopStart(answered, messages);
    this.#edits = edits;
    return undone;
  }

  pin(position: number, reason: string): Pin {
    if (!Number.isInteger(position) || position < 0 || position >= this.length)
      throw invalid("INVALID_INPUT", "position", `a position of the log, 0 to ${this.length - 1}`, position);
    const known = this.#pins.find((pin) => pin.position === position);
    if (known !== undefined) return known;
    // Thinking may have to go with an edit before it: alone it cannot be promised.
    const isLasting = blocksOf(this.#messages[position] ?? NO_MESSAGE).some((block) => !isThinking(block));
    if (!isLasting || !this.arrange().positions.includes(position)) throw invalid("INVALID_INPUT", "position", "a message that is shown", position);
    const pin = { id: `pin-${position}`, position, reason };
    this.#pins = [...this.#pins, pin];
    return pin;
  }

  unpin(id: string): void {
    if (!this.#pins.some((pin) => pin.id === id)) throw invalid("INVALID_INPUT", "id", "the id of a pin", id);
    this.#pins = this.#pins.filter((pin) => pin.id !== id);
  }

  arrange(added: readonly Edit[] = []): Arrangement {
    const { log, index } = this.parsed;
    return arrange(log, index, added.length === 0 ? this.#edits : [...this.#edits, ...added], { ...this.target, seenFrom: this.seenFrom });
  }

  /** The messages to send, as a provider takes them. Pins are checked here, in every view. */
  view(): ShownView {
    const { messages, positions } = this.arrange();
    const shown = new Set(positions);
    const missing = this.#pins.find((pin) => !shown.has(pin.position));
    if (missing !== undefined) throw pinnedError(missing, missing.position);
    return { messages: messages.map(shownMessage), positions };
  }

  toState(held: readonly HeldResult[]): ThreadState {
    return { version: STATE_VERSION, id: this.id, log: [...this.#messages], edits: this.#edits, pins: this.#pins, seenFrom: this.seenFrom, held };
  }

  /** The thread as it was when the log had this length: what came later, edits included, never was. */
  stateAt(length: number, id: string): Omit<ThreadState, "version" | "held"> {
    const edits = this.#edits
      .filter((edit) => edit.madeAt <= length)
      .map((edit) => {
        const { undoneAt, ...rest } = edit;
        return undoneAt !== undefined && undoneAt > length ? rest : edit;
      });
    const then = { id, log: this.#messages.slice(0, length), edits, pins: [], seenFrom: Math.min(this.seenFrom, length) };
    // What is pinned now may have been hidden then.
    const shown = new Set(new ThreadLog(this.target, then).arrange().positions);
    return { ...then, pins: this.#pins.filter(({ position }) => shown.has(position)) };
  }

  /** The messages that no pass may take out as a whole now. */
  get keptWhole(): ReadonlySet<number> {
    return this.#kept().shown;
  }

  #kept(): Kept {
    const { log, index } = this.parsed;
    const pinned = new Set(this.pinned.keys());
    const recalled = this.handles.recalledIn(log, index).filter(({ position }) => this.length - position <= RECALL_PROTECTED_MESSAGES);
    const undone = this.#edits.filter(({ undoneAt }) => undoneAt !== undefined);
    // Passes keep the last message of the log. Where that is taken out already, the model answers the last one that is shown.
    const last = this.arrange().positions.at(-1) ?? 0;
    const positions = positionsWith([...pinned, last, ...recalled.map(({ position }) => position), ...undone.flatMap(positionsPruned)], index);
    return { pinned, recalled, undone, shown: this.target.thinking === "manual" ? wholeLoops(positions, log, index) : positions };
  }

  #noteCheckpoints(message: Message, position: number): void {
    if (message.role !== "user") return;
    blocksOf(message).forEach((block, number) => {
      if (isCheckpoint(block)) this.#checkpoints.push({ id: block.id, position, block: number });
    });
  }
}

/** The messages of a range that a pass made. Passes take whole messages. */
function positionsPruned(edit: Edit): number[] {
  if (edit.kind !== "replace-range" || edit.pass === COMPACT_PASS) return [];
  return Array.from({ length: edit.to.position - edit.from.position }, (_, offset) => edit.from.position + offset);
}

/** In manual mode a loop stays or goes as a whole: a part of it would lack the thinking that it has to begin with (A4.2). */
function wholeLoops(positions: ReadonlySet<number>, log: readonly Message[], index: LogIndex): ReadonlySet<number> {
  const groups = Groups.ofLoops(log, index);
  const kept = new Set([...positions].map((position) => groups.firstOf(position)));
  return new Set([...log.keys()].filter((position) => kept.has(groups.firstOf(position))));
}

/** The log as it will be when the calls at its end have their results: only then does the provider read it. */
function withAnswers(call: OneCall): OneCall {
  const { calls } = call.index;
  const open = calls.filter(({ server, result, position }) => !server && result === undefined && position === call.log.length - 1);
  if (open.length === 0) return call;
  const results = open.map(({ id }): ToolResultBlock => ({ type: "tool_result", tool_use_id: id, content: EMPTY }));
  const log: readonly Message[] = [...call.log, { role: "user", content: results }];
  return { ...call, ...parseLog(log) };
}

function isCheckpoint(block: Block): block is CheckpointBlock {
  return block.type === "checkpoint";
}
