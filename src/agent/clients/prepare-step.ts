import { headLength } from "../../formats/head-of-log.ts";
import { codecOf } from "../../formats/codecs.ts";
import type { Message } from "../../messages/message.ts";
import { parseTarget } from "../../messages/target.ts";
import { targetFor } from "../../pricing/target-for.ts";
import { recallTool, type RecallInput } from "../../conversation/tools/recall-tool.ts";
import { EMPTY, mistakeOf } from "../../conversation/tools/run-recall.ts";
import { textBlock, type Block } from "../../messages/message.ts";
import { NO_HINTS } from "../calls/call-context.ts";
import { ClientMessages } from "../front-end/client-messages.ts";
import { parseFrontEndOptions, type FrontEndOptions } from "../front-end/front-end-options.ts";
import type { Session } from "../front-end/session.ts";
import { SessionFinder } from "../front-end/session-finder.ts";
import { Sessions } from "../front-end/sessions.ts";

/** The options that apply to `prepareStep`: it sees messages only, sends nothing, and keeps nothing beyond the process. */
export type PrepareStepOptions = Omit<FrontEndOptions, "compact" | "recall" | "cache" | "rescue" | "strip" | "store">;

/** The part of the AI SDK's `prepareStep` input that is used here. */
interface Step<M> {
  readonly messages: readonly M[];
  readonly initialMessages?: readonly M[];
  readonly responseMessages?: readonly M[];
  readonly steps?: readonly { readonly usage?: { readonly inputTokens?: number | undefined } }[];
  readonly model?: unknown;
  readonly experimental_steeringMessages?: readonly unknown[] | undefined;
}

export interface PrepareStep {
  <M extends object>(step: Step<M>): Promise<{ messages?: M[] }>;
  /**
   * A tool of the AI SDK that returns originals: `tools: { ...tools, recall: prepareStep.recall }`. Read this property before the loop begins, and keep
   * the name. Conversations that begin afterwards are shortened as the preset says; others only without loss, unless `lossy` is true.
   */
  readonly recall: RecallOfAiSdk;
}

/** A tool for the AI SDK. Its input is described by a Standard Schema, from which the SDK reads the JSON schema. */
export interface RecallOfAiSdk {
  readonly description: string;
  readonly inputSchema: RecallSchema;
  /** Returns mistakes of the model as text. `messages`, which the AI SDK passes, say which conversation is meant; without them there must be only one. */
  readonly execute: (input: RecallInput, options?: { readonly messages?: readonly object[] | undefined }) => string;
}

interface RecallSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "palimpsest";
    readonly types?: { readonly input: RecallInput; readonly output: RecallInput };
    readonly validate: (value: unknown) => { readonly value: RecallInput };
    readonly jsonSchema: { readonly input: () => Record<string, unknown>; readonly output: () => Record<string, unknown> };
  };
}

const codec = codecOf("ai-sdk");

/**
 * For loops that cannot wrap their model: `generateText({ …, prepareStep: palimpsestPrepareStep({ policy: "balanced" }) })`. It shortens what
 * each step sends; `compact` needs the middleware. If something goes wrong, the step is sent unchanged.
 */
export function palimpsestPrepareStep(options: PrepareStepOptions = {}): PrepareStep {
  let isServed = false;
  const parsed = { ...parseFrontEndOptions(options), compact: false, recall: true, isServed: () => isServed };
  const sessions = new Sessions(parsed.maxMemoryMb);
  const finder = new SessionFinder(parsed, sessions, () => Promise.resolve(undefined));
  const shown = new ShownMessages();
  const prepareStep = async <M extends object>(step: Step<M>): Promise<{ messages?: M[] }> => {
    const all = wholeConversation(step);
    if (all === undefined) return {};
    let session: Session | undefined;
    try {
      const log = codec.decode(all);
      const head = headLength(log);
      const client = new ClientMessages(log.slice(head));
      const target = parseTarget({ ...targetFor(modelName(step.model), parsed.models), ...parsed.target });
      const opened = await finder.open({
        client,
        codec,
        target,
        owner: "local",
        hints: NO_HINTS,
        policy: undefined,
        founds: true,
        compacts: false,
        offers: () => isServed,
      });
      session = opened.session;
      if (session === undefined) return {};
      // A step's answer comes with the next step, so the session is free until then.
      session.isBusy = false;
      const isNewAnswer = session.length < client.length;
      session.read(client, target);
      const inputTokens = step.steps?.at(-1)?.usage?.inputTokens;
      if (isNewAnswer && inputTokens !== undefined) session.observed(inputTokens);
      const view: readonly Message[] = session.view({ model: modelName(step.model), headHash: "", atMs: Date.now() }).messages;
      const messages = codec.encode([...log.slice(0, head), ...view]) as M[];
      shown.note(session, messages);
      return { messages };
    } catch (error) {
      if (session !== undefined) sessions.forget(session);
      parsed.onEvent({ type: "failed", stage: "request", error, sent: "as-it-came" });
      return {};
    }
  };
  const recall: RecallOfAiSdk = {
    description: recallTool.description,
    inputSchema: RECALL_SCHEMA,
    execute: (input, { messages } = {}) => recalledFrom(sessions, conversationOf(sessions, finder, shown, messages), input),
  };
  // Reading it means that the model will get it, so handles are served from then on. It is not enumerable: copying all properties must not count as reading.
  return Object.defineProperty(prepareStep, "recall", {
    enumerable: false,
    get: () => {
      isServed = true;
      return recall;
    },
  }) as unknown as PrepareStep;
}

