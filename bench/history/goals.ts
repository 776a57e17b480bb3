import type { QuerySpeeds } from "./queries.ts";

export interface Goal {
  readonly goal: string;
  readonly value: number;
  readonly isMet: boolean;
}

/** How much longer a query may take in a full store than in a store with only its thread. */
const QUERY_GOAL = 2;

export function goalsOf({ queries, storeCommits }: QuerySpeeds): Goal[] {
  return queries.map(({ database, query, ratio }) => ({
    goal: `${database}, ${query}: with ${storeCommits.toLocaleString("en")} commits in the store at most ${QUERY_GOAL} times as long`,
    value: ratio,
    isMet: ratio <= QUERY_GOAL,
  }));
}
