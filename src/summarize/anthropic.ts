import { isRecord } from "../errors/is-record.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";
import { modelSummarizer, type ModelSummarizerOptions, type RequestOptions } from "./model-options.ts";
import { finished, promptFor } from "./prompt.ts";

/** The part of an `@anthropic-ai/sdk` client that is used. */
export interface AnthropicClient {
  readonly messages: {
    create(
      body: { model: string; max_tokens: number; system: string; messages: { role: "user"; content: string }[] },
      options: RequestOptions,
    ): PromiseLike<{ readonly content: readonly { readonly type: string }[]; readonly stop_reason: string | null }>;
  };
}

export interface AnthropicSummarizerOptions extends ModelSummarizerOptions {
  readonly client: AnthropicClient;
}

/** Returns a summarizer that asks an Anthropic model. Its answers are checked: see `checked`. */
export function anthropic(options: AnthropicSummarizerOptions): Summarizer {
  if (!isRecord(options)) throw invalid("INVALID_OPTION", "options", "an object", options);
  const { client } = options;
  if (typeof (client as Partial<AnthropicClient> | undefined)?.messages?.create !== "function")
    throw invalid("INVALID_OPTION", "options.client", "a client of @anthropic-ai/sdk", client);
  return modelSummarizer("anthropic", options, {}, async (input, { model, maxTokens, options: request }) => {
    const body = { model, max_tokens: maxTokens, system: input.system, messages: [{ role: "user" as const, content: promptFor(input) }] };
    const { content, stop_reason: stopReason } = await client.messages.create(body, request);
    const texts = content.map((block) => ("text" in block && typeof block.text === "string" ? block.text : ""));
    return finished({ text: texts.join(""), isCutOff: stopReason === "max_tokens" }, input);
  });
}
