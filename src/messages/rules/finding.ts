import type { Place } from "../place.ts";
import type { LogIndex } from "../index-log.ts";
import type { Message } from "../message.ts";
import type { Target } from "../target.ts";
import type { Turn } from "../turns.ts";

/** Something that the provider would refuse. */
export interface Finding {
  /** The number of the rule, as in the provider rule table: "A2.1". */
  readonly rule: string;
  /** The place: "messages.3.content.0". */
  readonly path: string;
  /** The provider's own text, if known. */
  readonly message: string;
}

/** The input of a rule. */
export interface Request {
  readonly messages: readonly Message[];
  readonly turns: readonly Turn[];
  readonly index: LogIndex;
  readonly target: Target;
  /** More messages will follow, so the rules for the last message are off. */
  readonly history: boolean;
}

export type Rule = (request: Request) => readonly Finding[];

export function pathOf(at: Place): string {
  return `messages.${at.position}.content.${at.block}`;
}
