import type { Codec, FormatName } from "../../formats/codec.ts";
import { Conversation } from "../../conversation/conversation.ts";
import { compactTool } from "../../conversation/tools/compact-tool.ts";
import { recallTool } from "../../conversation/tools/recall-tool.ts";
import type { Target } from "../../messages/target.ts";
import { NO_HINTS, type ConversationHints } from "../calls/call-context.ts";
import type { HiddenTools } from "../thread/hidden-calls.ts";
import { ClientMessages } from "./client-messages.ts";
import { conversationId, namedId } from "./conversation-id.ts";
import type { ParsedFrontEndOptions } from "./front-end-options.ts";
import { restoreSession } from "./restore-session.ts";
import { SaidAnswers } from "./said-answers.ts";
import type { ReadStore } from "./saving.ts";
import type { LoadedSession, SessionArchive } from "./session-archive.ts";
import { SessionKeeper } from "./session-keeper.ts";
import { hasBoundThinking, Session, type SessionOptions, type SessionOrigin } from "./session.ts";
import type { Found, Sessions } from "./sessions.ts";

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

type Beginning = Pick<SessionRequest, "client" | "codec" | "owner" | "hints">;

/** Finds the conversation of a request, by how it begins; anything else that a request says about itself is only a hint. Begins a new one if there is none. */
export class SessionFinder {
  readonly #options: ParsedFrontEndOptions;
  readonly #sessions: Sessions;
  readonly #reading: ReadStore;
  readonly #said: SaidAnswers;
  readonly #sessionOptions: SessionOptions;
  readonly #opening = new Map<string, Promise<unknown>>();

  constructor(options: ParsedFrontEndOptions, sessions: Sessions, reading: ReadStore) {
    this.#options = options;
    this.#sessions = sessions;
    this.#reading = reading;
    this.#said = new SaidAnswers(reading, (error) => this.#storeFailed(error));
    this.#sessionOptions = {
      policies: (policy, thread, tools) =>
        options.policiesOf(policy)({ thread, named: tools.recall, lossless: !tools.recall && !options.isServed() && !options.lossy }),
      strip: options.strip,
      onEdited: (thread, edits) => options.onEvent({ type: "edited", thread, edits }),
      recallElsewhere: (session, input) => sessions.recallFromParent(session, input),
    };
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
  copyOf(request: Beginning): Session | undefined {
    const found = this.#goneOn(request);
    return found?.session.copyAt(found.shared);
  }

  /** Returns the conversation in memory that these messages continue. */
  known(request: Beginning): Session | undefined {
    return this.#goneOn(request)?.session;
  }

