import { textBlock, type Message } from "../../../src/messages/message.ts";
import type { PolicyView, ReplayStep } from "../../../src/replay/replay-policy.ts";
import { promptShown, showsError } from "./companions.ts";
import type { CallSize } from "./cost.ts";
import { firstSightOf } from "./first-sight.ts";
import { creditIn, type Credit } from "./credit.ts";
import type { PreparedStep, PreparedTrajectory, TrackedNeed } from "./prepare.ts";
import { unescaped } from "./segments.ts";
import { ShareOfSteps, type Share } from "./share.ts";
import { ViewIndex, type IndexedMessage } from "./view-index.ts";

/** Groups of needs. `spoken`: read from a tool, and repeated by the agent or the user since. */
export const GROUPS = ["atRisk", "fresh", "spoken", "self", "prompt", "textAtRisk"] as const;
export type Group = (typeof GROUPS)[number];
export type Credits = Readonly<Record<Credit, Share>>;

/** The measurements of one policy on one trajectory. */
export interface TrajectoryScore {
  readonly id: string;
  readonly task: string;
  readonly source: string;
  readonly isLong: boolean;
  readonly credits: Readonly<Record<Group, Credits>>;
  /** Values of other tasks that are found by chance. */
  readonly chance: { readonly bound: Share; readonly visible: Share };
  readonly calls: readonly CallSize[];
  readonly peakTokens: number;
  readonly invalidViews: number;
  readonly faults: readonly string[];
  readonly companions: Readonly<Record<Companion, Share>>;
  /** Bound recall of what is at risk, by how often the policy had rewritten its view before. */
  readonly drift: Readonly<Record<DriftBucket, Share>>;
  readonly elapsedMs: number;
}

export const COMPANIONS = ["promptShown", "changedFilesListed", "repeatedFailureVisible", "lastErrorKept", "byteStable", "seenWhole", "listsAnswered"] as const;
export type Companion = (typeof COMPANIONS)[number];
export const DRIFT_BUCKETS = ["0", "1-2", "3-9", "10+"] as const;
export type DriftBucket = (typeof DRIFT_BUCKETS)[number];

const LONG_TOKENS = 50_000;
const MAX_FAULTS = 5;

export interface MeasureOptions {
  /** Tokens of the policy's own tools, sent with every request. */
  readonly schemaTokens: number;
}

/** Policies of other packages may be asynchronous. */
export interface MeasuredPolicy {
  readonly name: string;
  start(): { next(log: readonly Message[], step: ReplayStep): PolicyView | Promise<PolicyView> };
}

export async function measurePolicy(prepared: PreparedTrajectory, policy: MeasuredPolicy, { schemaTokens }: MeasureOptions): Promise<TrajectoryScore> {
  const { recording, table, steps, validity } = prepared;
  const { log, id, task, source } = recording;
  const run = policy.start();
  const index = new ViewIndex(table, prepared.tokensOf);
  const inHead = table.hitsIn(unescaped(recording.system));
  const credits = byName(GROUPS, () => byName(CREDITS, newShare));
  const companions = byName(COMPANIONS, newShare);
  const drift = byName(DRIFT_BUCKETS, newShare);
  const chance = { bound: newShare(), visible: newShare() };
  const calls: CallSize[] = [];
  const faults = new Set<string>();
  let invalidViews = 0;
  let rewrites = 0;
  let peakTokens = 0;
  let elapsedMs = 0;
  let before: readonly IndexedMessage[] | undefined;
  let seenTo = 0;

  for (const step of steps) {
    const startedMs = performance.now();
    const { messages, recoverable } = await run.next(log.slice(0, step.position), step.call);
    elapsedMs += performance.now() - startedMs;
    const view = messages.map((message) => index.get(message));
    const shared = sharedPrefix(before, view);
    if (before !== undefined) companions.byteStable.add(shared.isWhole ? 1 : 0, 1);
    if (!shared.isWhole) rewrites++;
    before = view;

    const recalled = new Map<string, number>();
    const creditOf = ({ number, usedIn }: TrackedNeed): Credit => {
      if (inHead.has(number)) return "bound";
      const found = creditIn(view, recoverable, number, table);
      // What only the text says is secondary: it makes no recall.
      if (found.recalled !== undefined && usedIn === "call") recalled.set(found.recalled.handle, prepared.tokensOf(textBlock(found.recalled.text)));
      return found.credit;
    };
    for (const group of GROUPS) {
      const found = step.needs.filter((need) => isIn(group, need)).map(creditOf);
      for (const credit of CREDITS) credits[group][credit].add(found.filter((other) => other === credit).length, found.length);
      if (group === "atRisk") drift[bucketOf(rewrites)].add(found.filter((credit) => credit === "bound").length, found.length);
    }
    const foreign = step.foreign.map((number) => creditIn(view, [], number, table).credit);
    chance.bound.add(foreign.filter((credit) => credit === "bound").length, foreign.length);
    chance.visible.add(foreign.filter((credit) => credit !== "lost").length, foreign.length);

    const head = prepared.headTokens + schemaTokens;
    const tokens = head + view.reduce((sum, message) => sum + message.tokens, 0);
    peakTokens = Math.max(peakTokens, tokens);
    calls.push({ tokens, sharedTokens: shared.isFirst ? 0 : head + shared.tokens, idleMs: step.idleMs, recalledTokens: [...recalled.values()] });
    const added = validity.addedFaults(messages, step.position);
    if (added.length > 0) invalidViews++;
    for (const fault of added) if (faults.size < MAX_FAULTS) faults.add(fault);
    addCompanions(companions, messages, log, step, view);
    const { whole, lists } = firstSightOf(messages, log, seenTo, step.position, prepared.tokensOf);
    companions.seenWhole.add(whole.found, whole.asked);
    companions.listsAnswered.add(lists.found, lists.asked);
    seenTo = step.position;
  }
  return {
    id,
    task,
    source,
    isLong: prepared.fullTokens > LONG_TOKENS,
    credits,
    chance,
    calls,
    peakTokens,
    invalidViews,
    faults: [...faults],
    companions,
    drift,
    elapsedMs,
  };
}