const jsonSchema = (): Record<string, unknown> => ({ ...recallTool.input_schema, additionalProperties: false });
const RECALL_SCHEMA: RecallSchema = {
  "~standard": {
    version: 1,
    vendor: "palimpsest",
    // The tool itself tells the model what is wrong with an input, so that it can correct itself.
    validate: (value) => ({ value: value as RecallInput }),
    jsonSchema: { input: jsonSchema, output: jsonSchema },
  },
};

/** The messages that steps were given, with their conversations. */
class ShownMessages {
  readonly #sessions = new WeakMap<readonly object[], Session>();
  readonly #last = new WeakMap<Session, readonly object[]>();

  note(session: Session, messages: readonly object[]): void {
    this.#sessions.set(messages, session);
    this.#last.set(session, messages);
  }

  /** The SDK may have added messages at the end. A branch begins like the conversation that it left, so the longest match wins. */
  sessionOf(messages: readonly object[], among: readonly Session[]): Session | undefined {
    const lengthOf = (session: Session): number => {
      const last = this.#last.get(session) ?? [];
      return last.length <= messages.length && last.every((message, number) => message === messages[number]) ? last.length : 0;
    };
    const [longest] = among.filter((session) => lengthOf(session) > 0).sort((a, b) => lengthOf(b) - lengthOf(a));
    return this.#sessions.get(messages) ?? longest;
  }
}

/** Returns the conversation that a call of the tool belongs to, by the messages that were sent for it. Undefined: it cannot be told. */
function conversationOf(sessions: Sessions, finder: SessionFinder, shown: ShownMessages, messages: readonly object[] | undefined): Session | undefined {
  if (messages === undefined) return sessions.all.length === 1 ? sessions.all[0] : undefined;
  const prepared = shown.sessionOf(messages, sessions.all);
  if (prepared !== undefined) return prepared;
  try {
    const log = codec.decode(messages);
    return finder.known({ client: new ClientMessages(log.slice(headLength(log))), codec, owner: "local", hints: NO_HINTS });
  } catch {
    return undefined;
  }
}

/** Looks only in this conversation and those that it branched off. Returns mistakes as text, for the model to correct. */
function recalledFrom(sessions: Sessions, session: Session | undefined, input: RecallInput): string {
  let unknown = "";
  for (const { conversation } of session === undefined ? [] : sessions.lineOf(session)) {
    try {
      const { content } = conversation.recall(input);
      return content.length === 0 ? EMPTY : textOf(content);
    } catch (error) {
      unknown ||= mistakeOf(error);
    }
  }
  return unknown === "" ? "HANDLE_UNKNOWN: Nothing was shortened so far." : unknown;
}

function textOf(content: string | readonly Block[]): string {
  const blocks = typeof content === "string" ? [textBlock(content)] : content;
  return blocks.map((block) => (block.type === "text" && "text" in block ? String(block.text) : `[${block.type}]`)).join("\n");
}

/**
 * Returns the whole conversation, put together from the step's parts, because the messages that one step returns are the input of the next. Messages
 * that were inserted along the way are in none of the parts: such a step is sent unchanged.
 */
function wholeConversation<M>({ messages, initialMessages, responseMessages, experimental_steeringMessages: steering }: Step<M>): readonly M[] | undefined {
  if (steering !== undefined && steering.length > 0) return undefined;
  return initialMessages === undefined || responseMessages === undefined ? messages : [...initialMessages, ...responseMessages];
}

function modelName(model: unknown): string {
  if (typeof model === "string") return model;
  const { modelId } = (model ?? {}) as { readonly modelId?: unknown };
  return typeof modelId === "string" && modelId !== "" ? modelId : "unknown";
}
