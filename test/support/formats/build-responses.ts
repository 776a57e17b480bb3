/** Builds requests of OpenAI's Responses API as JSON, with no type of the package. `more` adds any other field, or overrides one. */
export type Json = Record<string, unknown>;

export const question: Json = { role: "user", content: "What is in a.txt?" };

export function call(id: string, more: Json = {}): Json {
  return { type: "function_call", call_id: id, name: "read", arguments: "{}", ...more };
}

export function output(id: string, more: Json = {}): Json {
  return { type: "function_call_output", call_id: id, output: "ok", ...more };
}

export function asked(...input: unknown[]): Json {
  return { model: "gpt-5", input };
}
