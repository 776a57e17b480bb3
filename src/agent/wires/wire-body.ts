import type { Codec } from "../../formats/codec.ts";
import type { WireRequest } from "../front-end/wire.ts";
import { fieldsOf, objectsIn } from "./json-fields.ts";

/** Returns the messages of a request, also decoded. Undefined: there are none, or the codec cannot read all of them. */
export function readMessages(codec: Codec<object, object>, value: unknown): Pick<WireRequest<object>, "messages" | "log"> | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const messages = value as readonly object[];
  try {
    return { messages, log: codec.decode(messages) };
  } catch {
    // The provider will report what is wrong.
    return undefined;
  }
}

/** Returns whether a request's tools are a list, or missing. */
export function areTools(tools: unknown): boolean {
  return tools === undefined || tools === null || Array.isArray(tools);
}

export function namesOf(tools: unknown): readonly string[] {
  return objectsIn(tools).flatMap(({ name }) => (typeof name === "string" ? [name] : []));
}

/**
 * Returns the request with other messages and extra tools. They come before the client's own: there, a cache marker on the client's last tool
 * covers them too, and they keep their place when the client adds a tool.
 */
export function writeBody(request: WireRequest<object>, field: string, messages: readonly object[], tools: readonly object[]): object {
  const { body } = request;
  const changed = messages === request.messages ? {} : { [field]: messages };
  if (tools.length === 0) return messages === request.messages ? body : { ...body, ...changed };
  const { tools: clients } = fieldsOf(body);
  return { ...body, ...changed, tools: Array.isArray(clients) ? [...tools, ...(clients as readonly unknown[])] : tools };
}
