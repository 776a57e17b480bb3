import { BranchTaken, ConversationWriter } from "../../history/conversation-writer.ts";
import type { Codec } from "../../formats/codec.ts";
import type { Note } from "../../store/store.ts";
import { redactedJson } from "./redaction.ts";
import { chainKey, numbered, type AlignedNote, type LoadedSession, type Place, type SessionArchive, type SessionNote } from "./session-archive.ts";
import { KEPT_ANSWER, keptAnswerKey } from "./kept-answer.ts";
import type { Session } from "./session.ts";

/** Where a branch leaves another one: after `length` messages of the log, which are `aligned` of the client's messages. */
export interface Fork {
  readonly parent: SessionKeeper;
  readonly length: number;
  readonly aligned: number;
}

function branchName(attempt: number): string {
  return attempt === 1 ? "main" : `b${attempt}`;
}

/** Writes a conversation to a store, before a request goes out and before its answer ends. */
export class SessionKeeper {
  readonly #archive: SessionArchive;
  readonly #session: Session;
  readonly #codec: Codec<object, object>;
  #branch: string;
  #writer: ConversationWriter;
  /** How many of the client's messages, and of the log, are written or planned. */
  #aligned: number;
  #positions: number;
  /** Answers before this one have keys in the conversation that they were given in. */
  readonly #said: number;
  /** How many of the answers that the provider keeps are written or planned. */
  #kept = 0;
  /** How many heads of requests are written or planned. */
  #heads: number;
  /** The last note of the session. */
  #sessionNote = "";
  /** The conversation that this one left, and where. Undefined: it left none, or the shared part is stored by now. */
  #fork: Fork | undefined;
  /** The number of its branch: the first that is not taken. */
  #attempt: number;
  /** The branch is in the store, with what was planned first. */
  #isOwn: boolean;

  constructor(
    archive: SessionArchive,
    session: Session,
    codec: Codec<object, object>,
    from: { readonly loaded?: LoadedSession; readonly fork?: Fork | undefined } = {},
  ) {
    const { loaded, fork } = from;
    this.#archive = archive;
    this.#session = session;
    this.#codec = codec;
    this.#attempt = fork === undefined ? 1 : 2;
    this.#fork = fork;
    this.#branch = loaded?.place.branch ?? branchName(this.#attempt);
    this.#writer = loaded?.writer ?? this.#begun();
    this.#aligned = loaded?.aligned.length ?? 0;
    this.#said = loaded?.aligned.length ?? fork?.aligned ?? 0;
    this.#positions = loaded?.log.length ?? fork?.length ?? 0;
    this.#heads = session.heads.stored;
    this.#isOwn = loaded !== undefined;
  }

  /** Returns a writer for what comes after the first `length` messages of the log. */
  writerAt(length: number, branch: string): ConversationWriter {
    return this.#writer.forkAt(length, branch);
  }

