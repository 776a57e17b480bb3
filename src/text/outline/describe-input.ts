import { quoteHead } from "../quote.ts";

/** The arguments that say most about a call, best first. A call without any of these is described by its first arguments. */
const KEY_ARGUMENTS: readonly string[] = ["file_path", "filePath", "path", "notebook_path", "command", "cmd", "pattern", "query", "url"];
/** Arguments that are long and say little in their first characters. */
const CONTENT_ARGUMENTS: ReadonlySet<string> = new Set(["content", "file_text", "old_string", "new_string", "old_str", "new_str", "oldText", "newText"]);

const MOST_ARGUMENTS = 3;
const ARGUMENT_CHARS = 100;

/** `path="src/a.ts" limit=20`. */
export function describeInput(input: unknown): string {
  if (!isObject(input)) return input === "" || input === undefined ? "" : quoteHead(JSON.stringify(input), ARGUMENT_CHARS);
  const known = KEY_ARGUMENTS.filter((key) => Object.hasOwn(input, key));
  const keys = known.length > 0 ? known : Object.keys(input).filter((key) => !CONTENT_ARGUMENTS.has(key));
  return keys
    .slice(0, MOST_ARGUMENTS)
    .map((key) => `${/^\w{1,60}$/.test(key) ? key : quoteHead(key, 60)}=${describeValue(input[key])}`)
    .join(" ");
}

function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null;
}

const IN_FOLDER = /^\s*cd (?:"[^"\n]*"|'[^'\n]*'|[^\s;&|"']+) && (?=\S)/;

/** Removes the `cd` before a command: where it runs says less than what it runs. */
export function withoutFolder(command: string): string {
  return command.replace(IN_FOLDER, "");
}

function describeValue(value: unknown): string {
  if (typeof value === "string") return quoteHead(withoutFolder(value), ARGUMENT_CHARS);
  return typeof value === "object" && value !== null ? quoteHead(JSON.stringify(value), ARGUMENT_CHARS) : String(value);
}