  #goneOn(request: Beginning): Found | undefined {
    const found = this.#sessions.longestShared(beginningOf(request), request.client, request.hints);
    return found !== undefined && goesOn(found, request) ? found : undefined;
  }

  /** Remembers the last answer, so that a new history that begins with it is recognized. */
  noteSaid(session: Session): void {
    this.#said.note(session.aligned.at(-1)?.said ?? [], this.#sessions.placeOf(session));
  }

  /** Restores a conversation that was found in the store by something other than its messages. */
  restore(archive: SessionArchive, loaded: LoadedSession, codec: Codec<object, object>, target: Target): Session {
    const { owner, hints } = loaded.session;
    const beginning = JSON.stringify([owner, codec.name, hints.thread, loaded.aligned[0]?.key]);
    return this.#restore(archive, loaded, { client: new ClientMessages([]), codec, target }, beginning);
  }

  /** Continues a conversation from where it had this many of the client's messages, with these tools. */
  goOnFrom(session: Session, length: number, tools: HiddenTools, codec: Codec<object, object>): Session {
    return this.#use(this.#sessions.continuing(session, length, tools), this.#sessions.beginningOf(session), codec);
  }

  /** Returns a conversation for a single call, which is never found again. */
  passing(length: number, target: Target, format: FormatName): Session {
    const conversation = new Conversation(target, { id: "", log: [], edits: [], pins: [], seenFrom: length, steps: [] });
    const origin: SessionOrigin = { owner: "", format, hints: NO_HINTS, tools: { compact: false, recall: false }, isForeign: false };
    return new Session(this.#sessionOptions, origin, conversation);
  }

  async #open(request: SessionRequest, beginning: string): Promise<Opened> {
    const { client, codec, hints, founds, compacts } = request;
    const inMemory = this.#sessions.longestShared(beginning, client, hints);
    const isRead = mayBeElsewhere(inMemory, client) && (await this.#readFromStore(request, beginning, inMemory?.shared ?? 0));
    const found = isRead ? this.#sessions.longestShared(beginning, client, hints) : inMemory;
    const isKnown = found !== undefined && goesOn(found, request);
    if (!founds || (compacts && isKnown)) {
      if (!isKnown) return { kind: "side", session: undefined, carries: await this.#carries(request) };
      return { kind: compacts ? "compaction" : "side", session: found.session.copyAt(found.shared), isCopy: true };
    }
    const continues = isKnown || (found !== undefined && isSameCall(found, request));
    const session = continues ? this.#sessions.continuing(found.session, found.shared, found.session.tools, client) : await this.#begin(request);
    return { kind: "conversation", session: this.#use(session, beginning, codec), isCopy: false };
  }

  #use(session: Session, beginning: string, codec: Codec<object, object>): Session {
    session.isBusy = true;
    this.#sessions.add(session, beginning, codec);
    this.#sessions.evict();
    return session;
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
      this.#storeFailed(error);
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
    this.#sessions.addStored(session, new SessionKeeper(archive, session, codec, { loaded }), beginning, codec);
    return session;
  }

  /** Tools are added with the first request of a conversation or never: later they would break the cache and all thinking (A4.8). */
  async #begin(request: SessionRequest): Promise<Session> {
    const { client, codec, target, owner, hints, offers, policy } = request;
    const { messages } = client;
    const spoken = messages.filter(({ role }) => role === "assistant");
    const before = spoken.length === 0 ? undefined : await this.#said.originOf(namedId(owner, hints) ?? owner, spoken);
    const isNew = spoken.length === 0 || before !== undefined;
    const tools = {
      compact: isNew && this.#options.compact && target.thinking !== "manual" && offers(compactTool.name),
      recall: isNew && this.#options.recall && offers(recallTool.name),
    };
    const id = conversationId(owner, codec.name, hints, client.keyAt(0));
    const conversation = new Conversation(target, { id, log: [], edits: [], pins: [], seenFrom: isNew ? 0 : messages.length, steps: [] });
    const starter = before === undefined ? this.#sessions.parentOf(hints, owner) : undefined;
    const link = starter === undefined ? undefined : this.#sessions.linkTo(starter, "sub-agent");
    const parent = before === undefined ? link : ({ ...before, kind: "compacted" } as const);
    const origin: SessionOrigin = { owner, format: codec.name, hints, tools, isForeign: !isNew && hasBoundThinking(messages, target), parent };
    const session = new Session(this.#sessionOptions, origin, conversation, [], policy);
    if (before !== undefined) session.carriesThinking = true;
    return session;
  }

  async #carries({ client: { messages }, target, owner }: SessionRequest): Promise<boolean> {
    return hasBoundThinking(messages, target) && (await this.#said.knowsAny(owner, messages));
  }

  #storeFailed(error: unknown): void {
    this.#options.onEvent({ type: "failed", stage: "store", error, sent: "nothing" });
  }
}

/** Returns whether new messages contain an answer that was not given here: then another process may have served the conversation since. */
function mayBeElsewhere(found: Found | undefined, client: ClientMessages): boolean {
  return found === undefined || client.messages.slice(found.shared).some(({ role }) => role === "assistant");
}

/** Returns whether a request continues the session that it was found to share messages with: one of them has to be an answer. */
function goesOn({ shared }: Found, { client }: Pick<SessionRequest, "client">): boolean {
  return client.messages.slice(0, shared).some(({ role }) => role === "assistant");
}

/** Returns whether a request repeats the first one of a conversation, which has no answer yet and is not busy. */
function isSameCall({ session, isEnd, isNamed }: Found, { hints }: SessionRequest): boolean {
  return isEnd && !session.isBusy && (isNamed || hints.session === undefined);
}

function beginningOf({ owner, codec, client, hints }: Beginning): string {
  return JSON.stringify([owner, codec.name, hints.thread, client.keyAt(0)]);
}