  get place(): Place {
    return { thread: this.#session.conversation.id, branch: this.#branch };
  }

  /** Whether something new or planned is not in the store yet. */
  get isBehind(): boolean {
    return (
      this.#writer.isBehind ||
      this.#aligned < this.#session.length ||
      this.#kept < this.#session.kept.length ||
      this.#heads < this.#session.heads.length ||
      this.#positions < this.#session.conversation.length
    );
  }

  /** Whether the store lacks something that no later request of the client brings again: an edit, a pin, a hidden round, or how it began. */
  get lacksDecisions(): boolean {
    const session = this.#session;
    const { conversation } = session;
    return (
      this.#writer.isBehind ||
      this.#writer.edits !== conversation.edits ||
      conversation.length > session.endOf(session.length - 1) ||
      JSON.stringify(this.#sessionNow()) !== this.#sessionNote
    );
  }

  /** Writes what is new. If it rejects, the changes are kept and written the next time. */
  async save(): Promise<void> {
    this.#plan();
    for (;;) {
      const writer = this.#writer;
      const heads = this.#heads;
      try {
        await writer.flush();
        if (writer !== this.#writer) return;
        this.#fork = undefined;
        this.#isOwn = true;
        this.#session.heads.store(heads);
        return;
      } catch (error) {
        if (!(error instanceof BranchTaken)) throw error;
        // Another process continued it at the same moment. That one keeps the branch; this one writes everything to a new branch.
        const attempt = await this.#nextFree();
        // A concurrent `save` may have changed the branch meanwhile.
        if (writer !== this.#writer) continue;
        this.#leave(attempt);
        this.#plan();
      }
    }
  }

  /** Returns its final place: a planned branch may turn out to be taken. If it cannot be written, it moves away from branches that others have written. */
  async settle(): Promise<Place> {
    try {
      if (this.isBehind) await this.save();
    } catch {
      const branches = this.#isOwn ? [] : await this.#archive.store.branches(this.place.thread);
      if (branches.some(({ name }) => name === this.#branch)) this.#leave(await this.#nextFree());
    }
    return this.place;
  }

  /** Asks for all branches at once: many conversations may begin alike, and trying one branch after the other would take longer with each. */
  async #nextFree(): Promise<number> {
    const taken = new Set((await this.#archive.store.branches(this.place.thread)).map(({ name }) => name));
    let attempt = this.#attempt + 1;
    while (taken.has(branchName(attempt))) attempt++;
    return attempt;
  }

  #leave(attempt: number): void {
    this.#attempt = attempt;
    this.#branch = branchName(this.#attempt);
    this.#writer = this.#begun();
    this.#aligned = 0;
    this.#positions = this.#fork?.length ?? 0;
    this.#kept = 0;
    this.#sessionNote = "";
    this.#heads = this.#session.heads.stored;
    this.#isOwn = false;
  }

  #begun(): ConversationWriter {
    return this.#fork === undefined ? ConversationWriter.begin(this.#archive.store, this.place) : this.#fork.parent.writerAt(this.#fork.length, this.#branch);
  }

  #plan(): void {
    const { conversation } = this.#session;
    const notes = this.#notes();
    this.#writer.redact = this.#archive.redact;
    this.#writer.write(conversation, { notes });
    this.#aligned = this.#session.length;
    this.#positions = conversation.length;
    this.#kept = this.#session.kept.length;
    this.#heads = this.#session.heads.length;
  }

  #notes(): Note[] {
    const session = this.#session;
    const { conversation, origin } = session;
    const { thread, branch } = this.place;
    const at = Date.now();
    const notes: Note[] = [];
    const { redact } = this.#archive;
    const put = (kind: string, key: string, value: string): void => void notes.push({ thread, kind, key, at, value });
    const sessionNote = JSON.stringify(this.#sessionNow());
    if (sessionNote !== this.#sessionNote) {
      put("session", branch, sessionNote);
      this.#sessionNote = sessionNote;
    }
    if (this.#positions < conversation.length || this.#aligned < session.length) {
      put("aligned", numbered(branch, this.#aligned), redactedJson(this.#alignedNow(), redact));
    }
    // A client may continue from any of its messages, not only from the end of a call.
    const added = session.aligned.slice(Math.max(this.#said, this.#aligned));
    for (const { chain } of added) put("chain", chainKey(origin.owner, origin.format, chain), branch);
    for (const { said = [] } of added) for (const key of said) put("said", key, branch);
    for (const answer of session.kept.slice(this.#kept)) put(KEPT_ANSWER, keptAnswerKey(origin.owner, answer.id), JSON.stringify({ ...answer, branch }));
    for (let position = this.#positions; position < conversation.length; position++) {
      const message = conversation.log[position];
      if (message?.role !== "assistant") continue;
      if (origin.format !== "anthropic") put("raw", numbered(branch, position), redactedJson(this.#codec.encode([message]), redact));
    }
    for (const head of session.heads.after(this.#heads)) put(head.kind, head.key, head.value);
    return notes;
  }

  #sessionNow(): SessionNote {
    const { origin, conversation, policyName } = this.#session;
    return { version: 1, ...origin, seenFrom: conversation.seenFrom, ...(policyName === undefined ? {} : { policy: policyName }), pins: conversation.pins };
  }

  #alignedNow(): AlignedNote {
    const { aligned, conversation, lastFull } = this.#session;
    const entries = aligned.slice(this.#aligned).map(({ key, end, held }) => ({ key, end, ...(held.length === 0 ? {} : { held }) }));
    const step = conversation.steps.at(-1);
    return { from: this.#aligned, entries, ...(step === undefined ? {} : { step }), ...(lastFull === undefined ? {} : { lastFull }) };
  }
}
