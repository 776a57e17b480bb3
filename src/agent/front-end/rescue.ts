import type { Edit, Proposal } from "../../edits/edit.ts";
import { capResults } from "../../passes/cap-results/cap-results.ts";
import { collapseRounds } from "../../passes/collapse-rounds/collapse-rounds.ts";
import { pruneTurns } from "../../passes/prune-turns/prune-turns.ts";
import { truncateOldResults } from "../../passes/truncate-old-results/truncate-old-results.ts";
import { sizeOfAll } from "./message-size.ts";
import type { ThreadLog } from "../thread/thread-log.ts";

/** What the provider said when it refused a request as too long: tokens that there were, and that there may be. */
export interface TooLong {
  readonly tokens: number | undefined;
  readonly maximum: number | undefined;
}

const TOO_LONG = /prompt is too long|input is too long|maximum context length|context[ _-]?(length|window)|too many (input )?tokens|request_too_large/i;

/** Do these words of a provider's say that a request is too long? */
export function tooLongIn(text: string): TooLong | undefined {
  if (!TOO_LONG.test(text)) return undefined;
  const anthropic = /(\d+) tokens > (\d+)/.exec(text);
  if (anthropic !== null) return { tokens: Number(anthropic[1]), maximum: Number(anthropic[2]) };
  const maximum = /maximum context length is (\d+)/.exec(text)?.[1];
  const tokens = /resulted in (\d+)/.exec(text)?.[1];
  return { tokens: tokens === undefined ? undefined : Number(tokens), maximum: maximum === undefined ? undefined : Number(maximum) };
}

/** Where nothing is known of how much too long it was, half of it is to go. */
const UNKNOWN_SHARE = 0.5;
/** Room for the answer, and for what estimates are off. */
const MARGIN = 0.8;

/** Shortens the thread, each time harder, until it should fit. Empty: there is nothing left to shorten. */
export function compactHard(thread: ThreadLog, { tokens, maximum }: TooLong, named: boolean): Edit[] {
  const share = tokens === undefined || maximum === undefined ? UNKNOWN_SHARE : (maximum / tokens) * MARGIN;
  const limit = shownTokens(thread) * share;
  const made: Edit[] = [];
  for (const step of STEPS) {
    if (shownTokens(thread) <= limit) break;
    made.push(...thread.propose(step(thread, limit), named));
  }
  return made;
}

const STEPS: readonly ((thread: ThreadLog, limit: number) => Proposal[])[] = [
  (thread) => truncateOldResults(thread.parsed.log, othersThan(thread, "cap-results"), { ...thread.parsed, retainChars: 500 }),
  (thread) => collapseRounds(thread.parsed.log, thread.inForce, { ...thread.parsed, afterTurns: 8, multiToolTurns: true, gistChars: 0 }),
  ...[40, 20, 10, 4].map(
    (maxTurns) => (thread: ThreadLog) => pruneTurns(thread.parsed.log, thread.inForce, { ...thread.parsed, strategy: "summarize", maxTurns }),
  ),
  // A single result may be all that is too long, and the newest one may be cut as at ingest.
  (thread, limit) => capResults(thread.parsed.log, [], { ...thread.parsed, maxTokens: Math.floor(limit / 2) }),
];

function othersThan(thread: ThreadLog, pass: string): readonly Edit[] {
  return thread.inForce.filter((edit) => edit.pass !== pass);
}

function shownTokens(thread: ThreadLog): number {
  return sizeOfAll(thread.view().messages);
}
