import { arrange } from "../edits/arrange.ts";
import type { Edit, Proposal } from "../edits/edit.ts";
import { isSpanEdit } from "../edits/edit-places.ts";
import { makeEdits, type KnownTokens } from "../edits/make-edits.ts";
import { report, type ViewReport } from "../edits/report.ts";
import type { View } from "../edits/view-writer.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { createCheckpointContent, type PlacedCheckpoint } from "../messages/checkpoint.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { blocksOf, isThinking, type Block, type CheckpointBlock, type Message } from "../messages/message.ts";
import { checkMessage } from "../messages/parse-messages.ts";
import type { Target } from "../messages/target.ts";
import type { Step } from "../policy/step.ts";
import type { Situation } from "../policy/policy.ts";
import type { TargetedLog } from "../stateless/render-once.ts";
import { CurrentView } from "./current-view.ts";
import { derivedCheckpointId } from "./derived-checkpoint-id.ts";
import { EditList } from "./edit-list.ts";
import { Handles } from "./handles.ts";
import { IndexedLog, isCheckpoint } from "./indexed-log.ts";
import { keptBy, lastShown, type Kept } from "./kept.ts";
import { isLoopOpen, refuseLostLoopStart, withAnswers } from "./loop-start.ts";
import { pinnedError, positionTaken, positionsPinned, type Pin } from "./pin.ts";
import { recallFrom, type Recalled } from "./recall.ts";
import { parseRecallInput } from "./tools/recall-tool.ts";
import { settleProposals } from "./settle-proposals.ts";
import { STALE_PASS } from "./stale-thinking.ts";

/** A view, and which message of the log each of its messages comes from. */
export interface ShownView {
  readonly messages: readonly Message[];
  /** The position in the log of each message of the view. */
  readonly positions: readonly number[];
}

/** A conversation as plain values. */
export interface ConversationState {
  readonly id: string;
  readonly log: readonly Message[];
  readonly edits: readonly Edit[];
  readonly pins: readonly Pin[];
  /** The length of the log from which on the model saw our views. */
  readonly seenFrom: number;
  /** The calls of the model that a policy has decided, the last one last. */
  readonly steps: readonly Step[];
}

export interface ProposeOptions {
  /** Whether shortened pieces name a handle. */
  readonly named: boolean;
  readonly tokens?: KnownTokens | undefined;
}

const NO_MESSAGE: Message = { role: "user", content: [] };

/**
 * Holds everything about a conversation: its append-only log with an index, the edits, pins, handles and decided calls, and the current
 * view, arranged once for each change. It does not know who speaks next, or where it is stored: its owner does.
 * A method that throws has changed nothing.
 */
export class Conversation {
  readonly id: string;
  readonly seenFrom: number;
  /** The provider keeps what was sent before this position, so no policy changes it. */
  fixedUntil = 0;
  readonly #log: IndexedLog;
  readonly #edits: EditList;
  readonly #view: CurrentView;
  readonly #handles: Handles;
  readonly #steps: Step[];
  #pins: readonly Pin[];
  #target: Target;

  constructor(target: Target, state: ConversationState) {
    this.id = state.id;
    this.seenFrom = state.seenFrom;
    this.#target = target;
    this.#log = new IndexedLog(state.log);
    this.#edits = new EditList(state.edits);
    this.#view = new CurrentView(this.#log, this.#edits, { ...target, seenFrom: state.seenFrom });
    this.#handles = new Handles(state.id, state.edits);
    this.#pins = state.pins;
    this.#steps = [...state.steps];
    // Edits that do not fit the log are refused now, not when the first request is due.
    if (state.edits.length > 0) this.arrange();
  }

  /** Grows in place: copy it to keep it. */
  get log(): readonly Message[] {
    return this.#log.messages;
  }

  get index(): LogIndex {
    return this.#log.index;
  }

  get length(): number {
    return this.#log.length;
  }

  get target(): Target {
    return this.#target;
  }

