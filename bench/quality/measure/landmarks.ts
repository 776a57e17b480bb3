import { blocksOf, isToolResult, isToolUse, resultText, type Message, type ToolResultBlock } from "../../../src/messages/message.ts";
import { leavesOf, unescaped } from "./segments.ts";

const WRITING = /write|edit|patch|replace|insert|create_file|create$|update_file|append/i;
const PATH_KEYS = /^(?:file_?path|path|notebook_path|target_file|file_?name|file)$/i;

/** The files that a message's calls make or change, as they are named there. */
export function filesChangedBy(message: Message): readonly string[] {
  return blocksOf(message)
    .filter(isToolUse)
    .flatMap(({ name, input }) => {
      const leaves = leavesOf(input);
      const isView = leaves.some(({ key, value }) => key === "command" && value === "view");
      const named = WRITING.test(name) && !isView ? leaves.flatMap(({ key, value }) => (PATH_KEYS.test(key) ? [String(value)] : [])) : [];
      const texts = leaves.map(({ value }) => String(value));
      const patched = texts.flatMap((text) => [...text.matchAll(/^\*\*\* (?:Update|Add) File: (.+)$/gm)].map(([, path = ""]) => path.trim()));
      const written = texts.flatMap((text) => [...text.matchAll(/(?:^|[;&|]\s*)cat\s+(?:<<\s*\S+\s*)?>\s*([\w./-]+)/gm)].map(([, path = ""]) => path));
      return [...named, ...patched, ...written].filter((path) => path.length >= 3 && path.length <= 300);
    });
}

/** A failed call, and the words by which its failure is known. */
export interface ToolError {
  readonly position: number;
  readonly text: string;
}

const MAX_ERROR_CHARS = 200;
const ERROR_LINE = /\b(?:error|exception|failed|failure|fatal|panic|traceback|denied|not found|no such)\b/i;

export interface ErrorsOfLog {
  lastBefore(position: number): ToolError | undefined;
  /** The newest earlier failure of a call that the message at this position makes again, to the letter. */
  failureRepeatedAt(position: number): ToolError | undefined;
}

export function findErrors(log: readonly Message[]): ErrorsOfLog {
  const errors: ToolError[] = [];
  const failures = new Map<string, ToolError[]>();
  const waiting = new Map<string, string>();
  for (const [position, message] of log.entries()) {
    for (const block of blocksOf(message)) {
      if (isToolUse(block)) waiting.set(block.id, callKey(block.name, block.input));
      if (!isToolResult(block) || !isFailure(block)) continue;
      const error = { position, text: errorText(block) };
      if (error.text === "") continue;
      errors.push(error);
      const key = waiting.get(block.tool_use_id);
      if (key !== undefined) failures.set(key, [...(failures.get(key) ?? []), error]);
    }
  }
  return {
    lastBefore: (position) => errors.findLast((error) => error.position < position),
    failureRepeatedAt: (position) => {
      const message = log[position];
      const keys = message === undefined ? [] : blocksOf(message).filter(isToolUse).map(({ name, input }) => callKey(name, input)); // prettier-ignore
      return keys.flatMap((key) => failures.get(key) ?? []).findLast((error) => error.position < position);
    },
  };
}

function callKey(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input)}`;
}

function isFailure(block: ToolResultBlock): boolean {
  return (
    block.is_error === true || /^\s*(?:(?:\w+)?error\b|traceback \(|<tool_use_error>|exit code [1-9]|<returncode>[1-9])/i.test(resultText(block).slice(0, 200))
  );
}

/** Its first line that names the failure, else its first line: what must be there still. */
function errorText(block: ToolResultBlock): string {
  const lines = unescaped(resultText(block)).split("\n").map((line) => line.trim()).filter((line) => line.length >= 4); // prettier-ignore
  return (lines.find((line) => ERROR_LINE.test(line)) ?? lines[0] ?? "").slice(0, MAX_ERROR_CHARS);
}
