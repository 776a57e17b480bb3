import { isRecord } from "../../errors/is-record.ts";

/** Fields of a request that are never changed here, with names that are not ordinary words. */
const CLIENTS =
  "max_tokens|max_completion_tokens|max_output_tokens|max_tool_calls|temperature|top_p|top_k|min_p|top_logprobs|logprobs|logit_bias|presence_penalty|frequency_penalty|" +
  "repetition_penalty|stop_sequences|response_format|output_config|output_format|service_tier|stream_options|tool_choice|parallel_tool_calls|reasoning_effort|" +
  "prompt_cache_key|prompt_cache_retention|safety_identifier|web_search_options|context_management|mcp_servers|inference_geo|previous_response_id";
/** The same for names that are ordinary words: they count only in quotes, or at the start of a path. */
const CLIENTS_WORDS = "model|stop|n|seed|metadata|store|stream|reasoning|verbosity|truncation|include|modalities|background|conversation|container|speed|betas";
/** Other things that are not about the messages: the account, the model, the version of the API. */
const ACCOUNT = "credit balance|billing|quota|usage limits?|spend(?:ing)? limit|insufficient (?:balance|funds|credits?)|organization has been disabled";
const VERSION = "anthropic-(?:version|beta)|api[- ]version|api[-_ ]?key";
const MODEL = String.raw`(?:invalid|unknown|unsupported|valid) model\b|model_not_found|\bmodel \S{0,120} ?(?:does not exist|not found|is invalid|has been (?:decommissioned|retired))`;
/** Fields that we write, and providers' names for parts of them. */
const OURS = String.raw`messages?|input|tools?|tool_(?!choice\b)\w+|functions?|function_\w+|system|instructions|prompts?|thinking|block_binding|thought\w*|signatures?|cache_control|content|roles?|assistant|blocks?|items?`;

const FIRST_NAMED = new RegExp(
  String.raw`\b(?<ours>${OURS})\b|\b(?:${CLIENTS})\b|["'\`](?:${CLIENTS_WORDS})\b|^(?:${CLIENTS_WORDS})[.:[]|${ACCOUNT}|${VERSION}|${MODEL}`,
  "i",
);
const IS_OURS = new RegExp(`^(?:${OURS})$`);
const IS_CLIENTS = new RegExp(`^(?:${CLIENTS}|${CLIENTS_WORDS}|user|text)$`);
const IS_MESSAGES = /^(?:messages?|input|content|roles?|items?)$/i;
/** What may be ours where the messages are not: tools, markers, and the head under which thinking was signed. */
const MAY_BE_ADDED = /\b(?:tools|functions|recall|compact|cache_control|thinking|signatures?)\b/i;
/** Errors can contain other providers' errors, which may be JSON in a text again. */
const MOST_DEEP = 8;

/**
 * Returns whether a provider's 400 may be about the messages or the head of the request, so that another form of them may be accepted. The field that the
 * error names decides, or else the first name in its text. If neither tells, it may.
 */
export function mayMindView(said: string): boolean {
  const error: Said = { fields: [], texts: [] };
  collect(said, error, 0);
  if (error.fields.some((field) => IS_OURS.test(field))) return true;
  if (error.fields.some((field) => IS_CLIENTS.test(field))) return false;
  for (const text of error.texts) {
    const named = FIRST_NAMED.exec(text);
    if (named !== null) return named.groups?.["ours"] !== undefined;
  }
  return true;
}

/** Returns whether a refusal with 400 is about the messages only. If these are the client's own, no other form of the request can help. */
export function mindsMessagesOnly(said: string): boolean {
  if (MAY_BE_ADDED.test(said)) return false;
  const error: Said = { fields: [], texts: [] };
  collect(said, error, 0);
  if (error.fields.length > 0) return error.fields.every((field) => IS_MESSAGES.test(field));
  const named = error.texts.map((text) => FIRST_NAMED.exec(text)).find((found) => found !== null);
  return IS_MESSAGES.test(named?.groups?.["ours"] ?? "");
}

interface Said {
  /** Request fields that the error names: the first part of each path. */
  readonly fields: string[];
  readonly texts: string[];
}

function collect(value: unknown, error: Said, depth: number): void {
  if (depth > MOST_DEEP) return;
  if (typeof value === "string") collectText(value, error, depth);
  else if (Array.isArray(value)) for (const each of value) collect(each, error, depth + 1);
  else if (isRecord(value)) {
    const { param, loc, error: inner, message, msg, detail, metadata, raw, code } = value;
    if (typeof param === "string") error.fields.push(/^\w*/.exec(param)?.[0] ?? "");
    if (Array.isArray(loc)) error.fields.push(String(loc.find((part) => part !== "body")));
    for (const each of [inner, message, msg, detail, metadata, raw, code]) collect(each, error, depth + 1);
  }
}

function collectText(text: string, error: Said, depth: number): void {
  // An SDK's message may have words before the JSON body.
  const start = text.search(/^\s*\[|\{/);
  const value = start === -1 ? undefined : parsed(text.slice(start));
  error.texts.push(value === undefined ? text : text.slice(0, start));
  collect(value, error, depth + 1);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
