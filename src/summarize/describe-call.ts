import { FAULT } from "../content/kinds/line-signs.ts";
import { quoteHead } from "./quote.ts";

/** The arguments that say what a call was, best first. Where there are none of them, the first ones do. */
const KEY_ARGUMENTS: readonly string[] = ["file_path", "filePath", "path", "notebook_path", "command", "cmd", "pattern", "query", "url"];
/** What is long and says little in its first characters. */
const CONTENT_ARGUMENTS: ReadonlySet<string> = new Set(["content", "file_text", "old_string", "new_string", "old_str", "new_str", "oldText", "newText"]);

const MOST_ARGUMENTS = 3;
const ARGUMENT_CHARS = 100;
const OUTCOME_CHARS = 100;
/** The line that tells an outcome is looked for so near to the start and the end. */
const LOOK_CHARS = 2000;

/** A line that is only a tag says nothing: the end of a reminder. */
const TAG = /^\s*<\/?[\w-]+>\s*$/;

/** What was given as JSON. */
export function describeArguments(json: string): string {
  const input = parsed(json);
  return isObject(input) || json === "" ? describeInput(input) : quoteHead(json, ARGUMENT_CHARS);
}

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

/** Where a command is run says less than what is run. */
const IN_FOLDER = /^\s*cd [^\s;&|]+ && (?=\S)/;

function describeValue(value: unknown): string {
  if (typeof value === "string") return quoteHead(value.replace(IN_FOLDER, ""), ARGUMENT_CHARS);
  return typeof value === "object" && value !== null ? quoteHead(JSON.stringify(value), ARGUMENT_CHARS) : String(value);
}

export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** `ok, 40 lines: | "214 passed"`; behind the `|` stands text from the tool. */
export function describeOutcome(text: string, isError: boolean): string {
  const state = isError ? "error" : "ok";
  if (text.trim() === "") return `${state}, empty`;
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1)) lines++;
  return `${state}, ${lines} line${lines === 1 ? "" : "s"}: | ${quoteHead(tellingLine(text, isError), OUTCOME_CHARS)}`;
}

/** Is there nothing more in the text than what its outcome tells? */
export function isTold(text: string): boolean {
  return text.length <= OUTCOME_CHARS && !text.includes("\n");
}

/** Of an error the first line that names a fault; else the last line, which says how it ended. */
function tellingLine(text: string, isError: boolean): string {
  const head = text.slice(0, LOOK_CHARS);
  const tail = text.slice(-LOOK_CHARS);
  return (isError ? (faultIn(head) ?? faultIn(tail)) : undefined) ?? lastWithLetters(tail) ?? head.split("\n", 1)[0] ?? "";
}

function faultIn(text: string): string | undefined {
  return text.split("\n").find((line) => FAULT.test(line));
}

function lastWithLetters(text: string): string | undefined {
  for (let end = text.length; end > 0;) {
    const feed = text.lastIndexOf("\n", end - 1);
    const line = text.slice(feed + 1, end);
    if (/\p{L}/u.test(line) && !TAG.test(line)) return line;
    end = feed;
  }
  return undefined;
}
