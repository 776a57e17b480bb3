import { compact } from "../src/conversation/index.ts";
import type { Message } from "../src/index.ts";
import { measure, ratioOf, type Plan, type Task } from "./measure.ts";
import { COLD_GOAL } from "./policy.ts";
import { loadCorpus } from "./quality/load-corpus.ts";
import { countToolCalls } from "./quality/measure/recording.ts";
import { median } from "./statistics.ts";

export interface SessionSpeed {
  readonly name: string;
  readonly kilobytes: number;
  readonly jsonMs: number;
  /** A cold `compact` of `balanced` over `JSON.parse` plus `JSON.stringify` of the same messages. */
  readonly cold: number;
}

const LEAST_TOOL_CALLS = 15;

/** There are many sessions and all run the same code, so each needs little warm-up. */
const WARM: Partial<Plan> = { warmUpMs: 300, slowMs: Infinity, rounds: 11, mostRunsPerSample: 20 };

/** Times each recorded session of any format with 15 or more tool calls. */
export async function compareSessions(folder: string, plan: Plan, progress: (text: string) => void): Promise<SessionSpeed[]> {
  progress("reading");
  const { recordings } = await loadCorpus(folder);
  const sessions = recordings.filter(({ log }) => countToolCalls(log) >= LEAST_TOOL_CALLS).map(({ id, log }) => ({ id, text: JSON.stringify(log) }));
  const tasks = sessions.flatMap(({ id, text }): Task[] => [
    { name: `JSON ${id}`, arm: () => () => JSON.stringify(JSON.parse(text)) },
    {
      name: id,
      arm: () => {
        const messages = JSON.parse(text) as Message[];
        return () => compact(messages, { preset: "balanced", model: "claude-opus-5" }).messages;
      },
    },
  ]);
  const measured = await measure(tasks, { ...plan, ...WARM }, progress);
  return sessions.flatMap(({ id, text }, number) => {
    const [json, own] = measured.slice(number * 2, number * 2 + 2);
    return json === undefined || own === undefined ? [] : [{ name: id, kilobytes: text.length / 1e3, jsonMs: json.medianMs, cold: ratioOf(own, json) }];
  });
}

export function printSessionSpeeds(sessions: readonly SessionSpeed[]): string {
  const { inSum, middle, most, within } = overview(sessions);
  return [
    `${sessions.length} recorded sessions of all formats with ${LEAST_TOOL_CALLS} calls of tools or more, each for itself`,
    `  a cold compact, of JSON.parse + JSON.stringify: ${inSum.toFixed(2)} in sum, ${middle.toFixed(2)} in the median, at most ${most.toFixed(1)}; ${within} are within ${COLD_GOAL}`,
    "",
  ].join("\n");
}

export function missedSessionGoals(sessions: readonly SessionSpeed[]): string[] {
  const { within } = overview(sessions);
  return within === sessions.length
    ? []
    : [`${sessions.length - within} of ${sessions.length} sessions: a cold compact above ${COLD_GOAL} of JSON.parse + JSON.stringify`];
}

function overview(sessions: readonly SessionSpeed[]): { inSum: number; middle: number; most: number; within: number } {
  const jsonMs = sessions.reduce((sum, session) => sum + session.jsonMs, 0);
  const ratios = sessions.map(({ cold }) => cold);
  return {
    inSum: sessions.reduce((sum, session) => sum + session.cold * session.jsonMs, 0) / jsonMs,
    middle: median(ratios),
    most: Math.max(...ratios),
    within: ratios.filter((ratio) => ratio <= COLD_GOAL).length,
  };
}
