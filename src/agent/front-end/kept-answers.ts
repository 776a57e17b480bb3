import type { Codec } from "../../formats/codec.ts";
import type { Target } from "../../messages/target.ts";
import { KEPT_ANSWER, keptAnswerKey, type KeptAnswer } from "./kept-answer.ts";
import type { ReadStore } from "./saving.ts";
import type { Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** Where a request goes on from. */
export interface GoneOn {
  readonly session: Session;
  readonly from: KeptAnswer;
}

/** Ids that are remembered. Who goes on from an older one finds it in the store. */
const MOST_KEPT = 50_000;

/** Conversations by the answers that a client may go on from, where it does not send again what the provider keeps. */
export class KeptAnswers {
  readonly #sessions: Sessions;
  readonly #reading: ReadStore;
  readonly #onError: (error: unknown) => void;
  /** Weak: a conversation that is forgotten is not held here. */
  readonly #known = new Map<string, { readonly session: WeakRef<Session>; readonly from: KeptAnswer }>();

  constructor(sessions: Sessions, reading: ReadStore, onError: (error: unknown) => void) {
    this.#sessions = sessions;
    this.#reading = reading;
    this.#onError = onError;
  }

  /** Takes note of an answer whose rounds had these ids. */
  note(session: Session, ids: readonly string[], upTo: number): void {
    const lastId = ids.at(-1);
    if (lastId === undefined) return;
    for (const id of ids) {
      const from: KeptAnswer = { id, lastId, length: session.length, upTo };
      session.kept.push(from);
      this.#remember(keptAnswerKey(session.origin.owner, id), session, from);
    }
  }

  /** The conversation that goes on from this answer. Undefined: nobody here knows it. `compact` would change what the provider keeps, so it has it no more. */
  async goOnFrom(id: string, owner: string, codec: Codec<object, object>, target: Target): Promise<GoneOn | undefined> {
    const found = this.#inMemory(keptAnswerKey(owner, id)) ?? (await this.#inStore(keptAnswerKey(owner, id), codec, target));
    if (found === undefined || found.session.origin.format !== codec.name) return undefined;
    const session = this.#sessions.goOnFrom(found.session, found.from.length, { ...found.session.tools, compact: false }, codec);
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
      const session = this.#sessions.restore(archive, loaded, codec, target);
      // What was written last of it may be lost: then the provider has more than the store.
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
