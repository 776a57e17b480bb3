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
import type { OneCall } from "../stateless/render-once.ts";
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

/** A view, and where each of its messages comes from. */
export interface ShownView {
  readonly messages: readonly Message[];
  /** Per message of the view: its position in the log. */
  readonly positions: readonly number[];
}

/** A conversation as plain values. */
export interface ConversationState {
  readonly id: string;
  readonly log: readonly Message[];
  readonly edits: readonly Edit[];
  readonly pins: readonly Pin[];
  /** The length of the log from which our views were what the model saw. */
  readonly seenFrom: number;
  /** The calls of the model that a policy has decided, the last one last. */
  readonly steps: readonly Step[];
}

export interface ProposeOptions {
  /** What is shortened names a handle. */
  readonly named: boolean;
  readonly tokens?: KnownTokens | undefined;
}

const NO_MESSAGE: Message = { role: "user", content: [] };

/**
 * The one holder of a conversation: its log, which only grows, with its index; the edits over it, pins, handles, and the calls that were decided; and the
 * view of all that, arranged once for each change. It knows nothing of who speaks next, nor of where it is kept: that is the business of what has one.
 * A method that throws has changed nothing.
 */
export class Conversation {
  readonly id: string;
  readonly seenFrom: number;
  /** What comes before this position the provider keeps, as it was sent: no policy changes it. */
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

  /** It grows: whoever keeps it for longer takes a copy. */
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

  /** All that were made, those that were undone too. */
  get edits(): readonly Edit[] {
    return this.#edits.all;
  }

  /** The edits that show. */
  get inForce(): readonly Edit[] {
    return this.#edits.inForce;
  }

  editOf(id: string): Edit | undefined {
    return this.#edits.get(id);
  }

  get pins(): readonly Pin[] {
    return this.#pins;
  }

