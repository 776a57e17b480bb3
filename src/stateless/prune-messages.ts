import type { Message } from "../messages/message.ts";
import type { Target } from "../messages/target.ts";
import { pruneTurns } from "../passes/prune-turns/prune-turns.ts";
import { parsePrunerConfig, type PrunerConfig } from "./pruner-config.ts";
import { parseTargetedLog, renderOnce } from "./render-once.ts";

/** Returns at most `maxTurns` messages, and never splits a call from its result. */
export function pruneMessages(messages: readonly Message[], config: PrunerConfig, target?: Partial<Target>): Message[] {
  const parsed = parsePrunerConfig(config);
  const call = parseTargetedLog(messages, target);
  return renderOnce(call, pruneTurns(call.log, [], { ...call, ...parsed }));
}
