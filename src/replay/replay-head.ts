import { createHash } from "node:crypto";
import { headLength } from "../formats/head-of-log.ts";
import type { Trajectory } from "../formats/transcripts/load-transcript.ts";
import { blocksOf, isText } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";

const ID_LENGTH = 16;

/** The head of every request of a trajectory: what comes before the messages. */
export interface ReplayHead {
  /** A hash of system and tools. */
  readonly id: string;
  /** The number of messages of the log that belong to it: in some formats the system prompt is a message. */
  readonly messages: number;
  readonly system: string;
  readonly tools: readonly object[];
}

export function replayHead({ system, tools = [], log }: Trajectory): ReplayHead {
  const messages = headLength(log);
  const said = log.slice(0, messages).flatMap((message) => blocksOf(message).filter(isText).map(({ text }) => text)); // prettier-ignore
  const head = { system: [...(system === undefined ? [] : [system]), ...said].join("\n\n"), tools: tools.filter(isRecord) };
  return { id: contentId(JSON.stringify(head)), messages, ...head };
}

/** Returns an id for a JSON value, derived from its content. */
export function contentId(json: string): string {
  return createHash("sha256").update(json).digest("hex").slice(0, ID_LENGTH);
}
