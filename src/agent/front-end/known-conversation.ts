import type { Edit } from "../../edits/edit.ts";
import type { ViewReport } from "../../edits/report.ts";
import type { Pin } from "../../conversation/pin.ts";
import type { RecallInput } from "../../conversation/tools/recall-tool.ts";
import type { Recalled } from "../../conversation/recall.ts";
import { inWords, type Decision } from "../../policy/decision.ts";
import { NO_TOTALS } from "../calls/call-draft.ts";
import type { CallTotals } from "../calls/call-record.ts";
import { titleOf } from "../calls/conversation-about.ts";
import type { FrontEndCore } from "./front-end-core.ts";
import { sizeOfAll } from "./message-size.ts";
import type { Session } from "./session.ts";

/** What happened to every message, and why the last call was sent as it was. */
export interface Explained extends ViewReport {
  readonly decision?: Decision & { readonly words: string };
}

/** A conversation of a wrapped client. Changes take effect with its next call. */
export class KnownConversation {
  readonly #core: FrontEndCore;
  readonly #session: Session;

  constructor(core: FrontEndCore, session: Session) {
    this.#core = core;
    this.#session = session;
  }

  /** The id of its thread in the store, with the branch's name for a branch. */
  get id(): string {
    const { thread, branch } = this.#core.sessions.placeOf(this.#session);
    return branch === "main" ? thread : `${thread}/${branch}`;
  }

  /** The first words of the user's first message. */
  get title(): string {
    return titleOf(this.#session.conversation.log);
  }

  /** The length of its log. */
  get messages(): number {
    return this.#session.conversation.length;
  }

  /** Estimated tokens of its view. */
  get tokens(): number {
    return sizeOfAll(this.#session.conversation.view().messages);
  }

  /** When it was last used, in milliseconds since 1970; 0: its first call is in progress. */
  get lastUsedMs(): number {
    return this.#core.aboutOf(this.#session)?.lastMs ?? 0;
  }

  edits(): readonly Edit[] {
    return this.#session.conversation.edits;
  }

  explain(): Explained {
    const { decision } = this.#session;
    return { ...this.#session.conversation.explain(), ...(decision === undefined ? {} : { decision: { ...decision, words: inWords(decision) } }) };
  }

  /** Throws `INVALID_INPUT` if no such edit is in force. */
  undo(editId: string): Edit {
    const undone = this.#session.conversation.undo(editId);
    this.#changed();
    return undone;
  }

  pin(position: number, reason = "pinned by the caller"): Pin {
    const pin = this.#session.conversation.pin(position, reason);
    this.#changed();
    return pin;
  }

  unpin(pinId: string): void {
    this.#session.conversation.unpin(pinId);
    this.#changed();
  }

  recall(input: RecallInput | string): Recalled {
    return this.#session.conversation.recall(typeof input === "string" ? { handle: input } : input);
  }

  /** Totals of all its calls that are over. */
  metrics(): CallTotals {
    return this.#core.aboutOf(this.#session)?.total ?? NO_TOTALS;
  }

  /** Removes it from memory, but not from a store. Its next request counts as that of an unknown conversation. */
  forget(): void {
    this.#core.sessions.forget(this.#session);
  }

  #changed(): void {
    const keeper = this.#core.sessions.keeperOf(this.#session);
    if (keeper !== undefined) void this.#core.saving.save(keeper);
  }
}
