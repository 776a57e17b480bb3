import { invalid } from "../../errors/palimpsest-error.ts";
import { isRecord } from "../../errors/is-record.ts";

/** Returns what the provider hashes: the content in key order, without cache markers, which may change freely (F). */
export function contentJson(value: unknown, path: string): string {
  try {
    return JSON.stringify(withoutMarkers(value));
  } catch {
    throw invalid("INVALID_INPUT", path, "something that can be written as JSON", value);
  }
}

/** Removes markers only where they are allowed: a field of that name in the input of a call is content. */
function withoutMarkers(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { cache_control: _marker, prompt_cache_breakpoint: _breakpoint, ...content } = value;
  if (value["type"] !== "tool_result" || !Array.isArray(content["content"])) return content;
  return { ...content, content: content["content"].map(withoutMarkers) };
}
