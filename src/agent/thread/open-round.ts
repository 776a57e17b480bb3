import { invalid, PalimpsestError } from "../../errors/palimpsest-error.ts";
import { blockAt, textBlock, type Block, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { responseAround } from "../../passes/hold-back.ts";
import { compactTool, CONTINUE } from "../../conversation/tools/compact-tool.ts";
import type { Conversation } from "../../conversation/conversation.ts";

/** The calls of the last response, and their results so far. The results go to the model together, in the order of the calls (A2.4). */
export class OpenRound {
  /** The position of the response. */
  readonly position: number;
  readonly calls: readonly ToolUseBlock[];
  readonly #results: readonly (ToolResultBlock | undefined)[];

  private constructor(position: number, calls: readonly ToolUseBlock[], results: readonly (ToolResultBlock | undefined)[]) {
    this.position = position;
    this.calls = calls;
    this.#results = results;
  }

  /** Undefined: no call waits for a result. */
  static of(conversation: Conversation, held: readonly ToolResultBlock[]): OpenRound | undefined {
    const { log, index } = conversation;
    if (log.at(-1)?.role !== "assistant") return undefined;
    const { from } = responseAround(log, log.length - 1);
    const open = index.calls.filter((call) => call.position >= from && !call.server && call.result === undefined);
    if (open.length === 0) return undefined;
    const calls = open.map((call) => blockAt(log, call) as ToolUseBlock);
    return new OpenRound(from, calls, new Array<undefined>(calls.length).fill(undefined)).with(held, "held");
  }

  get results(): readonly ToolResultBlock[] {
    return this.#results.filter((result) => result !== undefined);
  }

  get missing(): readonly ToolUseBlock[] {
    return this.calls.filter((_, number) => this.#results[number] === undefined);
  }

  /** Returns the round with more results. A result belongs to the first call with its id that has none. */
  with(given: readonly ToolResultBlock[], path: string): OpenRound {
    const results = [...this.#results];
    given.forEach((result, number) => {
      const index = this.calls.findIndex((call, place) => call.id === result.tool_use_id && results[place] === undefined);
      if (index !== -1) {
        results[index] = result;
        return;
      }
      if (this.calls.some((call) => call.id === result.tool_use_id))
        throw invalid("INVALID_INPUT", `${path}.${number}.tool_use_id`, "a call that has no result yet", result.tool_use_id);
      throw callUnknown(result.tool_use_id, this.missing);
    });
    return new OpenRound(this.position, this.calls, results);
  }

  /** Returns what the model gets. If only calls of `compact` were answered, all of it leaves the view, and the model is told to continue. */
  content(): Block[] {
    const isCompacted = this.calls.every((call, number) => call.name === compactTool.name && this.#results[number]?.is_error !== true);
    return isCompacted ? [...this.results, textBlock(CONTINUE)] : [...this.results];
  }
}

export function callUnknown(id: string, open: readonly ToolUseBlock[]): PalimpsestError {
  const calls = open.map((call) => call.id);
  const choices = calls.length === 0 ? "No call waits for a result." : `These calls wait for one: ${calls.join(", ")}.`;
  return new PalimpsestError("CALL_UNKNOWN", `There is no open call ${JSON.stringify(id)}. ${choices}`, { id, calls });
}
