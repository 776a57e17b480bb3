import type { Edit } from "../../edits/edit.ts";
import type { FormatName } from "../../formats/codec.ts";
import type { Step } from "../../policy/step.ts";
import type { Decision } from "../../policy/decision.ts";
import type { Policy } from "../../policy/policy.ts";
import { blocksOf, isThinking, isToolUse, type Block, type Message, type ToolResultBlock } from "../../messages/message.ts";
import type { Target } from "../../messages/target.ts";
import { Conversation, type ShownView } from "../../conversation/conversation.ts";
import { PolicyRunner } from "../../conversation/policy-runner.ts";
import { staleThinking } from "../../conversation/stale-thinking.ts";
import { shownMessage } from "../../conversation/shown-blocks.ts";
import { isHiddenTool, runHiddenCalls, type HiddenTools } from "../thread/hidden-calls.ts";
import { OpenRound } from "../thread/open-round.ts";
import { ThreadEvents } from "../thread/thread-events.ts";
import type { ConversationHints } from "../calls/call-context.ts";
import type { ConversationAbout } from "../calls/conversation-about.ts";
import { goneOn } from "./gone-on.ts";
import { chained, NO_CHAIN, type ClientMessages } from "./client-messages.ts";
import { namedId } from "./conversation-id.ts";
import { areSameCalls, isSameMessage, isWithoutText, spokenKey, withoutMarkers } from "./client-key.ts";
import { bytesOfEdit, bytesOfMessage, sizeOfAll } from "./message-size.ts";
import { fullStateAt, type FullState } from "./full-thread.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import { saidKeys, signaturesIn } from "./said-keys.ts";
import { SessionHeads } from "./session-heads.ts";
import { limitAfter, type TooLong } from "./rescue.ts";

/** A message of the client, and the length of the log after it. */
export interface Aligned {
  readonly key: string;
  /** Hash of it and all before it. */
  readonly chain: string;
  /** The message as the client last sent it. Undefined: the client has only received it. */
  sent: Message | undefined;
  readonly end: number;
  /** For an answer: the keys by which it is recognized wherever the client sends it again. */
  readonly said?: readonly string[];
  /** For an answer that was given here: its blocks. */
  readonly given?: readonly Block[];
  /** Results of hidden calls, to be sent together with the client's results in its next message. */
  readonly held: readonly ToolResultBlock[];
}

/** The owner of a conversation, and how it began. Never changes. */
export interface SessionOrigin {
  readonly owner: string;
  readonly format: FormatName;
  readonly hints: ConversationHints;
  readonly tools: HiddenTools;
  /** It was first seen in its middle, with thinking that is bound to earlier requests. */
  readonly isForeign: boolean;
  /** The conversation that it comes from: the one that this branch left, that started this sub-agent, or that its agent summarized. */
  readonly parent?: { readonly thread: string; readonly branch: string; readonly kind: "sub-agent" | "branch" | "compacted" } | undefined;
}

export interface SessionOptions {
  readonly policies: (policy: string | undefined, thread: string, tools: HiddenTools) => readonly Policy[];
  readonly strip: "all" | "after-edit";
  readonly onEdited: (thread: string, edits: readonly Edit[]) => void;
  /** Returns the original of a handle that this conversation does not have: a sub-agent may ask for its parent's. */
  readonly recallElsewhere: (session: Session, input: unknown) => string | readonly Block[] | undefined;
}

export interface ForkOptions {
  readonly parent?: SessionOrigin["parent"];
  readonly tools?: HiddenTools;
  readonly client?: ClientMessages | undefined;
}

export type Continuation = "again" | "done";

/** A hidden call that was run for an answer. */
export interface HiddenCall {
  readonly tool: string;
  readonly handle?: string;
  readonly isError?: boolean;
}

/**
 * One conversation of a client. The log has what the model saw, including hidden rounds and checkpoints. The alignment says how much of the log
 * belongs to each of the client's messages.
 */
