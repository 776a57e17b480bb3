import type { LogIndex } from "../../messages/index-log.ts";
import { blockAt, type Message, type ToolUseBlock } from "../../messages/message.ts";
import { idsIn, idsNear, lineWithId } from "../../text/outline/result-line.ts";
import type { DigestedCall } from "./digested-call.ts";

/** Ids are near the start of an input: longer inputs hold files. */
const INPUT_CHARS = 4_000;

/** Returns where each id was last passed to a tool. Read once for all digests of a log. */
export function usesOfIds(log: readonly Message[], { calls }: LogIndex): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const call of calls) for (const id of idsOfInput((blockAt(log, call) as ToolUseBlock).input)) uses.set(id, call.position);
  return uses;
}

/** Finds lines with ids that first appeared in their result and were used later. */
export class NewIds {
  readonly #uses: ReadonlyMap<string, number>;
  readonly #seen = new Set<string>();

  constructor(uses: ReadonlyMap<string, number>) {
    this.#uses = uses;
  }

  /** Call it for one call after the other, in order. */
  lineOf({ result, position, input }: DigestedCall): string | undefined {
    for (const id of idsOfInput(input)) this.#seen.add(id);
    const line = lineWithId(result, (id) => !this.#seen.has(id) && (this.#uses.get(id) ?? -1) > position);
    for (const id of idsNear(result)) this.#seen.add(id);
    return line;
  }
}

function idsOfInput(input: unknown): string[] {
  return idsIn(JSON.stringify(input ?? "").slice(0, INPUT_CHARS));
}
