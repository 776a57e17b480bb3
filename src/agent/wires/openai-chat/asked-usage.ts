import { isRecord } from "../../../errors/is-record.ts";
import { fieldsOf, objectsIn, without } from "../json-fields.ts";

/** Does a request for a stream ask for its usage? Without that, a provider tells none. */
function asksForUsage(body: object): boolean {
  return fieldsOf(fieldsOf(body)["stream_options"])["include_usage"] === true;
}

/** The request, asking for the usage of its stream. Undefined: it does already. */
export function withUsageAsked(body: object): object | undefined {
  if (asksForUsage(body)) return undefined;
  const { stream_options: options } = fieldsOf(body);
  return { ...body, stream_options: { ...fieldsOf(options), include_usage: true } };
}

/** Does a provider refuse a request because it asks for the usage? */
export function refusesUsage(said: string): boolean {
  return /stream_options|include_usage/.test(said);
}

/** A chunk as it would have come, had nobody asked for the usage: without the field, or not at all. */
export function withoutAskedUsage(chunk: object): object | undefined {
  const { usage, choices } = fieldsOf(chunk);
  if (usage === null) return without(fieldsOf(chunk), ["usage"]);
  return isRecord(usage) && objectsIn(choices).length === 0 ? undefined : chunk;
}
