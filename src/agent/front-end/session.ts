import type { Edit } from "../../edits/edit.ts";
import { blocksOf, isToolUse, type Block, type Message, type ToolResultBlock } from "../../messages/message.ts";
import type { Target } from "../../messages/target.ts";
import type { GrowingRequest } from "../../pricing/append-only-bill.ts";
import { isHiddenTool, runHiddenCalls, type HiddenTools } from "../thread/hidden-calls.ts";
import { OpenRound } from "../thread/open-round.ts";
import { PolicyRunner } from "../../conversation/policy-runner.ts";
import type { Step } from "../../policy/fold.ts";
import { shownMessage } from "../../conversation/shown-blocks.ts";
import { ThreadEvents } from "../thread/thread-events.ts";
import { Conversation, type ShownView } from "../../conversation/conversation.ts";
import { clientKey, isSameMessage, spokenKey, withoutMarkers } from "./client-key.ts";
import { sizeOf, sizeOfAll } from "./message-size.ts";
import { limitAfter, type TooLong } from "./rescue.ts";
import type { ParsedFrontEndOptions } from "./front-end-options.ts";

/** A message of the client's, and where the log stood behind it. */
interface Aligned {
  readonly key: string;
  /** As the client has sent it last. Undefined: it has only been given it. */
  sent: Message | undefined;
  readonly end: number;
  /** Results of hidden calls that go beside those of the client's: they come with its next message. */
  readonly held: readonly ToolResultBlock[];
}

/** The messages of a request. What makes each the same as one of before is worked out when it is asked for. */
export class ClientMessages {
  readonly messages: readonly Message[];
  readonly #withInputs: boolean;
  readonly #keys: (string | undefined)[] = [];

  /** `withInputs`: a call is another one if its input is. The AI SDK parses inputs, and may give them back changed. */
  constructor(messages: readonly Message[], withInputs: boolean) {
    this.messages = messages;
    this.#withInputs = withInputs;
  }

  keyAt(number: number): string | undefined {
    const message = this.messages[number];
    return message === undefined ? undefined : (this.#keys[number] ??= clientKey(message, this.#withInputs));
  }
}

export type Continuation = "again" | "done";

/**
 * One conversation of a client that knows nothing of it. The log has what the model saw: hidden rounds and checkpoints too. The
 * alignment says how much of it belongs to each message of the client's.
 */
export class Session {
  readonly conversation: Conversation;
  readonly tools: HiddenTools;
  readonly #options: ParsedFrontEndOptions;
  readonly #policies: PolicyRunner;
  readonly #events = new ThreadEvents();
  readonly #aligned: Aligned[];
  #lastView: { readonly messages: readonly Message[]; readonly length: number } | undefined;
  /** Blocks that the client was shown of the answer that is not complete yet. */
  #said: Block[] = [];
  /** Tokens of the client's own messages, and the last call's, for the bill that it would have had. */
  fullTokens = 0;
  lastFull: GrowingRequest | undefined;
  isBusy = false;