  /** The positions that pins hold, each with its pin. */
  get pinned(): ReadonlyMap<number, Pin> {
    return positionsPinned(this.#pins, this.index);
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  /** All checkpoints that were issued here, those inside summaries too. */
  get checkpoints(): readonly PlacedCheckpoint[] {
    return this.#log.checkpoints;
  }

  /** What passes are told. */
  get parsed(): OneCall {
    return { log: this.log, index: this.index, target: this.#target };
  }

  /** What policies are told. */
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

  /** A call of the model was decided. */
  record(step: Step): void {
    this.#steps.push(step);
  }

  /** Returns a checkpoint for the next message, with an id that no other of this conversation has. */
  newCheckpoint(): CheckpointBlock {
    return createCheckpointContent(derivedCheckpointId(this.id, this.length, new Set(this.checkpoints.map(({ id }) => id))));
  }

  /** The checkpoints that are shown, and the ids of the rest. */
  usableCheckpoints(): { usable: readonly PlacedCheckpoint[]; hidden: ReadonlySet<string> } {
    const shown = new Set(this.arrange().messages.flatMap((message) => blocksOf(message).flatMap((block) => (isCheckpoint(block) ? [block.id] : []))));
    const usable = this.checkpoints.filter(({ id }) => shown.has(id));
    return { usable, hidden: new Set(this.checkpoints.flatMap(({ id }) => (shown.has(id) ? [] : [id]))) };
  }

  /** What of these may be done beside what is in force, each with its handle if it is to be named here. */
  settle(proposals: readonly Proposal[], named: boolean): Proposal[] {
    if (proposals.length === 0) return [];
    const name = (proposal: Proposal): Proposal => this.#handles[named ? "name" : "renamed"](proposal, this.log, this.index);
    // Named first: the note counts, where a cut must not make a result longer.
    const shown = proposals.map((proposal) => (proposal.kind === "replace-range" ? proposal : name(proposal)));
    return settleProposals(this.log, shown, this.inForce, this.#leftAlone()).map((proposal) => (proposal.kind === "replace-range" ? name(proposal) : proposal));
  }

  /** What a policy proposes, as far as it may be done: made, and in force from now on. */
  propose(proposals: readonly Proposal[], { named, tokens }: ProposeOptions): Edit[] {
    const settled = this.settle(proposals, named);
    try {
      return this.commit(settled, { tokens, check: ({ messages }) => refuseLostLoopStart(this.parsed, messages) });
    } catch (error) {
      // A pass holds back where a loop is open in the log; that one is open in the view only, its answer gone, is seen no earlier than here.
      if (isLoopOpen(error)) return [];
      throw error;
    }
  }

  /** All of it, or an error and nothing. `check` sees the view that would be, and may throw. */
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

  /** Refuses these edits, all that there would be, where they do not fit the log. */
  refuseUnfit(edits: readonly Edit[]): void {
    arrange(this.log, this.index, edits, this.#view.target);
  }

  /** Takes note of an edit that was made elsewhere. It is a fact: whether it fits is seen in the next view. */
  accept(edit: Edit): void {
    this.#edits.putLast(edit);
    this.#handles.add([edit]);
    this.#view.forget();
  }

  /** Takes note that an edit was undone elsewhere. */
  acceptUndo(id: string, undoneAt: number): void {
    const edit = this.#edits.get(id);
    if (edit === undefined) return;
    this.#edits.put({ ...edit, undoneAt });
    this.#view.forget();
  }

  undo(id: string): Edit {
    const edit = this.#edits.isInForce(id) ? this.#edits.get(id) : undefined;
    if (edit?.pass === STALE_PASS) throw invalid("INVALID_INPUT", "id", "an edit that can be undone: what this one hides, no provider accepts any more", id);
    if (edit === undefined) throw invalid("INVALID_INPUT", "id", "the id of an edit that is in force", id);
    const undone: Edit = { ...edit, undoneAt: this.length };
    // Thinking that was produced since is bound to what the edit shows, and an open loop may not be able to do without it.
    const answered = withAnswers(this.parsed);
    const edits = this.edits.map((candidate) => (candidate === edit ? undone : candidate));
    refuseLostLoopStart(answered, arrange(answered.log, answered.index, edits, this.#view.target).messages);
    this.#edits.put(undone);
    this.#view.forget();
    return undone;
  }

  /**
   * In a log where ids repeat, a result may turn out to answer a provider-run call from long ago, which has then waited after a digest
   * (`LOOP_OPEN`). The digests are taken back then: nothing is lost by it but tokens.
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

  /** Takes all ranges back that show. */
  undoRanges(): void {
    for (const edit of this.inForce) if (edit.kind === "replace-range") this.#edits.put({ ...edit, undoneAt: this.length });
    this.#view.forget();
  }

  pin(position: number, reason: string): Pin {
    if (!Number.isInteger(position) || position < 0 || position >= this.length)
      throw invalid("INVALID_INPUT", "position", `a position of the log, 0 to ${this.length - 1}`, position);
    const known = this.#pins.find((pin) => pin.position === position);
    if (known !== undefined) return known;
    // Thinking may have to go with an edit before it: alone it cannot be promised.
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

  /** The original of something that was shortened, or a part of it. */
  recall(input: unknown, path?: string): Recalled {
    return recallFrom(this.log, this.index, this.#handles, parseRecallInput(input, path));
  }

  /** All that `recall` takes. */
  get handles(): string[] {
    return this.#handles.names;
  }

  /** The view as the log has it: with checkpoints and reminders as blocks of their own. */
  arrange(): View {
    return this.#view.arrange();
  }

  /** The messages to send, as a provider takes them. Pins are checked here, in every view. */
  view(): ShownView {
    const view = this.arrange();
    if (this.#pins.length > 0) {
      const shown = new Set(view.positions);
      const missing = this.#pins.find((pin) => !shown.has(pin.position));
      if (missing !== undefined) throw pinnedError(missing, missing.position);
    }
    return { messages: this.#view.shown(), positions: view.positions };
  }

  /** Where every message went, by which edit, and the tokens before and after. It measures every message. */
  explain(): ViewReport {
    return report(this.log, this.edits, this.#view.target);
  }

  toJSON(): ConversationState {
    return { id: this.id, log: [...this.log], edits: this.edits, pins: this.#pins, seenFrom: this.seenFrom, steps: [...this.#steps] };
  }

  /** The conversation as it was when the log had this length: what came later, edits included, never was. */
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
    // What is pinned now may have been hidden then.
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
