import { createHash } from "node:crypto";
import { headLength } from "../formats/head-of-log.ts";
import type { Trajectory } from "../formats/transcripts/load-transcript.ts";
import { blocksOf, isText } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";

const ID_LENGTH = 16;

/** What stands before the messages of every request of a trajectory. */
export interface ReplayHead {
  /** Of system and tools. */
  readonly id: string;
  /** How many messages of the log belong to it: in some formats the system speaks in messages. */
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

/** A name for a JSON value that follows from what it says. */
export function contentId(json: string): string {
  return createHash("sha256").update(json).digest("hex").slice(0, ID_LENGTH);
}
