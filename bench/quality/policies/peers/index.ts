import { contestant, countingContestant, type Contestant } from "../contestant.ts";
import { aiPruneMessages } from "./ai.ts";
import { chefCompactHistory, chefCompactMessages } from "./context-chef.ts";
import { langchainClearToolUses, langchainTrimMessages } from "./langchain.ts";
import { mastraTokenLimiter, mastraToolCallFilter } from "./mastra.ts";

/** Several settings of each, none of them crippled. */
export const PEERS: readonly Contestant[] = [
  countingContestant("peer", (tokensOf) => aiPruneMessages(40, 60_000, tokensOf)),
  countingContestant("peer", (tokensOf) => aiPruneMessages(100, 60_000, tokensOf)),
  countingContestant("peer", (tokensOf) => langchainClearToolUses(60_000, tokensOf)),
  countingContestant("peer", (tokensOf) => langchainClearToolUses(100_000, tokensOf)),
  countingContestant("peer", (tokensOf) => langchainTrimMessages(30_000, tokensOf)),
  countingContestant("peer", (tokensOf) => langchainTrimMessages(100_000, tokensOf)),
  countingContestant("peer", (tokensOf) => chefCompactMessages(5, 60_000, tokensOf)),
  countingContestant("peer", (tokensOf) => chefCompactMessages(10, 100_000, tokensOf)),
  countingContestant("peer", (tokensOf) => chefCompactHistory(10, 60_000, tokensOf)),
  countingContestant("peer", (tokensOf) => chefCompactHistory(20, 100_000, tokensOf)),
  contestant("peer", mastraTokenLimiter(60_000)),
  contestant("peer", mastraToolCallFilter(10)),
];
