/**
 * Returns a copy as if read from a request or a file. This affects times: a literal string (`type: "tool_result"`) is one object
 * everywhere and is compared by address, but the same string from JSON is a separate object in every block.
 */
export function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