const CREDITS: readonly Credit[] = ["bound", "bare", "recoverable", "lost"];

function isIn(group: Group, { usedIn, atRisk, fresh, origin }: TrackedNeed): boolean {
  switch (group) {
    case "atRisk":
      return usedIn === "call" && atRisk;
    case "fresh":
      return usedIn === "call" && fresh;
    case "spoken":
      return usedIn === "call" && origin === "tool" && !atRisk && !fresh;
    case "self":
    case "prompt":
      return usedIn === "call" && origin === group;
    case "textAtRisk":
      return usedIn === "text" && atRisk;
  }
}

function addCompanions(
  companions: Readonly<Record<Companion, ShareOfSteps>>,
  view: readonly Message[],
  log: readonly Message[],
  { position, changedFiles, lastError, repeatedFailure }: PreparedStep,
  indexed: readonly IndexedMessage[],
): void {
  const prompt = promptShown(view, log, position);
  companions.promptShown.add(prompt.found, prompt.asked);
  companions.changedFilesListed.add(changedFiles.filter((number) => indexed.some(({ holders }) => holders.has(number))).length, changedFiles.length);
  if (lastError !== undefined) companions.lastErrorKept.add(showsError(view, log, lastError) ? 1 : 0, 1);
  if (repeatedFailure !== undefined) companions.repeatedFailureVisible.add(showsError(view, log, repeatedFailure) ? 1 : 0, 1);
}

interface SharedPrefix {
  readonly tokens: number;
  /** True if the previous request is a prefix of this one. */
  readonly isWhole: boolean;
  readonly isFirst: boolean;
}

function sharedPrefix(before: readonly IndexedMessage[] | undefined, view: readonly IndexedMessage[]): SharedPrefix {
  if (before === undefined) return { tokens: 0, isWhole: true, isFirst: true };
  let tokens = 0;
  for (const [number, earlier] of before.entries()) {
    const message = view[number];
    if (message === undefined) return { tokens, isWhole: false, isFirst: false };
    if (message === earlier) {
      tokens += message.tokens;
      continue;
    }
    for (const [place, block] of earlier.blocks.entries()) {
      if (message.blocks[place] !== block) return { tokens, isWhole: false, isFirst: false };
      tokens += message.blockTokens[place] ?? 0;
    }
    // More blocks in the same message: the request continues the previous one, or diverges from it here.
    if (message.blocks.length !== earlier.blocks.length) return { tokens, isWhole: number === before.length - 1, isFirst: false };
  }
  return { tokens, isWhole: true, isFirst: false };
}

function bucketOf(rewrites: number): DriftBucket {
  return rewrites === 0 ? "0" : rewrites < 3 ? "1-2" : rewrites < 10 ? "3-9" : "10+";
}

function newShare(): ShareOfSteps {
  return new ShareOfSteps();
}

function byName<K extends string, V>(names: readonly K[], make: () => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, make()])) as Record<K, V>;
}