export class Session {
  readonly conversation: Conversation;
  readonly origin: SessionOrigin;
  readonly #options: SessionOptions;
  readonly #events = new ThreadEvents();
  readonly #aligned: Aligned[];
  #policies: PolicyRunner;
  #policyName: string | undefined;
  #lastView: { readonly messages: readonly Message[]; readonly length: number } | undefined;
  /** Whether an answer was given here; earlier ones do not count. */
  #isAnswered: boolean;
  /** Blocks of the current answer that the client has seen so far. */
  #said: Block[] = [];
  /** Edits that were made or undone since the last `takeNews()`. */
  #edits: Edit[] = [];
  #hidden: HiddenCall[] = [];
  /** State for the bill that the client's own messages would have had. */
  lastFull: FullState | undefined;
  /** Estimated size in memory. */
  bytes = 0;
  isBusy = false;
  readonly heads: SessionHeads = new SessionHeads();
  /** Answers that the provider keeps, by the ids that the client may continue from. */
  readonly kept: KeptAnswer[] = [];
  /** The client's first messages contain answers from another conversation, to which their thinking is bound. */
  carriesThinking = false;
  /** How many messages of the last call the client has taken back with this one: it may do that again with the next. */
  takenBack = 0;
  /** What its store knew about it, if it was read from there. */
  aboutBefore: ConversationAbout | undefined;

