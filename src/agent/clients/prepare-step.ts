import { headLength } from "../../formats/head-of-log.ts";
import { codecOf } from "../../formats/codecs.ts";
import type { Message } from "../../messages/message.ts";
import { parseTarget } from "../../messages/target.ts";
import { targetFor } from "../../pricing/target-for.ts";
import { parseFrontEndOptions, type FrontEndOptions } from "../front-end/front-end-options.ts";
import { ClientMessages, type Session } from "../front-end/session.ts";
import { Sessions } from "../front-end/sessions.ts";

/** What of the front end's options applies where only messages are seen: no tools are added, and nothing is sent. */
export type PrepareStepOptions = Omit<FrontEndOptions, "compact" | "recall" | "cache" | "rescue" | "strip">;

/** What `prepareStep` of the AI SDK is given, as far as it is used here. */
interface Step<M> {
  readonly messages: readonly M[];
  readonly initialMessages?: readonly M[];
  readonly responseMessages?: readonly M[];
  readonly steps?: readonly { readonly usage?: { readonly inputTokens?: number | undefined } }[];
  readonly model?: unknown;
  readonly experimental_steeringMessages?: readonly unknown[] | undefined;
}

const codec = codecOf("ai-sdk");

/**
 * For loops that cannot wrap their model: `generateText({ …, prepareStep: palimpsestPrepareStep({ budget: {} }) })`. It shortens what
 * each step sends; `compact` and `recall` need the middleware. If something goes wrong, the step goes on as it was.
 */
export function palimpsestPrepareStep(options: PrepareStepOptions = {}): <M extends object>(step: Step<M>) => { messages?: M[] } {
  const parsed = { ...parseFrontEndOptions(options), compact: false, recall: false };
  const sessions = new Sessions(parsed);
  return <M extends object>(step: Step<M>) => {
    const all = wholeConversation(step);
    if (all === undefined) return {};
    let session: Session | undefined;
    try {
      const log = codec.decode(all);
      const head = headLength(log);
      const client = new ClientMessages(log.slice(head), false);
      const target = parseTarget({ ...targetFor(modelName(step.model), parsed.models), ...parsed.target });
      session = sessions.open(client, target, () => false);
      const isNewAnswer = session.length < client.messages.length;
      session.read(client, target);
      const inputTokens = step.steps?.at(-1)?.usage?.inputTokens;
      if (isNewAnswer && inputTokens !== undefined) session.observed(inputTokens);
      const view: readonly Message[] = session.view({ model: modelName(step.model), headHash: "", atMs: Date.now() }).messages;
      return { messages: codec.encode([...log.slice(0, head), ...view]) as M[] };
    } catch (error) {
      if (session !== undefined) sessions.forget(session);
      parsed.onEvent({ type: "failed", stage: "request", error, sent: "as-it-came" });
      return {};
    }
  };
}

/**
 * What a step returns is what the next one is given, so the whole conversation is put together from its parts. Messages that were
 * put in on the way are in none of them: such a step goes on as it is.
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
