import type { Codec } from "../../formats/codec.ts";
import type { Target } from "../../messages/target.ts";
import { KEPT_ANSWER, keptAnswerKey, type KeptAnswer } from "./kept-answer.ts";
import type { ReadStore } from "./saving.ts";
import type { Session } from "./session.ts";
import type { SessionFinder } from "./session-finder.ts";
import type { Sessions } from "./sessions.ts";

/** The conversation and answer that a request continues. */
export interface GoneOn {
  readonly session: Session;
  readonly from: KeptAnswer;
}

/** How many ids are remembered. Older ones are looked up in the store. */
const MOST_KEPT = 50_000;

/** Finds conversations by an answer that the provider keeps, for clients that continue from its id and do not send the history again. */
export class KeptAnswers {
  readonly #sessions: Sessions;
  readonly #finder: SessionFinder;
  readonly #reading: ReadStore;
  readonly #onError: (error: unknown) => void;
  /** Weak, so that a forgotten conversation can be freed. */
  readonly #known = new Map<string, { readonly session: WeakRef<Session>; readonly from: KeptAnswer }>();

  constructor(sessions: Sessions, finder: SessionFinder, reading: ReadStore, onError: (error: unknown) => void) {
    this.#sessions = sessions;
    this.#finder = finder;
    this.#reading = reading;
    this.#onError = onError;
  }

  /** Remembers an answer by the ids of its rounds. */
  note(session: Session, ids: readonly string[], upTo: number): void {
    const lastId = ids.at(-1);
    if (lastId === undefined) return;
    for (const id of ids) {
      const from: KeptAnswer = { id, lastId, length: session.length, upTo };
      session.kept.push(from);
      this.#remember(keptAnswerKey(session.origin.owner, id), session, from);
    }
  }

  /** Returns the conversation of this answer. Undefined: unknown. It no longer has `compact`, which would change what the provider keeps. */
  async goOnFrom(id: string, owner: string, codec: Codec<object, object>, target: Target): Promise<GoneOn | undefined> {
    const found = this.#inMemory(keptAnswerKey(owner, id)) ?? (await this.#inStore(keptAnswerKey(owner, id), codec, target));
    if (found === undefined || found.session.origin.format !== codec.name) return undefined;
    const session = this.#finder.goOnFrom(found.session, found.from.length, { ...found.session.tools, compact: false }, codec);
    return { session, from: found.from };
  }

  #inMemory(key: string): GoneOn | undefined {
    const known = this.#known.get(key);
    const session = known?.session.deref();
    return known === undefined || session === undefined || !this.#sessions.has(session) ? undefined : { session, from: known.from };
  }

  async #inStore(key: string, codec: Codec<object, object>, target: Target): Promise<GoneOn | undefined> {
    try {
      const found = await this.#reading(async (archive) => {
        const note = (await archive.store.notes({ kind: KEPT_ANSWER, keys: [key] })).at(-1);
        if (note === undefined) return undefined;
        const { branch, ...answer } = JSON.parse(note.value) as KeptAnswer & { readonly branch: string };
        return { archive, from: answer, loaded: await archive.load({ thread: note.thread, branch }) };
      });
      if (found?.loaded === undefined) return undefined;
      const { archive, from, loaded } = found;
      const session = this.#finder.restore(archive, loaded, codec, target);
      // If its last write was lost, the provider has more than the store.
      return session.length < from.length || session.conversation.length < from.upTo ? undefined : { session, from };
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }

  #remember(key: string, session: Session, from: KeptAnswer): void {
    this.#known.delete(key);
    this.#known.set(key, { session: new WeakRef(session), from });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KEPT) break;
      this.#known.delete(oldest);
    }
  }
}
