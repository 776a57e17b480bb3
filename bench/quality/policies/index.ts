import { collapse } from "../../../src/replay/policies/collapse.ts";
import type { PolicyOptions } from "../../../src/policy/policy-options.ts";
import { prune } from "../../../src/replay/policies/prune.ts";
import { between } from "./between.ts";
import { clearToolUses } from "./clear-tool-uses.ts";
import { contestant, countingContestant, type Contestant } from "./contestant.ts";
import { bareTokenDump, fullContext, oracleLines, randomLines, stubEverything } from "./controls.ts";
import { keepLast } from "./keep-last.ts";
import { ours, VARIANTS } from "./ours.ts";
import { plainIngest, plainOnlineRule } from "./plain-rules.ts";
import { seedBudget } from "./seed-budget.ts";
import { unbound } from "./unbound.ts";

/** Part of every run. All others are compared with the first. */
export const CONTROLS: readonly Contestant[] = [
  contestant("control", fullContext),
  contestant("control", stubEverything),
  contestant("control", randomLines(0.2)),
  contestant("control", bareTokenDump),
  { name: "oracle lines, at ingest", kind: "control", policyFor: oracleLines },
];

export const CONTESTANTS: readonly Contestant[] = [
  contestant("baseline", keepLast(3)),
  contestant("baseline", keepLast(10)),
  contestant("baseline", keepLast(3, 10)),
  contestant("baseline", keepLast(10, 10)),
  countingContestant("seed", (tokensOf) => seedBudget(40_000, tokensOf)),
  contestant("seed", unbound("seed 000 collapse, 10", collapse("collapse:10", 10))),
  contestant("seed", unbound("seed 002 window, 50", prune("sliding-window:50", "sliding-window", 50))),
  countingContestant("baseline", (tokensOf) => clearToolUses({ triggerTokens: 100_000, keep: 3, clearAtLeastTokens: 0 }, tokensOf)),
  countingContestant("baseline", (tokensOf) => clearToolUses({ triggerTokens: 30_000, keep: 3, clearAtLeastTokens: 10_000 }, tokensOf)),
  countingContestant("baseline", (tokensOf) => plainOnlineRule(2_000, tokensOf)),
  contestant("baseline", plainIngest(4_000)),
  contestant("ours", ours("gentle", { preset: "gentle" })),
  contestant("ours", ours("balanced", { preset: "balanced" })),
  contestant("ours", ours("tight", { preset: "tight" })),
  ...VARIANTS.map((policy) => contestant("ours", policy)),
];

/** `none` has no numbers to interpolate from, so these are set by hand: less is cut, and digests are made later and of older rounds. */
function milder(firstSightTokens: number, digestTokens: number, digestTailTokens: number, digestTailTurns: number): PolicyOptions {
  return { preset: "balanced", firstSightTokens, firstSightFileTokens: firstSightTokens * 3, digestTokens, digestTailTokens, digestTailTurns };
}

/** Settings between the presets, so that our policies form a curve instead of three points. */
export const SETTINGS_BETWEEN: readonly Contestant[] = [
  contestant("ours", ours("between none and balanced, a third", milder(16_000, 120_000, 60_000, 40))),
  contestant(
    "ours",
    ours("between none and balanced, half", {
      ...milder(8_000, 110_000, 28_000, 17),
      tailTokens: 40_000,
      tailTurns: 30,
      inputTokens: 100,
      digestWithinCalls: 28,
    }),
  ),
  contestant("ours", ours("between none and balanced, two thirds", milder(8_000, 100_000, 15_000, 18))),
  contestant("ours", ours("between none and balanced, sooner", milder(8_000, 70_000, 1_000, 10))),
  contestant("ours", ours("between gentle and balanced", between("gentle", "balanced", 1 / 2))),
  contestant("ours", ours("between gentle and tight", between("gentle", "tight", 1 / 2))),
  contestant("ours", ours("between balanced and tight, a third", between("balanced", "tight", 1 / 3))),
  contestant("ours", ours("between balanced and tight, two thirds", between("balanced", "tight", 2 / 3))),
];

/** Loads other packages, only when they take part: they are installed in `bench/node_modules` only. */
export async function loadPeers(): Promise<readonly Contestant[]> {
  const { PEERS } = await import("./peers/index.ts");
  return PEERS;
}
