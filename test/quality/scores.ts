import type { CallSize } from "../../bench/quality/measure/cost.ts";
import { COMPANIONS, DRIFT_BUCKETS, GROUPS, type TrajectoryScore } from "../../bench/quality/measure/measure-policy.ts";
import { ShareOfSteps } from "../../bench/quality/measure/share.ts";

export interface MadeScore {
  readonly task: string;
  readonly isLong?: boolean;
  /** Of ten needs at risk. */
  readonly bound: number;
  /** Of one request, none of it cached. */
  readonly tokens: number;
  readonly idleMs?: number;
  readonly sharedTokens?: number;
}

/** What a policy would have scored. */
export function scoreOf({ task, isLong = false, bound, tokens, idleMs = 0, sharedTokens = 0 }: MadeScore): TrajectoryScore {
  const share = (found: number): ShareOfSteps => {
    const made = new ShareOfSteps();
    made.add(found, 10);
    return made;
  };
  const calls: readonly CallSize[] = [{ tokens, sharedTokens, idleMs, recalledTokens: [] }];
  return {
    id: task,
    task,
    source: "test",
    isLong,
    credits: named(GROUPS, () => ({ bound: share(bound), bare: share(0), recoverable: share(0), lost: share(10 - bound) })),
    chance: { bound: share(0), visible: share(0) },
    calls,
    peakTokens: tokens,
    invalidViews: 0,
    faults: [],
    companions: named(COMPANIONS, () => share(10)),
    drift: named(DRIFT_BUCKETS, () => share(10)),
    elapsedMs: 0,
  };
}

function named<K extends string, V>(names: readonly K[], make: () => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, make()])) as Record<K, V>;
}