  constructor(options: SessionOptions, origin: SessionOrigin, conversation: Conversation, aligned: readonly Aligned[] = [], policy?: string) {
    this.#options = options;
    this.conversation = conversation;
    this.origin = origin;
    this.#aligned = [...aligned];
    this.#policyName = policy;
    this.#policies = this.#policiesNamed(policy);
    this.#isAnswered = aligned.length > 0;
    for (const message of conversation.log) this.bytes += bytesOfMessage(message);
    for (const edit of conversation.edits) this.bytes += bytesOfEdit(edit);
    this.#events.on("messages-updated", ({ edits }) => {
      this.#edited(edits);
    });
    this.#events.on("recalled", ({ handle }) => {
      this.#hidden.push({ tool: "recall", handle });
    });
    this.#events.on("call-refused", ({ tool }) => {
      this.#hidden.push({ tool, isError: true });
    });
  }

  get tools(): HiddenTools {
    return this.origin.tools;
  }

  /** How many of the client's messages are known. */
  get length(): number {
    return this.#aligned.length;
  }

  get aligned(): readonly Aligned[] {
    return this.#aligned;
  }

  /** Hash of all of the client's messages. */
  get chain(): string {
    return this.#aligned.at(-1)?.chain ?? NO_CHAIN;
  }

  get policyName(): string | undefined {
    return this.#policyName;
  }

  /** Whether the model may have seen anything but the client's own messages. */
  get hasOwnViews(): boolean {
    return this.conversation.edits.length > 0 || this.tools.compact || this.tools.recall;
  }

  get decision(): Decision | undefined {
    return this.#policies.explain();
  }

  /** Returns the length of the log after this message of the client. */
  endOf(number: number): number {
    return this.#aligned[number]?.end ?? 0;
  }

  /** Returns how many of its first messages are also the client's. */
  sharedWith(client: ClientMessages): number {
    const shared = this.#aligned.findIndex((aligned, number) => {
      const { key, sent, given = [] } = aligned;
      const message = client.messages[number];
      if (message === undefined) return true;
      if (sent !== undefined && isSameMessage(sent, message)) return false;
      if (key !== client.keyAt(number) && !isWithoutText(this.#answerOf(aligned), message)) return true;
      return !areSameCalls(given, blocksOf(message));
    });
    return shared === -1 ? this.#aligned.length : shared;
  }

  /** Returns what the client has seen of an answer. */
  #answerOf({ given, end }: Aligned): readonly Block[] {
    const message = this.conversation.log[end - 1];
    if (given !== undefined || message?.role !== "assistant") return given ?? [];
    return blocksOf(message).filter((block) => !(isToolUse(block) && isHiddenTool(block.name, this.tools)));
  }

  /** Returns whether all thinking in the client's first `length` messages is from this conversation. */
  hasThinkingOf(client: ClientMessages, length: number): boolean {
    const ours = new Set(this.conversation.log.slice(0, this.endOf(length - 1)).flatMap(signaturesIn));
    return client.messages.slice(0, length).every((message) => signaturesIn(message).every((signature) => ours.has(signature)));
  }

  /**
   * Returns the conversation as it was after this many of the client's messages. `client`: if its messages after those contain the last answer, it goes on
   * from the last call, of which it has only taken back a message. What was decided for that call about the messages before stays.
   */
  forkAt(length: number, { parent, tools = this.tools, client }: ForkOptions = {}): Session {
    const [before, aligned] = this.#stateAt(length);
    const goesOn = client !== undefined && this.#hasLastAnswerIn(client, length);
    const conversation = goesOn ? goneOn(before, this.conversation) : before;
    const fork = new Session(this.#options, { ...this.origin, tools, parent: parent ?? this.origin.parent }, conversation, aligned, this.#policyName);
    fork.lastFull = fullStateAt(length, this.lastFull);
    if (goesOn) fork.takenBack = Math.max(0, (this.conversation.steps.at(-1)?.upTo ?? 0) - before.length);
    return fork;
  }

  #hasLastAnswerIn(client: ClientMessages, from: number): boolean {
    const answer = this.#aligned.at(-1)?.key;
    return client.messages.some(({ role }, number) => number >= from && role === "assistant" && client.keyAt(number) === answer);
  }

  /** Returns a copy to see what would be sent. Nothing new is shortened in it. */
  copyAt(length: number): Session {
    const copy = new Session({ ...this.#options, policies: () => [], onEdited: () => undefined }, this.origin, ...this.#stateAt(length), this.#policyName);
    copy.lastFull = fullStateAt(length, this.lastFull);
    return copy;
  }

  #stateAt(length: number): [Conversation, Aligned[]] {
    const end = this.#aligned[length - 1]?.end ?? 0;
    return [new Conversation(this.conversation.target, this.conversation.stateAt(end)), this.#aligned.slice(0, length).map((each) => ({ ...each }))];
  }

  /** Switches to another policy from now on. Earlier decisions stay. */
  usePolicy(name: string | undefined): void {
    if (name === this.#policyName) return;
    this.#policyName = name;
    this.#policies = this.#policiesNamed(name);
  }

  /** Adds the client's new messages to the log. */
  read(client: ClientMessages, target: Target): void {
    this.conversation.target = target;
    this.#said = [];
    const isCarried = this.carriesThinking && this.length === 0 && target.bindsThinking;
    this.#aligned.forEach((aligned, number) => {
      aligned.sent ??= client.messages[number];
    });
    for (let number = this.#aligned.length; number < client.length; number++) {
      const message = client.messages[number];
      const key = client.keyAt(number);
      if (message === undefined || key === undefined) continue;
      const position = this.#append(this.taken(message));
      this.#aligned.push({ key, chain: chained(this.chain, key), sent: message, end: this.conversation.length, held: [] });
      if (isCarried && message.role === "assistant") this.#edited(this.conversation.commit(staleThinking(this.conversation.parsed, position)));
      if (message.role === "user" && !this.#sendsAsItCame) this.#edited(this.#policies.arrived(position));
    }
  }

  /** Takes the usage of the last answer, if the answer itself came with the client's messages. */
  observed(inputTokens: number): void {
    this.#edited(this.#policies.answered(inputTokens));
  }

  /** Shortens a view that the provider has refused as too long. Empty: there is nothing left to shorten. */
  refused(tooLong: TooLong): Edit[] {
    const shownTokens = (): number => sizeOfAll(this.conversation.view().messages);
    const edits = this.#policies.refused(limitAfter(tooLong, shownTokens()), shownTokens);
    this.#edited(edits);
    return edits;
  }

  /** Returns the messages to send. */
  view(call: Omit<Step, "upTo">): ShownView {
    // Any edit would remove thinking that the model was just using, and that is valid under this very prefix only.
    if (!this.#sendsAsItCame) this.#edited(this.#policies.beforeCall({ ...call, upTo: this.conversation.length }));
    return this.#shown(this.conversation.view());
  }

  /** Returns the messages to send, without deciding anything. */
  viewAsItIs(): ShownView {
    return this.#shown(this.conversation.view());
  }

  #shown(view: ShownView): ShownView {
    this.#lastView = { messages: view.messages, length: this.conversation.length };
    return view;
  }

  /** The messages of the view that was sent last. */
  get shownBefore(): readonly Message[] {
    return this.#lastView?.messages ?? [];
  }

  /** For when a view cannot be made: returns the last one, followed by new messages as they came. */
  lastGoodView(): readonly Message[] | undefined {
    if (this.#lastView === undefined) return undefined;
    return [...this.#lastView.messages, ...this.conversation.log.slice(this.#lastView.length).map(shownMessage)];
  }

  /** Adds the model's answer to the log. `again`: all of its calls were hidden and are answered, so the model continues. */
  answered(message: Message, inputTokens: number | undefined, mayGoOn: boolean): Continuation {
    const position = this.#append(message);
    this.#isAnswered = true;
    const blocks = blocksOf(message);
    this.#said.push(...blocks.filter((block) => !(isToolUse(block) && isHiddenTool(block.name, this.tools))));
    const hidden = runHiddenCalls(this.conversation, position, {
      tools: this.tools,
      strip: this.#options.strip,
      events: this.#events,
      recallElsewhere: (input) => this.#options.recallElsewhere(this, input),
    });
    const round = hidden.length === 0 ? undefined : OpenRound.of(this.conversation, hidden);
    const isOurs = round !== undefined && round.missing.length === 0;
    if (isOurs) {
      const results = this.conversation.append(this.#withCheckpoint({ role: "user", content: round.content() }));
      this.bytes += bytesOfMessage(this.conversation.log[results] ?? message);
      this.#edited(this.#policies.arrived(results));
    }
    if (inputTokens !== undefined) this.observed(inputTokens);
    if (isOurs && mayGoOn) return "again";
    const key = spokenKey(this.#said);
    const { owner, hints } = this.origin;
    // In a named conversation, answers are recognized under this name only.
    const name = namedId(owner, hints);
    const said = (name === undefined ? [owner] : [owner, name]).flatMap((scope) => saidKeys(scope, { role: "assistant", content: this.#said }));
    this.#aligned.push({
      key,
      chain: chained(this.chain, key),
      sent: undefined,
      end: this.conversation.length,
      held: isOurs ? [] : hidden,
      said,
      given: this.#said,
    });
    return "done";
  }

  /** Returns the edits and hidden calls since the last time. */
  takeNews(): { readonly edits: readonly Edit[]; readonly hidden: readonly HiddenCall[] } {
    const news = { edits: this.#edits, hidden: this.#hidden };
    this.#edits = [];
    this.#hidden = [];
    return news;
  }

  /** Returns the message as it goes into the log: with the results that waited for it, without markers. */
  taken(message: Message, held: readonly ToolResultBlock[] = this.#aligned.at(-1)?.held ?? []): Message {
    const blocks = blocksOf(message);
    const bare = blocks.map(withoutMarkers);
    const isBare = held.length === 0 && bare.every((block, number) => block === blocks[number]);
    const taken = isBare ? message : { ...message, content: [...(message.role === "user" ? held : []), ...bare] };
    return message.role === "user" ? this.#withCheckpoint(taken) : taken;
  }

  get #sendsAsItCame(): boolean {
    return !this.#isAnswered && this.origin.isForeign;
  }

  #append(message: Message): number {
    const position = this.conversation.append(message);
    this.bytes += bytesOfMessage(message);
    return position;
  }

  #withCheckpoint(message: Message): Message {
    return this.tools.compact ? { ...message, content: [...blocksOf(message), this.conversation.newCheckpoint()] } : message;
  }

  #edited(edits: readonly Edit[]): void {
    if (edits.length === 0) return;
    this.#edits.push(...edits);
    for (const edit of edits) this.bytes += bytesOfEdit(edit);
    this.#options.onEdited(this.conversation.id, edits);
  }

  #policiesNamed(name: string | undefined): PolicyRunner {
    return new PolicyRunner(this.conversation, this.#options.policies(name, this.conversation.id, this.tools), this.tools.recall);
  }
}

/** Returns whether the messages contain thinking that is bound to its prefix. */
export function hasBoundThinking(messages: readonly Message[], target: Target): boolean {
  return target.bindsThinking && target.thinking !== "off" && messages.some((message) => message.role === "assistant" && blocksOf(message).some(isThinking));
}
