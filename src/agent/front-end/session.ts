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
import { chained, NO_CHAIN, type ClientMessages } from "./client-messages.ts";
import { namedId } from "./conversation-id.ts";
import { areSameCalls, isSameMessage, spokenKey, withoutMarkers } from "./client-key.ts";
import { bytesOfEdit, bytesOfMessage, sizeOfAll } from "./message-size.ts";
import { fullStateAt, type FullState } from "./full-thread.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import { saidKeys, signaturesIn } from "./said-keys.ts";
import { SessionHeads } from "./session-heads.ts";
import { limitAfter, type TooLong } from "./rescue.ts";

/** A message of the client's, and where the log stood after it. */
export interface Aligned {
  readonly key: string;
  /** Stands for it and all before it. */
  readonly chain: string;
  /** As the client has sent it last. Undefined: it has only been given it. */
  sent: Message | undefined;
  readonly end: number;
  /** Of an answer: what it is known by wherever the client sends it again. */
  readonly said?: readonly string[];
  /** Of an answer that was given here: its blocks. */
  readonly given?: readonly Block[];
  /** Results of hidden calls that go beside those of the client's: they come with its next message. */
  readonly held: readonly ToolResultBlock[];
}

/** Whose conversation it is, and what it was begun with. None of it changes. */
export interface SessionOrigin {
  readonly owner: string;
  readonly format: FormatName;
  readonly hints: ConversationHints;
  readonly tools: HiddenTools;
  /** It was met in its middle, with thinking that is bound to what was sent before. */
  readonly isForeign: boolean;
  /** What it goes on from: the conversation that this branch left, that asked a sub-agent, or that was summarized by its agent. */
  readonly parent?: { readonly thread: string; readonly branch: string; readonly kind: "sub-agent" | "branch" | "compacted" } | undefined;
}

export interface SessionOptions {
  readonly policies: (policy: string | undefined, thread: string, tools: HiddenTools) => readonly Policy[];
  readonly strip: "all" | "after-edit";
  readonly onEdited: (thread: string, edits: readonly Edit[]) => void;
  /** The original of a handle that this conversation does not have: a sub-agent may ask for one of its parent's. */
  readonly recallElsewhere: (session: Session, input: unknown) => string | readonly Block[] | undefined;
}

export type Continuation = "again" | "done";

/** What hidden calls were run for an answer. */
export interface HiddenCall {
  readonly tool: string;
  readonly handle?: string;
  readonly isError?: boolean;
}

