import { createHash } from "node:crypto";
import { resultText, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";

/** Results that say again what is in the context, or no longer hold. */
export interface Repeats {
  readonly duplicates: readonly RepeatedResult[];
  readonly duplicateTokens: number;
  readonly superseded: readonly RepeatedResult[];
  readonly supersededTokens: number;
}

export interface RepeatedResult {
  readonly position: number;
  readonly tool: string;
  /** The file, or the arguments. */
  readonly of: string;
  readonly tokens: number;
  /** Where the same text stands already, or where the newer state is. */
  readonly other: number;
}

/** Shorter results cost less than a reference to another would. */
const WORTH_TOKENS = 50;
const PATH_FIELDS = ["file_path", "filePath", "path", "notebook_path", "target_file", "filename", "file"];
const WRITES = /write|edit|patch|replace|insert|create|update|delete|append/i;

interface KnownRead {
  readonly position: number;
  readonly tool: string;
  readonly tokens: number;
}

/** Keeps a hash of each result and the last read of each file. */
export function createRepeatFinder(): { add(call: ToolUseBlock, result: ToolResultBlock, position: number, tokens: number): void; finish(): Repeats } {
  const firstWith = new Map<string, number>();
  const reads = new Map<string, KnownRead>();
  const duplicates: RepeatedResult[] = [];
  const superseded: RepeatedResult[] = [];

  const supersede = (of: string, position: number): void => {
    const read = reads.get(of);
    reads.delete(of);
    if (read !== undefined && read.tokens >= WORTH_TOKENS) superseded.push({ ...read, of, other: position });
  };

  return {
    add(call, result, position, tokens) {
      const path = pathIn(call.input);
      const isWrite = WRITES.test(call.name);
      const of = path ?? `${call.name} ${JSON.stringify(call.input)}`.slice(0, 200);
      if (tokens >= WORTH_TOKENS) {
        const hash = createHash("sha256").update(resultText(result)).digest("base64");
        const other = firstWith.get(hash);
        if (other === undefined) firstWith.set(hash, position);
        else duplicates.push({ position, tool: call.name, of, tokens, other });
      }
      if (path !== undefined && isWrite) supersede(`read ${path}`, position);
      if (isWrite) return;
      // The same file may be read in parts: only the same arguments read the same thing again.
      const key = path === undefined ? of : `read ${path}`;
      const known = reads.get(key);
      if (known !== undefined && (path === undefined || !hasRange(call.input))) supersede(key, position);
      reads.set(key, { position, tool: call.name, tokens });
    },
    finish: () => ({ duplicates, duplicateTokens: sum(duplicates), superseded: superseded.map(named), supersededTokens: sum(superseded) }),
  };
}

function pathIn(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  const [path] = PATH_FIELDS.flatMap((field) => (typeof fields[field] === "string" ? [fields[field]] : []));
  return path;
}

const RANGE_FIELDS = ["offset", "limit", "view_range", "start_line", "end_line", "lines", "range"];

function hasRange(input: unknown): boolean {
  return typeof input === "object" && input !== null && RANGE_FIELDS.some((field) => field in input);
}

function named(repeat: RepeatedResult): RepeatedResult {
  return { ...repeat, of: repeat.of.replace(/^read /, "") };
}

function sum(repeats: readonly RepeatedResult[]): number {
  return repeats.reduce((total, { tokens }) => total + tokens, 0);
}
