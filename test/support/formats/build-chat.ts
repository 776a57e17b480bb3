/** Builds requests of OpenAI's Chat Completions as JSON, with no type of the package. */
export type Json = Record<string, unknown>;

export const question: Json = { role: "user", content: "What is in a.txt?" };

export function call(id: string, name = "read", input: unknown = "{}"): Json {
  return { id, type: "function", function: { name, arguments: input } };
}

export function result(id: string, content: unknown = "ok"): Json {
  return { role: "tool", tool_call_id: id, content };
}

export function asked(...messages: Json[]): Json {
  return { model: "gpt-5", messages };
}
