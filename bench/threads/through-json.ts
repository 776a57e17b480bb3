/**
 * A copy as it comes from a request or a file. It matters for the time: a string of a literal (`type: "tool_result"`) is one object
 * wherever it stands and is compared by its address, the same string from JSON is an object of its own in every block.
 */
export function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
