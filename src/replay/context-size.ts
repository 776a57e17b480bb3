import type { Trajectory } from "../formats/transcripts/load-transcript.ts";
import { blocksOf, type Block, type Message } from "../messages/message.ts";
import { contentTokens } from "../tokens/message-tokens.ts";

/** The size of a trajectory, as every command reports it. */
export interface ContextSize {
  /** Messages as the file counts them: the results of one turn may be several. */
  readonly messages: number;
  /** The tokens of all messages, and of the system prompt and tools if the file has them. */
  readonly tokens: number;
}

export function contextSize(trajectory: Trajectory, tokenFactor: number): ContextSize {
  return { messages: nativeMessages(trajectory), tokens: headSize(trajectory, tokenFactor) + messagesSize(trajectory.log, tokenFactor) };
}

function nativeMessages({ entries }: Trajectory): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === "message" ? entry.nativeMessages : 0), 0);
}

export function headSize({ system, tools }: Pick<Trajectory, "system" | "tools">, tokenFactor: number): number {
  return Math.round((contentTokens(system) + contentTokens(tools === undefined ? undefined : JSON.stringify(tools))) * tokenFactor);
}

export function messagesSize(messages: readonly Message[], tokenFactor: number): number {
  return messages.reduce((sum, message) => sum + blocksOf(message).reduce((own, block) => own + blockSize(block, tokenFactor), 0), 0);
}

/** Rounds each block, so that the parts of a context add up. */
export function blockSize(block: Block, tokenFactor: number): number {
  return Math.round(contentTokens([block]) * tokenFactor);
}
