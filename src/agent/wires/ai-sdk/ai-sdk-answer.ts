import { invalid } from "../../../errors/palimpsest-error.ts";
import { codecOf } from "../../../formats/codecs.ts";
import type { Usage } from "../../../messages/usage.ts";
import type { Answer } from "../../front-end/wire.ts";
import { countOf, fieldsOf, objectsIn, type JsonFields } from "../json-fields.ts";
import { sumCounts, sumUsage } from "../sum-counts.ts";
import { promptPartsOf } from "./prompt-parts.ts";

type IsHidden = (toolName: string) => boolean;

export function readAiSdkAnswer(raw: object): Answer {
  const { content, usage, finishReason } = fieldsOf(raw);
  if (!Array.isArray(content)) throw invalid("INVALID_INPUT", "answer.content", "an array of parts", content);
  const [message] = codecOf("ai-sdk").decode([{ role: "assistant", content: promptPartsOf(objectsIn(content)) }]);
  if (message === undefined) throw invalid("INVALID_INPUT", "answer.content", "an array of parts", content);
  // Of the SDK's providers, only Anthropic pauses.
  return { message, usage: readUsage(fieldsOf(usage)), isPaused: fieldsOf(finishReason)["raw"] === "pause_turn" };
}

/** Providers report the total, its parts, or nothing. */
function readUsage(usage: JsonFields): Usage | undefined {
  const { total, noCache, cacheRead, cacheWrite } = fieldsOf(usage["inputTokens"]);
  if (typeof total !== "number" && typeof noCache !== "number") return undefined;
  const cacheReadTokens = countOf(cacheRead);
  const cacheWriteTokens = countOf(cacheWrite);
  const cached = cacheReadTokens + cacheWriteTokens;
  return {
    inputTokens: typeof noCache === "number" ? noCache + cached : Math.max(countOf(total), cached),
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: countOf(fieldsOf(usage["outputTokens"])["total"]),
  };
}

export function mergeAiSdkAnswers(raws: readonly object[], isHidden: IsHidden): object {
  const last = raws.at(-1);
  if (last === undefined) throw invalid("INVALID_INPUT", "answers", "at least one answer", raws);
  const parts = raws.flatMap((raw) => objectsIn(fieldsOf(raw)["content"]));
  const content = parts.filter((part) => !isHiddenCall(part, isHidden));
  if (raws.length === 1 && content.length === parts.length) return last;
  const { finishReason: reason } = fieldsOf(last);
  const stopsToCall = fieldsOf(reason)["unified"] === "tool-calls" && !content.some(isClientCall);
  return {
    ...last,
    content,
    finishReason: stopsToCall ? { unified: "stop", raw: undefined } : reason,
    ...sumUsage(raws.map(fieldsOf)),
    ...mergeMetadata(raws),
  };
}

/** Counts in the provider metadata: Anthropic repeats its own usage there. */
const METADATA_COUNTS = ["usage", "iterations", "cacheCreationInputTokens"];

function mergeMetadata(raws: readonly object[]): JsonFields {
  const all = raws.map((raw) => fieldsOf(fieldsOf(raw)["providerMetadata"]));
  const last = all.at(-1);
  if (last === undefined || Object.keys(last).length === 0) return {};
  const merged = Object.entries(last).map(([provider, metadata]) => {
    const counted = METADATA_COUNTS.filter((name) => (fieldsOf(metadata)[name] ?? undefined) !== undefined);
    const counts = counted.map((name) => [name, sumCounts(all.map((each) => fieldsOf(each[provider])[name]))] as const);
    return [provider, counts.length === 0 ? metadata : { ...fieldsOf(metadata), ...Object.fromEntries(counts) }];
  });
  return { providerMetadata: Object.fromEntries(merged) as JsonFields };
}

/** Returns whether it is a call of a client's tool or a hidden one, not of the provider's. */
function isClientCall({ type, providerExecuted }: JsonFields): boolean {
  return type === "tool-call" && providerExecuted !== true;
}

export function isHiddenCall(part: JsonFields, isHidden: IsHidden): boolean {
  return isClientCall(part) && typeof part["toolName"] === "string" && isHidden(part["toolName"]);
}
