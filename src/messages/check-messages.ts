import { boolean, parseOptions } from "../errors/parse-options.ts";
import type { Message } from "./message.ts";
import { parseLog } from "./parse-messages.ts";
import { checkCacheMarkers, checkCompaction } from "./rules/compaction-and-cache.ts";
import type { Finding, Rule } from "./rules/finding.ts";
import { checkServerTools } from "./rules/server-tools.ts";
import { checkStructure, checkSystemMessages } from "./rules/structure.ts";
import { checkThinking } from "./rules/thinking.ts";
import { checkPairs, checkToolBlocks } from "./rules/tools.ts";
import { TARGET_FIELDS, withDefaults, type Target } from "./target.ts";
import { turnsOf } from "./turns.ts";

export type { Finding } from "./rules/finding.ts";

const RULES: readonly Rule[] = [
  checkStructure,
  checkSystemMessages,
  checkPairs,
  checkToolBlocks,
  checkServerTools,
  checkThinking,
  checkCompaction,
  checkCacheMarkers,
];

/** `history`: more messages will follow, so the rules for the last message are off. */
export type CheckTarget = Partial<Target> & { readonly history?: boolean };

/** Reports everything that the provider would refuse, as far as messages and target show it. An empty list means that it would accept them. */
export function checkMessages(messages: readonly Message[], target: CheckTarget = {}): Finding[] {
  const { history = false, ...given } = parseOptions(target, "target", { ...TARGET_FIELDS, history: boolean });
  const { index } = parseLog(messages);
  const request = { messages, turns: turnsOf(messages), index, target: withDefaults(given), history };
  return RULES.flatMap((rule) => rule(request));
}
