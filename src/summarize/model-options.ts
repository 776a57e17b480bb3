import { count, object, parseOptions, positiveInteger, string, type Field } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";
import { checked, type CheckOptions } from "./checked.ts";
import { withName } from "./with-name.ts";

/** Options of all summarizers that use a model. */
export interface ModelSummarizerOptions {
  /** The model to ask, unless the input names another. */
  readonly model: string;
  /** The most tokens that the model may write. Default 4096. */
  readonly maxTokens?: number;
  /** The time limit of one attempt. Default 60,000. */
  readonly timeoutMs?: number;
  /**
   * How often a request is retried after a 408, 409, 429, 5xx, a timeout or a lost connection. The SDK retries with its own back-off and
   * obeys `retry-after`. This number replaces the client's `maxRetries`, so the two never multiply. Default 2.
   */
  readonly retries?: number;
  /** How answers are checked: see `checked`. `false` turns checks off. */
  readonly check?: CheckOptions | false;
}

/** The options passed to the SDK with the body. */
export interface RequestOptions {
  readonly maxRetries: number;
  readonly timeout: number;
  readonly signal?: AbortSignal;
}

export interface ModelRequest {
  readonly model: string;
  readonly maxTokens: number;
  readonly options: RequestOptions;
}

const check: Field<CheckOptions | false> = {
  expected: "options of checked, or false",
  accepts: (value): value is CheckOptions | false => value === false || object().accepts(value),
};
const FIELDS = { client: object(), model: string, maxTokens: positiveInteger, timeoutMs: positiveInteger, retries: count, check } as const;

/** Builds a summarizer from a request to a model and the check of its answers. */
export function modelSummarizer(
  kind: string,
  options: ModelSummarizerOptions & { readonly client: object },
  moreFields: Readonly<Record<string, Field<unknown>>>,
  ask: (input: Parameters<Summarizer>[0], request: ModelRequest) => Promise<string>,
): Summarizer {
  const given = parseOptions(options, "options", { ...moreFields, ...FIELDS });
  const { model, maxTokens = 4096, timeoutMs = 60_000, retries = 2 } = given;
  if (model === undefined || model === "") throw invalid("INVALID_OPTION", "options.model", "the name of a model", model);
  const request = (input: Parameters<Summarizer>[0]): ModelRequest => ({
    model: input.model ?? model,
    maxTokens,
    options: { maxRetries: retries, timeout: timeoutMs, ...(input.signal === undefined ? {} : { signal: input.signal }) },
  });
  const summarize = withName((input) => ask(input, request(input)), `${kind} ${maxTokens} ${model}`);
  return given.check === false ? summarize : checked(summarize, given.check);
}
