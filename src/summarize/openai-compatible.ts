import { isRecord } from "../errors/is-record.ts";
import { oneOf } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";
import { modelSummarizer, type ModelSummarizerOptions, type RequestOptions } from "./model-options.ts";
import { finished, promptFor } from "./prompt.ts";

/** The part of an `openai` client that is used. */
export interface OpenAIClient {
  readonly chat: {
    readonly completions: {
      create(
        body: {
          model: string;
          messages: ({ role: "system"; content: string } | { role: "user"; content: string })[];
          max_completion_tokens?: number;
          max_tokens?: number;
        },
        options: RequestOptions,
      ): PromiseLike<{ readonly choices: readonly { readonly message: { readonly content: string | null }; readonly finish_reason: string }[] }>;
    };
  };
}

export interface OpenAISummarizerOptions extends ModelSummarizerOptions {
  readonly client: OpenAIClient;
  /** The name of the field for `maxTokens`. Default "max_completion_tokens"; some servers only know "max_tokens". */
  readonly limitField?: "max_completion_tokens" | "max_tokens";
}

/** Returns a summarizer that uses Chat Completions, of OpenAI or any compatible server. Its answers are checked: see `checked`. */
export function openaiCompatible(options: OpenAISummarizerOptions): Summarizer {
  if (!isRecord(options)) throw invalid("INVALID_OPTION", "options", "an object", options);
  const { client, limitField = "max_completion_tokens" } = options;
  if (typeof (client as { readonly chat?: Partial<OpenAIClient["chat"]> } | undefined)?.chat?.completions?.create !== "function")
    throw invalid("INVALID_OPTION", "options.client", "a client of openai", client);
  const fields = { limitField: oneOf("max_completion_tokens", "max_tokens") };
  return modelSummarizer("openai", options, fields, async (input, { model, maxTokens, options: request }) => {
    const { choices } = await client.chat.completions.create(
      {
        model,
        messages: [
          { role: "system", content: input.system },
          { role: "user", content: promptFor(input) },
        ],
        [limitField]: maxTokens,
      },
      request,
    );
    const choice = choices[0];
    return finished({ text: choice?.message.content ?? "", isCutOff: choice?.finish_reason === "length" }, input);
  });
}
