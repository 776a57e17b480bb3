import { createHash } from "node:crypto";
import { pathIn, readingOf } from "../content/calls/call-reads.ts";
import { resultText, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";

/** Results that repeat text of the context, or are outdated. */
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
  /** The position of the same text, or of the newer state. */
  readonly other: number;
}

/** Shorter results cost less than a reference would. */
const WORTH_TOKENS = 50;
type Known = Omit<RepeatedResult, "other">;

/** Keeps a hash of each result, and the last reading of each file and command. */
export function createRepeatFinder(): { add(call: ToolUseBlock, result: ToolResultBlock, position: number, tokens: number): void; finish(): Repeats } {
  const firstWith = new Map<string, number>();
  const readings = new Map<string, Known[]>();
  const duplicates: RepeatedResult[] = [];
  const superseded: RepeatedResult[] = [];

  const supersede = (key: string, other: number): void => {
    for (const known of readings.get(key) ?? []) if (known.tokens >= WORTH_TOKENS) superseded.push({ ...known, other });
    readings.delete(key);
  };

  return {
    add(call, result, position, tokens) {
      const reading = readingOf(call.name, call.input);
      const path = pathIn(call.input);
      const known = { position, tool: call.name, of: path ?? JSON.stringify(call.input).slice(0, 200), tokens };
      if (tokens >= WORTH_TOKENS) {
        const hash = hashOf(resultText(result));
        const other = firstWith.get(hash);
        if (other === undefined) firstWith.set(hash, position);
        else duplicates.push({ ...known, other });
      }
      if (reading === undefined) {
        if (path !== undefined) supersede(`file ${path}`, position);
        return;
      }
      const key = reading.path === undefined ? hashOf(reading.of) : reading.of;
      // A part of a file does not supersede other parts.
      if (reading.part === "") supersede(key, position);
      const others = readings.get(key);
      if (others === undefined) readings.set(key, [known]);
      else others.push(known);
    },
    finish: () => ({ duplicates, duplicateTokens: sum(duplicates), superseded, supersededTokens: sum(superseded) }),
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

function sum(repeats: readonly RepeatedResult[]): number {
  return repeats.reduce((total, { tokens }) => total + tokens, 0);
}
