export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list; nothing if it is not a list. */
export function recordsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Parses arguments. Those that are not JSON stay strings. */
export function parseArguments(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the text of a content or an output: a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return recordsOf(content)
    .flatMap(({ text, refusal, stdout, stderr }) => [text, refusal, stdout, stderr])
    .filter((text) => typeof text === "string" && text !== "")
    .join("\n");
}
