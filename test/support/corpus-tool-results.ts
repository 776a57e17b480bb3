/**
 * The texts of all tool results in the corpus of recorded trajectories, whatever harness recorded them. It reads just enough of each
 * format to find them, and shares nothing with `src/formats`: it is there to measure estimates, not to rebuild conversations.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { gunzipSync } from "node:zlib";
import { strFromU8, unzipSync } from "fflate";
import { CORPUS_OPEN } from "./corpus.ts";

export interface CorpusToolResult {
  /** `folder/file` inside the corpus. */
  readonly file: string;
  readonly text: string;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Where a harness keeps its tool results; one that is missing here would silently not be measured, so `readCorpusToolResults` refuses it. */
const RESULTS_BY_HARNESS: Readonly<Record<string, (file: string) => Json[]>> = {
  "claude-code": (file) =>
    jsonLines(file)
      .flatMap((line) => list(at(line, "message", "content")))
      .filter((block) => at(block, "type") === "tool_result")
      .map((block) => at(block, "content")),
  codex: (file) =>
    jsonLines(file)
      .map((line) => at(line, "payload"))
      .filter((item) => ["function_call_output", "custom_tool_call_output"].includes(text(at(item, "type"))))
      .map((item) => at(item, "output")),
  "copilot-cli": (file) =>
    jsonLines(file)
      .filter((event) => at(event, "type") === "tool.execution_complete")
      .map((event) => at(event, "data", "result", "content")),
  "gemini-cli": (file) =>
    list(at(json(file), "messages"))
      .flatMap((message) => list(at(message, "toolCalls")))
      .flatMap((call) => list(at(call, "result")))
      .map((part) => at(part, "functionResponse", "response", "output")),
  inspect: (file) =>
    Object.entries(unzipSync(readFileSync(file)))
      .filter(([name]) => name.startsWith("samples/"))
      .flatMap(([, bytes]) => toolMessages(at(parse(strFromU8(bytes)), "messages"))),
  "langgraph-deerflow": (file) =>
    list(at(json(file), "values", "messages"))
      .filter((message) => at(message, "type") === "tool")
      .map((message) => at(message, "content")),
  livemcpbench: (file) => list(json(file)).flatMap((task) => toolMessages(at(task, "messages"))),
  // Text actions: a result is a user message of this form.
  "mini-swe-agent": (file) =>
    list(at(json(file), "messages"))
      .map((message) => at(message, "content"))
      .filter((content) => text(content).startsWith("<returncode>")),
  opencode: (file) =>
    list(at(json(file), "messages"))
      .flatMap((message) => list(at(message, "parts")))
      .filter((part) => at(part, "type") === "tool")
      .map((part) => at(part, "state", "output")),
  "openhands-events": (file) =>
    jsonLines(file)
      .flatMap((run) => list(at(run, "history")))
      .filter((event) => at(event, "observation") !== null && at(event, "tool_call_metadata") !== null)
      .map((event) => at(event, "content")),
  "openhands-llm": (file) => toolMessages(at(json(file), "messages")),
  pi: (file) =>
    jsonLines(file)
      .map((line) => at(line, "message"))
      .filter((message) => at(message, "role") === "toolResult")
      .map((message) => at(message, "content")),
  "swe-agent": (file) => toolMessages(at(json(file), "history")),
  "tau-bench": (file) => list(json(file)).flatMap((run) => toolMessages(at(run, "traj"))),
  "tau2-bench": (file) => list(at(json(file), "simulations")).flatMap((run) => toolMessages(at(run, "messages"))),
};

/** Empty where the corpus is not there. */
export function readCorpusToolResults(): CorpusToolResult[] {
  if (!existsSync(CORPUS_OPEN)) return [];
  return globSync(`${CORPUS_OPEN}/*/*`)
    .sort()
    .flatMap((path) => {
      const harness = basename(dirname(path));
      const results = RESULTS_BY_HARNESS[harness];
      if (results === undefined) throw new Error(`No reader for the tool results of ${harness} (${path})`);
      const file = `${harness}/${basename(path)}`;
      return results(path).map((content) => ({ file, text: text(content) }));
    });
}

function toolMessages(messages: Json): Json[] {
  return list(messages)
    .filter((message) => at(message, "role") === "tool")
    .map((message) => at(message, "content"));
}

/** A string as it is, blocks as their texts one below the other. */
function text(content: Json): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((block) => at(block, "text"))
    .filter((part) => typeof part === "string")
    .join("\n");
}

function at(value: Json, ...path: readonly string[]): Json {
  let found: Json = value;
  for (const key of path) found = typeof found === "object" && found !== null && !Array.isArray(found) ? ((found as Record<string, Json>)[key] ?? null) : null;
  return found;
}

function list(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function json(file: string): Json {
  return parse(read(file));
}

function jsonLines(file: string): Json[] {
  return read(file)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parse);
}

function parse(source: string): Json {
  return JSON.parse(source) as Json;
}

function read(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}
