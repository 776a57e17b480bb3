import type { Codec } from "../../formats/codec.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import type { Block } from "../../messages/message.ts";
import type { ConversationHints } from "../calls/call-context.ts";
import type { HiddenTools } from "../thread/hidden-calls.ts";
import type { ClientMessages } from "./client-messages.ts";
import type { Place, SessionArchive } from "./session-archive.ts";
import { SessionKeeper, type Fork } from "./session-keeper.ts";
import type { Session, SessionOrigin } from "./session.ts";

/** The conversations in memory, and how they are related. */
export class Sessions {
  readonly #maxBytes: number;
  /** Each with the key of its beginning. Most recently used last. */
  readonly #known = new Map<Session, string>();
  /** By owner, format, client's name and first message. */
  readonly #beginnings = new Map<string, Set<Session>>();
  readonly #keepers = new WeakMap<Session, SessionKeeper>();
  readonly #codecs = new WeakMap<Session, Codec<object, object>>();
  /** Sessions that will be stored as a branch of another one. */
  readonly #forks = new WeakMap<Session, Fork>();
  /** Branch names of sessions that are not in a store. */
  readonly #branches = new WeakMap<Session, string>();

  constructor(maxMemoryMb: number) {
    this.#maxBytes = maxMemoryMb * 1024 * 1024;
  }