  set target(target: Target) {
    if (isSameTarget(target, this.#target)) return;
    this.#target = target;
    this.#view.target = { ...target, seenFrom: this.seenFrom };
  }

  /** All edits, including undone ones. */
  get edits(): readonly Edit[] {
    return this.#edits.all;
  }

  /** The edits that are not undone. */
  get inForce(): readonly Edit[] {
    return this.#edits.inForce;
  }

  editOf(id: string): Edit | undefined {
    return this.#edits.get(id);
  }

  get pins(): readonly Pin[] {
    return this.#pins;
  }

  /** The pinned positions, each with its pin. */
  get pinned(): ReadonlyMap<number, Pin> {
    return positionsPinned(this.#pins, this.index);
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  /** All checkpoints issued here, including those inside summaries. */
  get checkpoints(): readonly PlacedCheckpoint[] {
    return this.#log.checkpoints;
  }

  /** The input of passes. */
  get parsed(): TargetedLog {
    return { log: this.log, index: this.index, target: this.#target };
  }

  /** The input of policies. */
  get situation(): Situation {
    const kept = (): Kept => this.#leftAlone();
    const arranged = (): View => this.arrange();
    const { pinned } = this;
    return {
      ...this.parsed,
      inForce: this.inForce,
      pinned: new Set(pinned.keys()),
      fixedUntil: this.fixedUntil,
      get keptWhole() {
        return kept().shown;
      },
      get shownPositions() {
        return arranged().positions;
      },
    };
  }

  append(message: Message): number {
    checkMessage(message, `messages.${this.length}`);
    return this.#log.push(message);
  }

  /** Adds blocks to the last message: results of one round that come one by one. */
  extendLast(blocks: readonly Block[]): Message {
    this.#view.forget();
    return this.#log.extendLast(blocks);
  }

  /** Records a call of the model that was decided. */
  record(step: Step): void {
    this.#steps.push(step);
  }

  /** Returns a checkpoint for the next message, with an id that no other of this conversation has. */
  newCheckpoint(): CheckpointBlock {
    return createCheckpointContent(derivedCheckpointId(this.id, this.length, new Set(this.checkpoints.map(({ id }) => id))));
  }

  /** Returns the checkpoints in the view, and the ids of the rest. */
  usableCheckpoints(): { usable: readonly PlacedCheckpoint[]; hidden: ReadonlySet<string> } {
    const shown = new Set(this.arrange().messages.flatMap((message) => blocksOf(message).flatMap((block) => (isCheckpoint(block) ? [block.id] : []))));
    const usable = this.checkpoints.filter(({ id }) => shown.has(id));
    return { usable, hidden: new Set(this.checkpoints.flatMap(({ id }) => (shown.has(id) ? [] : [id]))) };
  }

  /** Returns the proposals that are compatible with the edits in force, with handles if they are to be named here. */
  settle(proposals: readonly Proposal[], named: boolean): Proposal[] {
    if (proposals.length === 0) return [];
    const name = (proposal: Proposal): Proposal => this.#handles[named ? "name" : "renamed"](proposal, this.log, this.index);
    // Named first: the note counts towards the size of a cut result, which must not be longer than the original.
    const shown = proposals.map((proposal) => (proposal.kind === "replace-range" ? proposal : name(proposal)));
    return settleProposals(this.log, shown, this.inForce, this.#leftAlone()).map((proposal) => (proposal.kind === "replace-range" ? name(proposal) : proposal));
  }

  /** Commits a policy's proposals as far as they are allowed. */
  propose(proposals: readonly Proposal[], { named, tokens }: ProposeOptions): Edit[] {
    const settled = this.settle(proposals, named);
    try {
      return this.commit(settled, { tokens, check: ({ messages }) => refuseLostLoopStart(this.parsed, messages) });
    } catch (error) {
      // Passes hold back where a loop is open in the log. A loop whose answer was removed is open only in the view, which shows only here.
      if (isLoopOpen(error)) return [];
      throw error;
    }
  }

  /** Makes all of the edits, or throws and makes none. `check` sees the resulting view, and may throw. */
  commit(proposals: readonly Proposal[], { tokens, check }: { readonly tokens?: KnownTokens | undefined; readonly check?: (view: View) => void } = {}): Edit[] {
    const made = makeEdits(this.log, proposals, tokens).filter(({ id }) => !this.#edits.isInForce(id));
    if (made.length === 0) return [];
    if (this.#pins.length > 0) {
      const { pinned } = this;
      for (const edit of made) {
        const position = positionTaken(edit, pinned.keys());
        const pin = position === undefined ? undefined : pinned.get(position);
        if (position !== undefined && pin !== undefined) throw pinnedError(pin, position);
      }
    }
    const view = this.#view.with(made);
    check?.(view);
    for (const edit of made) this.#edits.put(edit);
    this.#view.accept(view);
    this.#handles.add(made);
    return made;
  }

  /** Throws if these edits, as the complete list, do not fit the log. */
  refuseUnfit(edits: readonly Edit[]): void {
    arrange(this.log, this.index, edits, this.#view.target);
  }

  /** Records an edit that was made elsewhere. It is a fact: the next view throws if it does not fit. */
  accept(edit: Edit): void {
    this.#edits.putLast(edit);
    this.#handles.add([edit]);
    this.#view.forget();
  }

  /** Records that an edit was undone elsewhere. */
  acceptUndo(id: string, undoneAt: number): void {
    const edit = this.#edits.get(id);
    if (edit === undefined) return;
    this.#edits.put({ ...edit, undoneAt });
    this.#view.forget();
  }

  undo(id: string): Edit {
    const edit = this.#edits.isInForce(id) ? this.#edits.get(id) : undefined;
    if (edit?.pass === STALE_PASS) throw invalid("INVALID_INPUT", "id", "an edit that can be undone: providers no longer accept what this one hides", id);
    if (edit === undefined) throw invalid("INVALID_INPUT", "id", "the id of an edit that is in force", id);
    const undone: Edit = { ...edit, undoneAt: this.length };
    // Thinking produced since is bound to what the edit shows, and an open loop may need that thinking.
    const answered = withAnswers(this.parsed);
    const edits = this.edits.map((candidate) => (candidate === edit ? undone : candidate));
    refuseLostLoopStart(answered, arrange(answered.log, answered.index, edits, this.#view.target).messages);
    this.#edits.put(undone);
    this.#view.forget();
    return undone;
  }

  /**
   * In a log with repeating ids, a result may turn out to answer a much earlier provider-run call, which was still open after a digest
   * (`LOOP_OPEN`). Then the digests are undone, which costs only tokens.
   */
  mend(): void {
    if (!this.inForce.some(isSpanEdit)) return;
    try {
      this.arrange();
    } catch (error) {
      if (!isLoopOpen(error)) throw error;
      this.undoRanges();
    }
  }

  /** Undoes all ranges in force. */
  undoRanges(): void {
    for (const edit of this.inForce) if (edit.kind === "replace-range") this.#edits.put({ ...edit, undoneAt: this.length });
    this.#view.forget();
  }

  pin(position: number, reason: string): Pin {
    if (!Number.isInteger(position) || position < 0 || position >= this.length)
      throw invalid("INVALID_INPUT", "position", `a position of the log, 0 to ${this.length - 1}`, position);
    const known = this.#pins.find((pin) => pin.position === position);
    if (known !== undefined) return known;
    // An edit before thinking may hide it, so a message of thinking alone cannot be pinned.
    const isLasting = blocksOf(this.log[position] ?? NO_MESSAGE).some((block) => !isThinking(block));
    if (!isLasting || !this.arrange().positions.includes(position)) throw invalid("INVALID_INPUT", "position", "a message that is shown", position);
    const pin = { id: `pin-${position}`, position, reason };
    this.#pins = [...this.#pins, pin];
    return pin;
  }

  unpin(id: string): void {
    if (!this.#pins.some((pin) => pin.id === id)) throw invalid("INVALID_INPUT", "id", "the id of a pin", id);
    this.#pins = this.#pins.filter((pin) => pin.id !== id);
  }

  /** Returns the original of something that was shortened, or part of it. */
  recall(input: unknown, path?: string): Recalled {
    return recallFrom(this.log, this.index, this.#handles, parseRecallInput(input, path));
  }

  /** All handles that `recall` takes. */
  get handles(): string[] {
    return this.#handles.names;
  }

  /** Returns the view in the log's form: checkpoints and reminders are blocks of their own. */
  arrange(): View {
    return this.#view.arrange();
  }

  /** Returns the messages to send, in the provider's form. Checks the pins in every view. */
  view(): ShownView {
    const view = this.arrange();
    if (this.#pins.length > 0) {
      const shown = new Set(view.positions);
      const missing = this.#pins.find((pin) => !shown.has(pin.position));
      if (missing !== undefined) throw pinnedError(missing, missing.position);
    }
    return { messages: this.#view.shown(), positions: view.positions };
  }

  /** Returns what became of every message, by which edit, and the tokens before and after. Measures every message. */
  explain(): ViewReport {
    return report(this.log, this.edits, this.#view.target);
  }

  toJSON(): ConversationState {
    return { id: this.id, log: [...this.log], edits: this.edits, pins: this.#pins, seenFrom: this.seenFrom, steps: [...this.#steps] };
  }

  /** Returns the conversation as it was when the log had this length, without later messages and edits. */
  stateAt(length: number, id: string = this.id): ConversationState {
    const edits = this.edits
      .filter((edit) => edit.madeAt <= length)
      .map((edit) => {
        const { undoneAt, ...rest } = edit;
        return undoneAt !== undefined && undoneAt > length ? rest : edit;
      });
    const steps = this.#steps.filter(({ upTo }) => upTo <= length);
    const then = { id, log: this.log.slice(0, length), edits, pins: [], seenFrom: Math.min(this.seenFrom, length), steps };
    if (this.#pins.length === 0) return then;
    // A message that is pinned now may have been hidden then.
    const shown = new Set(new Conversation(this.#target, then).arrange().positions);
    return { ...then, pins: this.#pins.filter(({ position }) => shown.has(position)) };
  }

  #leftAlone(): Kept {
    const { inForce, undone } = this.#edits;
    const last = inForce.some(isSpanEdit) ? lastShown(this.arrange()) : this.length - 1;
    return keptBy({ ...this.parsed, pins: this.#pins, undone, last, fixedUntil: this.fixedUntil });
  }
}

function isSameTarget(a: Target, b: Target): boolean {
  return (Object.keys(a) as (keyof Target)[]).every((key) => a[key] === b[key]);
}