  constructor(options: ParsedFrontEndOptions, conversation: Conversation, tools: HiddenTools, aligned: readonly Aligned[] = []) {
    this.#options = options;
    this.conversation = conversation;
    this.tools = tools;
    this.#aligned = [...aligned];
    this.#policies = new PolicyRunner(conversation, options.policies({ thread: conversation.id, named: tools.recall }), tools.recall);
    this.#events.on("messages-updated", ({ edits }) => {
      this.#edited(edits);
    });
  }

  get length(): number {
    return this.#aligned.length;
  }

  /** Were views ever sent that are not the client's own messages? */
  get hasOwnViews(): boolean {
    return this.conversation.edits.length > 0 || this.tools.compact || this.tools.recall;
  }

  /** The length of the log behind this message of the client's. */
  endOf(number: number): number {
    return this.#aligned[number]?.end ?? 0;
  }

  /** How many of its messages are the client's first ones. */
  sharedWith(client: ClientMessages): number {
    const shared = this.#aligned.findIndex(({ key, sent }, number) => {
      const message = client.messages[number];
      if (message === undefined) return true;
      return (sent === undefined || !isSameMessage(sent, message)) && key !== client.keyAt(number);
    });
    return shared === -1 ? this.#aligned.length : shared;
  }

  /** The same conversation as it was behind this many of the client's messages. */
  forkAt(length: number): Session {
    const end = this.#aligned[length - 1]?.end ?? 0;
    const conversation = new Conversation(this.conversation.target, this.conversation.stateAt(end, crypto.randomUUID()));
    const fork = new Session(
      this.#options,
      conversation,
      this.tools,
      this.#aligned.slice(0, length).map((aligned) => ({ ...aligned })),
    );
    fork.fullTokens = sizeOfAll(this.conversation.log.slice(0, end));
    return fork;
  }

  /** Takes in what is new of the client's messages. */
  read(client: ClientMessages, target: Target): void {
    this.conversation.target = target;
    this.#said = [];
    this.#aligned.forEach((aligned, number) => {
      aligned.sent ??= client.messages[number];
    });
    for (let number = this.#aligned.length; number < client.messages.length; number++) {
      const message = client.messages[number];
      const key = client.keyAt(number);
      if (message === undefined || key === undefined) continue;
      const position = this.conversation.append(this.#taken(message));
      this.fullTokens += sizeOf(message);
      this.#aligned.push({ key, sent: message, end: this.conversation.length, held: [] });
      if (message.role === "user") this.#edited(this.#policies.arrived(position));
    }
  }

  /** What the provider reported for the last answer, where the answer itself came with the client's messages. */
  observed(inputTokens: number): void {
    this.#edited(this.#policies.answered(inputTokens));
  }

  /** The provider has refused the view as too long. Empty: there is nothing left to shorten. */
  refused(tooLong: TooLong): Edit[] {
    const shownTokens = (): number => sizeOfAll(this.conversation.view().messages);
    return this.#policies.refused(limitAfter(tooLong, shownTokens()), shownTokens);
  }

  /** The messages to send. */
  view(call: Omit<Step, "upTo">): ShownView {
    this.#edited(this.#policies.beforeCall({ ...call, upTo: this.conversation.length }));
    const view = this.conversation.view();
    this.#lastView = { messages: view.messages, length: this.conversation.length };
    return view;
  }

  /** Where a view cannot be made: the last one, and behind it what is new, as it came. */
  lastGoodView(): readonly Message[] | undefined {
    if (this.#lastView === undefined) return undefined;
    return [...this.#lastView.messages, ...this.conversation.log.slice(this.#lastView.length).map(shownMessage)];
  }

  /** Takes in the model's answer. `again`: all of its calls were hidden and are answered, so the model goes on. */
  answered(message: Message, inputTokens: number | undefined, mayGoOn: boolean, withInputs: boolean): Continuation {
    const position = this.conversation.append(message);
    this.fullTokens += sizeOf(message);
    const blocks = blocksOf(message);
    this.#said.push(...blocks.filter((block) => !(isToolUse(block) && isHiddenTool(block.name, this.tools))));
    const hidden = runHiddenCalls(this.conversation, position, { tools: this.tools, strip: this.#options.strip, events: this.#events });
    const round = hidden.length === 0 ? undefined : OpenRound.of(this.conversation, hidden);
    const isOurs = round !== undefined && round.missing.length === 0;
    if (isOurs) this.#edited(this.#policies.arrived(this.conversation.append(this.#withCheckpoint({ role: "user", content: round.content() }))));
    if (inputTokens !== undefined) this.observed(inputTokens);
    if (isOurs && mayGoOn) return "again";
    this.#aligned.push({ key: spokenKey(this.#said, withInputs), sent: undefined, end: this.conversation.length, held: isOurs ? [] : hidden });
    return "done";
  }

  #taken(message: Message): Message {
    const held = this.#aligned.at(-1)?.held ?? [];
    const blocks = blocksOf(message);
    const bare = blocks.map(withoutMarkers);
    const isBare = held.length === 0 && bare.every((block, number) => block === blocks[number]);
    const taken = isBare ? message : { ...message, content: [...(message.role === "user" ? held : []), ...bare] };
    return message.role === "user" ? this.#withCheckpoint(taken) : taken;
  }

  #withCheckpoint(message: Message): Message {
    return this.tools.compact ? { ...message, content: [...blocksOf(message), this.conversation.newCheckpoint()] } : message;
  }

  #edited(edits: readonly Edit[]): void {
    if (edits.length > 0) this.#options.onEvent({ type: "edited", thread: this.conversation.id, edits });
  }
}
