import type { FormatName } from "../../../src/formats/index.ts";
import { blocksOf, isToolUse, type Message } from "../../../src/messages/message.ts";

/** A recorded conversation with one agent, as far as it is measured. */
export interface Recording {
  readonly id: string;
  /** Several attempts at one task are one cluster. */
  readonly task: string;
  /** Where it comes from: the agent that made it. */
  readonly source: string;
  readonly wire: FormatName;
  readonly model: string;
  readonly system: string;
  readonly tools: readonly unknown[];
  readonly log: readonly Message[];
  /** When each message of the log was written down, where the file says so; and by which model. */
  readonly times: readonly (number | undefined)[];
  readonly models: readonly (string | undefined)[];
}

export function countToolCalls(log: readonly Message[]): number {
  return log.flatMap((message) => blocksOf(message).filter(isToolUse)).length;
}
