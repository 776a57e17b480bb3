import type { Codec, FormatName } from "../../formats/codec.ts";
import type { Block, Message } from "../../messages/message.ts";
import type { Target } from "../../messages/target.ts";
import { compactTool } from "../../conversation/tools/compact-tool.ts";
import { recallTool } from "../../conversation/tools/recall-tool.ts";
import { Conversation } from "../../conversation/conversation.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import type { HiddenTools } from "../thread/hidden-calls.ts";
import { NO_HINTS, type ConversationHints } from "../calls/call-context.ts";
import { ClientMessages } from "./client-messages.ts";
import { conversationId, namedId } from "./conversation-id.ts";
import type { ParsedFrontEndOptions } from "./front-end-options.ts";
import { restoreSession } from "./restore-session.ts";
import { saidKeys, signaturesIn } from "./said-keys.ts";
import type { ReadStore } from "./saving.ts";
import type { LoadedSession, Place, SessionArchive } from "./session-archive.ts";
import { SessionKeeper, type Fork } from "./session-keeper.ts";
import { hasBoundThinking, Session, type SessionOptions, type SessionOrigin } from "./session.ts";

/** A request, as far as it matters for finding its conversation. */
export interface SessionRequest {
  readonly client: ClientMessages;
  readonly codec: Codec<object, object>;
  readonly target: Target;
  readonly owner: string;
  readonly hints: ConversationHints;
  readonly policy: string | undefined;
  /** The client has tools, or asked to shorten conversations without. Otherwise the request begins no conversation, and nothing of it is kept. */
  readonly founds: boolean;
  /** The agent asks for a summary that will replace the conversation. */
  readonly compacts: boolean;
  /** Whether the model may get this tool of ours. */
  readonly offers: (toolName: string) => boolean;
}

export type Opened =
  /** `isCopy`: nothing of it is kept, nothing new is shortened, and no tool is added that the conversation does not have. */
  | { readonly kind: "conversation" | "compaction" | "side"; readonly session: Session; readonly isCopy: boolean }
  /** `carries`: it contains answers from here, whose thinking was signed under our views. */
  | { readonly kind: "side"; readonly session: undefined; readonly carries: boolean };

/** How many keys of recent answers are remembered, for front ends without a store. */
const MOST_SAID = 50_000;

/** The conversations of a client. A request belongs to the one that it begins like; anything else that it says about itself is only a hint. */
export class Sessions {
  readonly #options: ParsedFrontEndOptions;
  readonly #sessionOptions: SessionOptions;
  readonly #reading: ReadStore;
  /** Each with the key of its beginning. Most recently used last. */
  readonly #sessions = new Map<Session, string>();
  /** By owner, format, client's name and first message. */
  readonly #beginnings = new Map<string, Set<Session>>();
  readonly #opening = new Map<string, Promise<unknown>>();
  readonly #keepers = new WeakMap<Session, SessionKeeper>();
  readonly #codecs = new WeakMap<Session, Codec<object, object>>();
  readonly #said = new Map<string, Place>();
  /** Sessions that will be stored as a branch of another one. */
  readonly #forks = new WeakMap<Session, Fork>();
  /** Branch names of sessions that are not in a store. */
  readonly #branches = new WeakMap<Session, string>();