  get all(): readonly Session[] {
    return [...this.#known.keys()];
  }

  has(session: Session): boolean {
    return this.#known.has(session);
  }

  /** Adds a session, or marks it as the most recently used. */
  add(session: Session, beginning: string, codec: Codec<object, object>): void {
    this.#codecs.set(session, codec);
    if (!this.#branches.has(session)) this.#branches.set(session, this.#freeBranch(session));
    this.#known.delete(session);
    this.#known.set(session, beginning);
    this.#beginnings.set(beginning, (this.#beginnings.get(beginning) ?? new Set()).add(session));
  }

  /** Adds a session that was read from the store. A copy of the same branch in memory is older than the store's. */
  addStored(session: Session, keeper: SessionKeeper, beginning: string, codec: Codec<object, object>): void {
    for (const other of this.all) {
      const stored = this.#keepers.get(other);
      if (!other.isBusy && stored?.isBehind === false && stored.place.thread === keeper.place.thread && stored.place.branch === keeper.place.branch)
        this.forget(other);
    }
    this.#keepers.set(session, keeper);
    this.add(session, beginning, codec);
  }

  forget(session: Session): void {
    const beginning = this.#known.get(session);
    if (beginning === undefined) return;
    this.#known.delete(session);
    const alike = this.#beginnings.get(beginning);
    alike?.delete(session);
    if (alike?.size === 0) this.#beginnings.delete(beginning);
  }

  /**
   * Returns the session to continue from where this one had `length` of the client's messages: itself if it is free and ends there, or else a branch.
   * `client`: the messages that it continues with, if they are known.
   */
  continuing(session: Session, length: number, tools: HiddenTools, client?: ClientMessages): Session {
    if (length === session.length && !session.isBusy && tools.compact === session.tools.compact) return session;
    const fork = session.forkAt(length, { parent: this.linkTo(session, "branch"), tools, client });
    const parent = this.#keepers.get(session);
    if (parent !== undefined) this.#forks.set(fork, { parent, length: fork.conversation.length, aligned: length });
    return fork;
  }

  beginningOf(session: Session): string {
    return this.#known.get(session) ?? "";
  }

  /** Returns the session that shares the most first messages with the client's. */
  longestShared(beginning: string, client: ClientMessages, hints: ConversationHints): Found | undefined {
    let best: Found | undefined;
    for (const session of this.#beginnings.get(beginning) ?? []) {
      const shared = session.sharedWith(client);
      if (shared === 0) continue;
      const thinks = (): boolean => session.hasThinkingOf(client, shared);
      const found = { session, shared, thinks, isEnd: session.length === shared, isNamed: isSameHint(session.origin.hints, hints) };
      // Among equals, prefer the one with the client's thinking, then one that ends there, which needs no copy, and then the one that the client names.
      if (best === undefined || shared > best.shared || (shared === best.shared && rank(found) >= rank(best))) best = found;
    }
    return best;
  }

  /** Returns a conversation and its ancestors in memory, nearest first. */
  lineOf(session: Session): Session[] {
    const line = [session];
    for (let last: Session | undefined = session; last !== undefined;) {
      const { parent }: SessionOrigin = last.origin;
      last = this.all.find((other) => {
        const { thread, branch } = this.placeOf(other);
        return !line.includes(other) && parent?.thread === thread && parent.branch === branch;
      });
      if (last !== undefined) line.push(last);
    }
    return line;
  }

  /** Reads the branch late, because a conversation that is not stored yet may get another one. */
  linkTo(session: Session, kind: "sub-agent" | "branch"): NonNullable<SessionOrigin["parent"]> {
    const { thread, branch } = this.placeOf(session);
    const parent = new WeakRef(session);
    const branchNow = (): string => {
      const alive = parent.deref();
      return alive === undefined ? branch : this.placeOf(alive).branch;
    };
    return {
      thread,
      get branch() {
        return branchNow();
      },
      kind,
    };
  }

  /** Returns the session that started the sub-agent with these hints. */
  parentOf({ session: name, agent, parentSession }: ConversationHints, owner: string): Session | undefined {
    const wanted = parentSession ?? (agent === undefined ? undefined : name);
    if (wanted === undefined) return undefined;
    const isParent = ({ origin }: Session): boolean =>
      origin.owner === owner && ((origin.hints.session === wanted && origin.hints.agent === undefined) || origin.hints.agent === wanted);
    return this.all.findLast(isParent);
  }

  /** Returns the original of a handle from the parent of a sub-agent's session. */
  recallFromParent(session: Session, input: unknown): string | readonly Block[] | undefined {
    const parent = this.parentOf(session.origin.hints, session.origin.owner);
    if (parent === undefined || parent === session) return undefined;
    try {
      return parent.conversation.recall(input).content;
    } catch (error) {
      if (PalimpsestError.isInstance(error)) return undefined;
      throw error;
    }
  }

  /** Returns the conversation that a side call belongs to: the one that its copy was made from, or one with the same name. */
  namedLike(hints: ConversationHints, owner: string, copy: Session | undefined): Session | undefined {
    if (copy !== undefined) {
      const alike = this.all.findLast(({ conversation, origin }) => conversation.id === copy.conversation.id && origin.owner === owner);
      if (alike !== undefined) return alike;
    }
    const { thread, session, agent } = hints;
    if (thread === undefined && session === undefined) return undefined;
    const isNamed = ({ origin }: Session): boolean => (thread === undefined ? origin.hints.session === session : origin.hints.thread === thread);
    const named = this.all.filter((each) => each.origin.owner === owner && isNamed(each));
    return named.findLast(({ origin }) => origin.hints.agent === agent) ?? named.at(-1);
  }

  keeperOf(session: Session): SessionKeeper | undefined {
    return this.#keepers.get(session);
  }

  placeOf(session: Session): Place {
    return this.#keepers.get(session)?.place ?? { thread: session.conversation.id, branch: this.#branches.get(session) ?? "main" };
  }

  /** Returns the keeper of a session, creating it if needed. Undefined: a session for a single call. */
  keep(session: Session, archive: SessionArchive): SessionKeeper | undefined {
    const known = this.#keepers.get(session);
    const codec = this.#codecs.get(session);
    if (known !== undefined || codec === undefined) return known;
    const keeper = new SessionKeeper(archive, session, codec, { fork: this.#forks.get(session) });
    this.#forks.delete(session);
    this.#keepers.set(session, keeper);
    return keeper;
  }

  /** Drops the least recently used conversations if they take too much memory. */
  evict(): void {
    let bytes = 0;
    for (const session of this.#known.keys()) bytes += session.bytes;
    if (bytes <= this.#maxBytes) return;
    for (const session of this.all) {
      if (bytes <= this.#maxBytes) return;
      if (session.isBusy || this.#keepers.get(session)?.isBehind === true) continue;
      bytes -= session.bytes;
      this.forget(session);
    }
  }

  #freeBranch({ conversation: { id } }: Session): string {
    const taken = new Set(this.all.filter(({ conversation }) => conversation.id === id).map((session) => this.#branches.get(session)));
    for (let number = 1; ; number++) {
      const name = number === 1 ? "main" : `b${number}`;
      if (!taken.has(name)) return name;
    }
  }
}

export interface Found {
  readonly session: Session;
  readonly shared: number;
  /** Is the client's thinking from this one? The same can have been said in another, too. */
  readonly thinks: () => boolean;
  readonly isEnd: boolean;
  readonly isNamed: boolean;
}

function rank({ isEnd, isNamed, session, thinks }: Found): number {
  return (thinks() ? 8 : 0) + (isEnd ? 4 : 0) + (session.isBusy ? 0 : 2) + (isNamed ? 1 : 0);
}

function isSameHint(a: ConversationHints, b: ConversationHints): boolean {
  return a.thread === b.thread && a.session === b.session && a.agent === b.agent;
}
