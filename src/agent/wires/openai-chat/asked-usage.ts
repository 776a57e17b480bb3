import { isRecord } from "../../../errors/is-record.ts";
import { fieldsOf, objectsIn, without } from "../json-fields.ts";

/** Returns whether a request for a stream asks for its usage. Without that, providers report none. */
function asksForUsage(body: object): boolean {
  return fieldsOf(fieldsOf(body)["stream_options"])["include_usage"] === true;
}

/** Returns the request with `stream_options.include_usage`. Undefined: it already has it. */
export function withUsageAsked(body: object): object | undefined {
  if (asksForUsage(body)) return undefined;
  const { stream_options: options } = fieldsOf(body);
  return { ...body, stream_options: { ...fieldsOf(options), include_usage: true } };
}

/** Returns whether a provider refused a request because it asks for the usage. */
export function refusesUsage(said: string): boolean {
  return /stream_options|include_usage/.test(said);
}

/** Returns a chunk as it would have come without asking for the usage: without the field, or undefined for no chunk. */
export function withoutAskedUsage(chunk: object): object | undefined {
  const { usage, choices } = fieldsOf(chunk);
  if (usage === null) return without(fieldsOf(chunk), ["usage"]);
  return isRecord(usage) && objectsIn(choices).length === 0 ? undefined : chunk;
}