  constructor(options: ParsedFrontEndOptions, reading: ReadStore) {
    this.#options = options;
    this.#reading = reading;
    this.#sessionOptions = {
      policies: (policy, thread, tools) =>
        options.policiesOf(policy)({ thread, named: tools.recall, lossless: !tools.recall && !options.isServed() && !options.lossy }),
      strip: options.strip,
      onEdited: (thread, edits) => options.onEvent({ type: "edited", thread, edits }),
      recallElsewhere: (session, input) => this.#recallFromParent(session, input),
    };
  }

  get all(): readonly Session[] {
    return [...this.#sessions.keys()];
  }

  keeperOf(session: Session): SessionKeeper | undefined {
    return this.#keepers.get(session);
  }

  /**
   * Returns the conversation that these messages belong to. If it has continued differently since, or is in the middle of a call, it stays as it is,
   * and the messages continue in a copy, from where they diverge.
   */
  open(request: SessionRequest): Promise<Opened> {
    const beginning = beginningOf(request);
    // Otherwise two calls that begin alike might both read the same conversation from the store.
    const before = this.#opening.get(beginning);
    const opened = before === undefined ? this.#open(request, beginning) : before.catch(() => undefined).then(() => this.#open(request, beginning));
    this.#opening.set(beginning, opened);
    const done = (): void => {
      if (this.#opening.get(beginning) === opened) this.#opening.delete(beginning);
    };
    opened.then(done, done);
    return opened;
  }

  /** Returns a copy of the conversation in memory that these messages continue, as it was where they diverge. */
  copyOf(request: Pick<SessionRequest, "client" | "codec" | "owner" | "hints">): Session | undefined {
    const found = this.#goneOn(request);
    return found?.session.copyAt(found.shared);
  }

  /** Returns the conversation in memory that these messages continue. */
  known(request: Pick<SessionRequest, "client" | "codec" | "owner" | "hints">): Session | undefined {
    return this.#goneOn(request)?.session;
  }

  #goneOn(request: Pick<SessionRequest, "client" | "codec" | "owner" | "hints">): Found | undefined {
    const found = this.#longestShared(beginningOf(request), request);
    return found !== undefined && request.client.messages.slice(0, found.shared).some(({ role }) => role === "assistant") ? found : undefined;
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

  forget(session: Session): void {
    const beginning = this.#sessions.get(session);
    if (beginning === undefined) return;
    this.#sessions.delete(session);
    const alike = this.#beginnings.get(beginning);
    alike?.delete(session);
    if (alike?.size === 0) this.#beginnings.delete(beginning);
  }

  #add(session: Session, beginning: string, codec: Codec<object, object>): void {
    this.#codecs.set(session, codec);
    if (!this.#branches.has(session)) this.#branches.set(session, this.#freeBranch(session));
    this.#sessions.delete(session);
    this.#sessions.set(session, beginning);
    this.#beginnings.set(beginning, (this.#beginnings.get(beginning) ?? new Set()).add(session));
  }

  /** Remembers the last answer, so that a new history that begins with it is recognized. */
  noteSaid(session: Session): void {
    for (const key of session.aligned.at(-1)?.said ?? []) {
      this.#said.delete(key);
      this.#said.set(key, this.placeOf(session));
    }
    for (const key of this.#said.keys()) {
      if (this.#said.size <= MOST_SAID) break;
      this.#said.delete(key);
    }
  }

  async #open(request: SessionRequest, beginning: string): Promise<Opened> {
    const { client, founds, compacts } = request;
    let found = this.#longestShared(beginning, request);
    if (this.#mayBeElsewhere(found, client) && (await this.#readFromStore(request, beginning, found?.shared ?? 0)))
      found = this.#longestShared(beginning, request);
    const goesOn = found !== undefined && client.messages.slice(0, found.shared).some(({ role }) => role === "assistant");
    if (!founds || (compacts && goesOn)) {
      if (found === undefined || !goesOn) return { kind: "side", session: undefined, carries: await this.#carries(request) };
      return { kind: compacts ? "compaction" : "side", session: found.session.copyAt(found.shared), isCopy: true };
    }
    const session = found !== undefined && (goesOn || isSameCall(found, request)) ? this.#goOn(found) : await this.#begin(request);
    session.isBusy = true;
    this.#add(session, beginning, request.codec);
    this.evict();
    return { kind: "conversation", session, isCopy: false };
  }

  #longestShared(beginning: string, { client, hints }: Pick<SessionRequest, "client" | "hints">): Found | undefined {
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

  /** Returns whether another process may have served it since: the new messages contain an answer that was not given here. */
  #mayBeElsewhere(found: Found | undefined, client: ClientMessages): boolean {
    return found === undefined || client.messages.slice(found.shared).some(({ role }) => role === "assistant");
  }

  async #readFromStore({ client, codec, target, owner, hints }: SessionRequest, beginning: string, known: number): Promise<boolean> {
    try {
      const read = await this.#reading(async (archive) => {
        const found = await archive.find(owner, codec.name, client.chains(), namedId(owner, hints));
        return found === undefined || found.length <= known ? undefined : { archive, loaded: await archive.load(found.place) };
      });
      if (read?.loaded === undefined) return false;
      this.#restore(read.archive, read.loaded, { client, codec, target }, beginning);
      return true;
    } catch (error) {
      this.#options.onEvent({ type: "failed", stage: "store", error, sent: "nothing" });
      return false;
    }
  }

  #restore(
    archive: SessionArchive,
    loaded: LoadedSession,
    { client, codec, target }: Pick<SessionRequest, "client" | "codec" | "target">,
    beginning: string,
  ): Session {
    const session = restoreSession(loaded, client, this.#sessionOptions, codec, target, archive.redact);
    // A copy of the same branch in memory is older than the store's.
    for (const other of this.all) {
      const place = this.#keepers.get(other)?.place;
      if (!other.isBusy && this.#keepers.get(other)?.isBehind !== true && place?.thread === loaded.place.thread && place.branch === loaded.place.branch)
        this.forget(other);
    }
    this.#keepers.set(session, new SessionKeeper(archive, session, codec, { loaded }));
    this.#add(session, beginning, codec);
    return session;
  }

  has(session: Session): boolean {
    return this.#sessions.has(session);
  }

  /** Restores a conversation that was found in the store by something other than its messages. */
  restore(archive: SessionArchive, loaded: LoadedSession, codec: Codec<object, object>, target: Target): Session {
    const { owner, hints } = loaded.session;
    const beginning = JSON.stringify([owner, codec.name, hints.thread, loaded.aligned[0]?.key]);
    return this.#restore(archive, loaded, { client: new ClientMessages([]), codec, target }, beginning);
  }

  /** Continues a conversation from where it had this many of the client's messages, with these tools. */
  goOnFrom(session: Session, length: number, tools: HiddenTools, codec: Codec<object, object>): Session {
    const beginning = this.#sessions.get(session) ?? "";
    const isSame = length === session.length && !session.isBusy && tools.compact === session.tools.compact;
    const next = isSame ? session : session.forkAt(length, this.#parent(session, "branch"), tools);
    const parent = this.#keepers.get(session);
    if (!isSame && parent !== undefined) this.#forks.set(next, { parent, length: next.conversation.length, aligned: length });
    next.isBusy = true;
    this.#add(next, beginning, codec);
    this.evict();
    return next;
  }

  #goOn({ session, shared }: Found): Session {
    if (shared === session.length && !session.isBusy) return session;
    const fork = session.forkAt(shared, this.#parent(session, "branch"));
    const parent = this.#keepers.get(session);
    if (parent !== undefined) this.#forks.set(fork, { parent, length: fork.conversation.length, aligned: shared });
    return fork;
  }

  /** Tools are added with the first request of a conversation or never: later they would break the cache and all thinking (A4.8). */
  async #begin(request: SessionRequest): Promise<Session> {
    const { client, codec, target, owner, hints, offers, policy } = request;
    const { messages } = client;
    const spoken = messages.filter(({ role }) => role === "assistant");
    const before = spoken.length === 0 ? undefined : await this.#saidBefore(namedId(owner, hints) ?? owner, spoken);
    const isNew = spoken.length === 0 || before !== undefined;
    const tools = {
      compact: isNew && this.#options.compact && target.thinking !== "manual" && offers(compactTool.name),
      recall: isNew && this.#options.recall && offers(recallTool.name),
    };
    const id = conversationId(owner, codec.name, hints, client.keyAt(0));
    const conversation = new Conversation(target, { id, log: [], edits: [], pins: [], seenFrom: isNew ? 0 : messages.length, steps: [] });
    const parent = before === undefined ? this.#parentOf(hints, owner) : ({ ...before, kind: "compacted" } as const);
    const origin: SessionOrigin = { owner, format: codec.name, hints, tools, isForeign: !isNew && hasBoundThinking(messages, target), parent };
    const session = new Session(this.#sessionOptions, origin, conversation, [], policy);
    if (before !== undefined) session.carriesThinking = true;
    return session;
  }

  async #carries({ client: { messages }, target, owner }: SessionRequest): Promise<boolean> {
    if (!hasBoundThinking(messages, target)) return false;
    return (await this.#knownOf(messages.flatMap((message) => (message.role === "assistant" ? saidKeys(owner, message) : [])))).size > 0;
  }

  /** Returns which of these keys of answers are known, and in which conversations. */
  async #knownOf(wanted: readonly string[]): Promise<ReadonlyMap<string, Place>> {
    const known = new Map(wanted.flatMap((key) => (this.#said.has(key) ? [[key, this.#said.get(key) as Place] as const] : [])));
    if (known.size === new Set(wanted).size) return known;
    try {
      return new Map([...((await this.#reading((archive) => archive.said(wanted))) ?? []), ...known]);
    } catch (error) {
      this.#options.onEvent({ type: "failed", stage: "store", error, sent: "nothing" });
      return known;
    }
  }

  /**
   * Returns the conversation from which an agent has carried answers into a new history. All of them must be known, except those before the first known
   * thinking: the agent may have left out their thinking, without which they are not recognized.
   */
  async #saidBefore(scope: string, spoken: readonly Message[]): Promise<Place | undefined> {
    const keys = spoken.map((message) => saidKeys(scope, message));
    const known = await this.#knownOf(keys.flat());
    const isKnown = keys.map((each) => each.some((key) => known.has(key)));
    const isSigned = spoken.map((message) => signaturesIn(message).length > 0);
    const first = isSigned.findIndex((signed, number) => signed && isKnown[number] === true);
    const isOurs = isKnown.every((each, number) => each || (number < first && isSigned[number] === false));
    const [place] = known.values();
    return isOurs ? place : undefined;
  }

  #parentOf(hints: ConversationHints, owner: string): SessionOrigin["parent"] {
    const parent = this.#parentSession(hints, owner);
    return parent === undefined ? undefined : this.#parent(parent, "sub-agent");
  }

  /** Reads the branch late, because a conversation that is not stored yet may get another one. */
  #parent(session: Session, kind: "sub-agent" | "branch"): SessionOrigin["parent"] {
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

  #parentSession({ session: name, agent, parentSession }: ConversationHints, owner: string): Session | undefined {
    const wanted = parentSession ?? (agent === undefined ? undefined : name);
    if (wanted === undefined) return undefined;
    const isParent = ({ origin }: Session): boolean =>
      origin.owner === owner && ((origin.hints.session === wanted && origin.hints.agent === undefined) || origin.hints.agent === wanted);
    return this.all.findLast(isParent);
  }

  #recallFromParent(session: Session, input: unknown): string | readonly Block[] | undefined {
    const parent = this.#parentSession(session.origin.hints, session.origin.owner);
    if (parent === undefined || parent === session) return undefined;
    try {
      return parent.conversation.recall(input).content;
    } catch (error) {
      if (PalimpsestError.isInstance(error)) return undefined;
      throw error;
    }
  }

  placeOf(session: Session): Place {
    return this.#keepers.get(session)?.place ?? { thread: session.conversation.id, branch: this.#branches.get(session) ?? "main" };
  }

  /** Returns a conversation for a single call, which is never found again. */
  passing(length: number, target: Target, format: FormatName): Session {
    const conversation = new Conversation(target, { id: "", log: [], edits: [], pins: [], seenFrom: length, steps: [] });
    const origin: SessionOrigin = { owner: "", format, hints: NO_HINTS, tools: { compact: false, recall: false }, isForeign: false };
    return new Session(this.#sessionOptions, origin, conversation);
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

  #freeBranch({ conversation: { id } }: Session): string {
    const taken = new Set(this.all.filter(({ conversation }) => conversation.id === id).map((session) => this.#branches.get(session)));
    for (let number = 1; ; number++) {
      const name = number === 1 ? "main" : `b${number}`;
      if (!taken.has(name)) return name;
    }
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
    const most = this.#options.maxMemoryMb * 1024 * 1024;
    let bytes = 0;
    for (const session of this.#sessions.keys()) bytes += session.bytes;
    if (bytes <= most) return;
    for (const session of this.all) {
      if (bytes <= most) return;
      if (session.isBusy || this.#keepers.get(session)?.isBehind === true) continue;
      bytes -= session.bytes;
      this.forget(session);
    }
  }
}

interface Found {
  readonly session: Session;
  readonly shared: number;
  /** The same was said twice: is this where the client has its thinking from? */
  readonly thinks: () => boolean;
  readonly isEnd: boolean;
  readonly isNamed: boolean;
}

function rank({ isEnd, isNamed, session, thinks }: Found): number {
  return (thinks() ? 8 : 0) + (isEnd ? 4 : 0) + (session.isBusy ? 0 : 2) + (isNamed ? 1 : 0);
}

/** Returns whether a request repeats the first one of a conversation, which has no answer yet and is not busy. */
function isSameCall({ session, isEnd, isNamed }: Found, { hints }: SessionRequest): boolean {
  return isEnd && !session.isBusy && (isNamed || hints.session === undefined);
}

function isSameHint(a: ConversationHints, b: ConversationHints): boolean {
  return a.thread === b.thread && a.session === b.session && a.agent === b.agent;
}

function beginningOf({ owner, codec, client, hints }: Pick<SessionRequest, "client" | "codec" | "owner" | "hints">): string {
  return JSON.stringify([owner, codec.name, hints.thread, client.keyAt(0)]);
}
