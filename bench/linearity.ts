import { taskOf } from "./compare.ts";
import { measure, ratioOf, type Plan } from "./measure.ts";
import { ours } from "./ours/all.ts";
import { syntheticThread } from "./threads/synthetic.ts";
import { jsonParse } from "./yardsticks.ts";

export interface Growth {
  readonly name: string;
  /** Time on 10,000 pairs over time on 1,000 pairs. */
  readonly times: number;
}

/**
 * A quadratic function shows 100. A linear one shows 10, or up to 18 if one call allocates so much that the collector must move live
 * objects; it stays there for even longer threads.
 */
export const LINEAR_AT_MOST = 20;

const GROWTH = 10;
const PAIRS = 1_000;

/**
 * Times our functions on one long thread and, in the same rounds, on ten short ones in turn. Both use the same amount of memory, so that
 * the processor's caches do not affect the result. `JSON.parse`, which is linear, is the reference.
 */
export async function growthOf(plan: Plan, progress: (text: string) => void): Promise<Growth[]> {
  const long = [syntheticThread(GROWTH * PAIRS)];
  const short = Array.from({ length: GROWTH }, (_, index) => syntheticThread(PAIRS, index + 1));
  const subjects = [...ours, jsonParse];
  const tasks = subjects.flatMap((subject) =>
    [short, long].map((threads) =>
      taskOf(
        subject.name,
        threads.map((thread) => subject.load(thread)),
      ),
    ),
  );
  const measured = await measure(tasks, plan, progress);
  return subjects.flatMap(({ name }, index) => {
    const [onShort, onLong] = measured.slice(2 * index, 2 * index + 2);
    return onShort === undefined || onLong === undefined ? [] : [{ name, times: GROWTH * ratioOf(onLong, onShort) }];
  });
}