/**
 * One conversation of a client that knows nothing of it. The log has what the model saw: hidden rounds and checkpoints too. The
 * alignment says how much of it belongs to each message of the client's.
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
  /** Here: what was said before it was met does not count. */
  #isAnswered: boolean;
  /** Blocks that the client was shown of the answer that is not complete yet. */
  #said: Block[] = [];
  /** Edits that were made or undone since they were last asked for. */
  #edits: Edit[] = [];
  #hidden: HiddenCall[] = [];
  /** What is known of the client's own messages, for the bill that they would have had. */
  lastFull: FullState | undefined;
  /** About what it takes in memory. */
  bytes = 0;
  isBusy = false;
  readonly heads: SessionHeads = new SessionHeads();
  /** What the provider keeps of it, by the ids that the client may go on from. */
  readonly kept: KeptAnswer[] = [];
  /** The client's first messages hold answers that it was given in another conversation: their thinking is bound to that one. */
  carriesThinking = false;
  /** What its store says about it, where it was read from there. */
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

  /** How many messages of the client's are known. */
  get length(): number {
    return this.#aligned.length;
  }

  get aligned(): readonly Aligned[] {
    return this.#aligned;
  }

  /** Stands for all of the client's messages. */
  get chain(): string {
    return this.#aligned.at(-1)?.chain ?? NO_CHAIN;
  }

  get policyName(): string | undefined {
    return this.#policyName;
  }

  /** Were views ever sent that are not the client's own messages? */
  get hasOwnViews(): boolean {
    return this.conversation.edits.length > 0 || this.tools.compact || this.tools.recall;
  }

  get decision(): Decision | undefined {
    return this.#policies.explain();
  }

  /** The length of the log after this message of the client's. */
  endOf(number: number): number {
    return this.#aligned[number]?.end ?? 0;
  }

  /** How many of its messages are the client's first ones. */
  sharedWith(client: ClientMessages): number {
    const shared = this.#aligned.findIndex(({ key, sent, given = [] }, number) => {
      const message = client.messages[number];
      if (message === undefined) return true;
      if (sent !== undefined && isSameMessage(sent, message)) return false;
      return key !== client.keyAt(number) || !areSameCalls(given, blocksOf(message));
    });
    return shared === -1 ? this.#aligned.length : shared;
  }

  /** Is all thinking in the client's first messages, as many as these, of this conversation? */
  hasThinkingOf(client: ClientMessages, length: number): boolean {
    const ours = new Set(this.conversation.log.slice(0, this.endOf(length - 1)).flatMap(signaturesIn));
    return client.messages.slice(0, length).every((message) => signaturesIn(message).every((signature) => ours.has(signature)));
  }

  /** The same conversation as it was after this many of the client's messages. */
  forkAt(length: number, parent?: SessionOrigin["parent"], tools: HiddenTools = this.tools): Session {
    const [conversation, aligned] = this.#stateAt(length);
    const fork = new Session(this.#options, { ...this.origin, tools, parent: parent ?? this.origin.parent }, conversation, aligned, this.#policyName);
    fork.lastFull = fullStateAt(length, this.lastFull);
    return fork;
  }

  /** The same, to see what would be sent: nothing new is shortened in it. */
  copyAt(length: number): Session {
    const copy = new Session({ ...this.#options, policies: () => [], onEdited: () => undefined }, this.origin, ...this.#stateAt(length), this.#policyName);
    copy.lastFull = fullStateAt(length, this.lastFull);
    return copy;
  }

  #stateAt(length: number): [Conversation, Aligned[]] {
    const end = this.#aligned[length - 1]?.end ?? 0;
    return [new Conversation(this.conversation.target, this.conversation.stateAt(end)), this.#aligned.slice(0, length).map((each) => ({ ...each }))];
  }

  /** What is decided from now on, this policy decides. What was decided stays. */
  usePolicy(name: string | undefined): void {
    if (name === this.#policyName) return;
    this.#policyName = name;
    this.#policies = this.#policiesNamed(name);
  }

  /** Takes in what is new of the client's messages. */
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

  /** What the provider reported for the last answer, where the answer itself came with the client's messages. */
  observed(inputTokens: number): void {
    this.#edited(this.#policies.answered(inputTokens));
  }

  /** The provider has refused the view as too long. Empty: there is nothing left to shorten. */
  refused(tooLong: TooLong): Edit[] {
    const shownTokens = (): number => sizeOfAll(this.conversation.view().messages);
    const edits = this.#policies.refused(limitAfter(tooLong, shownTokens()), shownTokens);
    this.#edited(edits);
    return edits;
  }

  /** The messages to send. */
  view(call: Omit<Step, "upTo">): ShownView {
    // Any edit would take thinking out that the model was just using, and that only this very prefix can carry.
    if (!this.#sendsAsItCame) this.#edited(this.#policies.beforeCall({ ...call, upTo: this.conversation.length }));
    return this.#shown(this.conversation.view());
  }

  /** The messages to send where nothing is to be decided. */
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

  /** Where a view cannot be made: the last one, and after it what is new, as it came. */
  lastGoodView(): readonly Message[] | undefined {
    if (this.#lastView === undefined) return undefined;
    return [...this.#lastView.messages, ...this.conversation.log.slice(this.#lastView.length).map(shownMessage)];
  }

  /** Takes in the model's answer. `again`: all of its calls were hidden and are answered, so the model goes on. */
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
    // Whoever names a conversation knows it by its answers under this name only.
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

  /** Returns what happened since this was asked last. */
  takeNews(): { readonly edits: readonly Edit[]; readonly hidden: readonly HiddenCall[] } {
    const news = { edits: this.#edits, hidden: this.#hidden };
    this.#edits = [];
    this.#hidden = [];
    return news;
  }

  /** As it stands in the log after the messages before it: with results that waited for it, without markers. */
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

/** Is there thinking in it that is bound to what was sent before it? */
export function hasBoundThinking(messages: readonly Message[], target: Target): boolean {
  return target.bindsThinking && target.thinking !== "off" && messages.some((message) => message.role === "assistant" && blocksOf(message).some(isThinking));
}
