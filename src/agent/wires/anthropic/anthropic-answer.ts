import { codecOf } from "../../../formats/codecs.ts";
import { invalid } from "../../../errors/palimpsest-error.ts";
import { isRecord } from "../../../errors/is-record.ts";
import type { ReportedUsage } from "../../../messages/usage.ts";
import type { Answer } from "../../front-end/wire.ts";
import { countOf, fieldsOf, objectsIn, type JsonFields } from "../json-fields.ts";
import type { MergeUsage } from "../sum-counts.ts";

type IsHidden = (toolName: string) => boolean;

/** The content is sent back as it came, as by clients that push `message.content` into their messages. */
export function readAnthropicAnswer(raw: object): Answer {
  const { content, usage, stop_reason: reason } = fieldsOf(raw);
  const [message] = codecOf("anthropic").decode([{ role: "assistant", content }]);
  if (message === undefined) throw invalid("INVALID_INPUT", "answer.content", "an array of blocks", content);
  return { message, usage: isRecord(usage) ? readUsage(usage) : undefined, isPaused: reason === "pause_turn" };
}

function readUsage(usage: JsonFields): ReportedUsage {
  const cacheReadTokens = countOf(usage["cache_read_input_tokens"]);
  const cacheWriteTokens = countOf(usage["cache_creation_input_tokens"]);
  const longCacheWriteTokens = Math.min(cacheWriteTokens, countOf(fieldsOf(usage["cache_creation"])["ephemeral_1h_input_tokens"]));
  return {
    inputTokens: countOf(usage["input_tokens"]) + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: countOf(usage["output_tokens"]),
    ...(longCacheWriteTokens === 0 ? {} : { longCacheWriteTokens }),
  };
}

/** Of a usage: what the model read. */
const READ = ["input_tokens", "cache_creation_input_tokens", "cache_creation", "cache_read_input_tokens"];

export function mergeAnthropicAnswers(raws: readonly object[], isHidden: IsHidden, mergeUsage: MergeUsage): object {
  const last = raws.at(-1);
  if (last === undefined) throw invalid("INVALID_INPUT", "answers", "at least one answer", raws);
  const blocks = raws.flatMap((raw) => objectsIn(fieldsOf(raw)["content"]));
  const content = blocks.filter((block) => !isHiddenCall(block, isHidden));
  if (raws.length === 1 && content.length === blocks.length) return last;
  const { stop_reason: reason } = fieldsOf(last);
  const usage = mergeUsage(raws.map(fieldsOf), READ);
  return { ...last, content, stop_reason: reason === "tool_use" && !content.some(isCall) ? "end_turn" : reason, ...usage };
}

function isCall(block: JsonFields): boolean {
  return block["type"] === "tool_use";
}

export function isHiddenCall(block: JsonFields, isHidden: IsHidden): boolean {
  return isCall(block) && typeof block["name"] === "string" && isHidden(block["name"]);
}
