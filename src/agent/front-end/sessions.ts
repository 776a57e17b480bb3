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

/** What is asked of a conversation. */
export interface SessionRequest {
  readonly client: ClientMessages;
  readonly codec: Codec<object, object>;
  readonly target: Target;
  readonly owner: string;
  readonly hints: ConversationHints;
  readonly policy: string | undefined;
  /** Has the client tools, or does it ask for something to be shortened without? Else it founds no conversation, and nothing of it is taken in. */
  readonly founds: boolean;
  /** The agent asks for a summary that is to take the place of the conversation. */
  readonly compacts: boolean;
  /** May the model get this tool of ours? */
  readonly offers: (toolName: string) => boolean;
}

export type Opened =
  /** `isCopy`: nothing of it is kept, nothing new is shortened, and no tool is added that the conversation does not have. */
  | { readonly kind: "conversation" | "compaction" | "side"; readonly session: Session; readonly isCopy: boolean }
  /** `carries`: answers that were given here, whose thinking was signed under what we sent. */
  | { readonly kind: "side"; readonly session: undefined; readonly carries: boolean };

/** What was said lately, for those that have no store. */
const MOST_SAID = 50_000;

/** The conversations that a client has. A request goes on with the one that it begins like; whatever else it says of itself is a hint. */
export class Sessions {
  readonly #options: ParsedFrontEndOptions;
  readonly #sessionOptions: SessionOptions;
  readonly #reading: ReadStore;
  /** Each with how it begins. The one that was used last is the last. */
  readonly #sessions = new Map<Session, string>();
  /** By owner, format and first message. */
  readonly #beginnings = new Map<string, Set<Session>>();
  readonly #opening = new Map<string, Promise<unknown>>();
  readonly #keepers = new WeakMap<Session, SessionKeeper>();
  readonly #codecs = new WeakMap<Session, Codec<object, object>>();
  readonly #said = new Map<string, Place>();
  /** Which of them are to leave another one in its store. */
  readonly #forks = new WeakMap<Session, Fork>();
  /** Names of those that no store names. */
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
   * The conversation that these messages belong to. One that has gone another way since, or is in the middle of a call, stays as it
   * is: the messages go on in a copy of it, from where they part.
   */
  open(request: SessionRequest): Promise<Opened> {
    const beginning = beginningOf(request);
    // Two calls that begin alike might else both read the same conversation from the store.
    const before = this.#opening.get(beginning);
    const opened = before === undefined ? this.#open(request, beginning) : before.catch(() => undefined).then(() => this.#open(request, beginning));
    this.#opening.set(beginning, opened);
    const done = (): void => {
      if (this.#opening.get(beginning) === opened) this.#opening.delete(beginning);
    };
    opened.then(done, done);
    return opened;
  }

  /** A copy of the conversation in memory that these messages go on with, as it was where they part. */
  copyOf(request: Pick<SessionRequest, "client" | "codec" | "owner" | "hints">): Session | undefined {
    const found = this.#goneOn(request);
    return found?.session.copyAt(found.shared);
  }

  /** The conversation in memory that these messages go on with. */
  known(request: Pick<SessionRequest, "client" | "codec" | "owner" | "hints">): Session | undefined {
    return this.#goneOn(request)?.session;
  }

  #goneOn(request: Pick<SessionRequest, "client" | "codec" | "owner" | "hints">): Found | undefined {
    const found = this.#longestShared(beginningOf(request), request);
    return found !== undefined && request.client.messages.slice(0, found.shared).some(({ role }) => role === "assistant") ? found : undefined;
  }

  /** A conversation, and those in memory that it came from, the nearest first. */
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

  /** Notes what the client was answered last, so that it is known where it begins anew with it. */
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
      // Of equal ones the one with the client's thinking, then the one that ends there: it needs no copy. And of those the one that the client names.
      if (best === undefined || shared > best.shared || (shared === best.shared && rank(found) >= rank(best))) best = found;
    }
    return best;
  }

  /** Where somebody else may have served it since: what is new has an answer in it that was not given here. */
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
    // What is in memory of the same branch is older than what the store has.
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

  /** Goes on with a conversation that was found in the store by something else than its messages. */
  restore(archive: SessionArchive, loaded: LoadedSession, codec: Codec<object, object>, target: Target): Session {
    const { owner, hints } = loaded.session;
    const beginning = JSON.stringify([owner, codec.name, hints.thread, loaded.aligned[0]?.key]);
    return this.#restore(archive, loaded, { client: new ClientMessages([]), codec, target }, beginning);
  }

  /** Goes on with a conversation from where it had this many of the client's messages, with these tools. */
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

  /** Tools come with the first request of a conversation or never: later they would break the cache and all thinking (A4.8). */
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

  /** Which of these keys of answers are known, and where they were given. */
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
   * Where an agent has begun anew with answers that it was given here: the conversation that it had them from. All of them must be known; but before
   * thinking of ours there may be answers whose thinking it has left out, which are not known without.
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

  /** Its branch is read when it is written: what is not in the store yet may get another one. */
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

  /** A conversation for a single call, which nobody finds again. */
  passing(length: number, target: Target, format: FormatName): Session {
    const conversation = new Conversation(target, { id: "", log: [], edits: [], pins: [], seenFrom: length, steps: [] });
    const origin: SessionOrigin = { owner: "", format, hints: NO_HINTS, tools: { compact: false, recall: false }, isForeign: false };
    return new Session(this.#sessionOptions, origin, conversation);
  }

  /** The conversation that a call beside it belongs to: the one that it was copied from begins alike, or one with the same name. */
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

  /** Gives a session what keeps it, where there is a store. Undefined: one for a single call. */
  keep(session: Session, archive: SessionArchive): SessionKeeper | undefined {
    const known = this.#keepers.get(session);
    const codec = this.#codecs.get(session);
    if (known !== undefined || codec === undefined) return known;
    const keeper = new SessionKeeper(archive, session, codec, { fork: this.#forks.get(session) });
    this.#forks.delete(session);
    this.#keepers.set(session, keeper);
    return keeper;
  }

  /** Forgets what was not used for the longest time, where conversations take too much memory. */
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

/** The first request of a conversation again: nothing was answered yet, and nobody is at it. */
function isSameCall({ session, isEnd, isNamed }: Found, { hints }: SessionRequest): boolean {
  return isEnd && !session.isBusy && (isNamed || hints.session === undefined);
}

function isSameHint(a: ConversationHints, b: ConversationHints): boolean {
  return a.thread === b.thread && a.session === b.session && a.agent === b.agent;
}

function beginningOf({ owner, codec, client, hints }: Pick<SessionRequest, "client" | "codec" | "owner" | "hints">): string {
  return JSON.stringify([owner, codec.name, hints.thread, client.keyAt(0)]);
}
