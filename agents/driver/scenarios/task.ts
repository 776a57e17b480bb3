import type { RecordedRequest } from "../../../src/testing/index.ts";
import type { Agent } from "../agent.ts";
import { callId, playTasks, watched, type FirstSights } from "../play-tasks.ts";
import type { Ended } from "../processes.ts";
import { answered, sentBytes, withSession } from "../run.ts";
import { check, checkFinished, checkValid, IN_MEMORY, WITHOUT_US, type Check, type Outcome, type Scenario } from "../scenario.ts";
import { MAIN, promptFor, tasksOf, type Task } from "../task.ts";
import type { Scratch } from "../workspace.ts";

const CALLS = 40;
const MOST_MORE_BYTES = 1.03;
/** Of Anthropic, and of those who pass such requests on to it. */
const MOST_MARKERS = 4;
const LONG_CALLS = 200;
const MOST_OF_LONG = 0.5;

export const task: Scenario = {
  name: "task",
  about: `a task of ${CALLS} tool calls, with a sub-agent where the agent has them`,
  isFor: () => true,
  run: (agent, scratch) => compare(agent, scratch, CALLS, (ratio) => check("at most 3 % more bytes", ratio <= MOST_MORE_BYTES, percent(ratio))),
};

export const long: Scenario = {
  name: "long",
  about: `a task of ${LONG_CALLS} tool calls`,
  isFor: ({ name }) => name === "claude-code",
  run: (agent, scratch) => compare(agent, scratch, LONG_CALLS, (ratio) => check("less than half of the bytes", ratio < MOST_OF_LONG, percent(ratio))),
};

interface Run {
  readonly ended: Ended;
  readonly valid: readonly Check[];
  readonly bytes: number;
  readonly requests: number;
  readonly cacheMisses: number;
  readonly mostMarkers: number;
  readonly firstSights: FirstSights;
}

async function compare(agent: Agent, scratch: Scratch, calls: number, checkBytes: (ratio: number) => Check): Promise<Outcome> {
  const tasks = tasksOf(agent, calls);
  const without = await run(agent, scratch, tasks, WITHOUT_US, "without us");
  const proxied = await run(agent, scratch, tasks, IN_MEMORY, "proxy");
  return {
    checks: [
      checkFinished("without us: it finishes", without.ended),
      checkFinished("proxy: it finishes", proxied.ended),
      ...without.valid,
      ...proxied.valid,
      check("at most four cache markers", proxied.mostMarkers <= MOST_MARKERS, `${proxied.mostMarkers} in one request; without us ${without.mostMarkers}`),
      checkFirstSights(agent, tasks, without.firstSights, proxied.firstSights),
      checkBytes(proxied.bytes / without.bytes),
    ],
    numbers: {
      requestsWithoutUs: without.requests,
      requests: proxied.requests,
      bytesWithoutUs: without.bytes,
      bytes: proxied.bytes,
      cacheMissesWithoutUs: without.cacheMisses,
      cacheMisses: proxied.cacheMisses,
    },
  };
}

async function run(agent: Agent, scratch: Scratch, tasks: readonly Task[], proxied: readonly string[] | undefined, name: string): Promise<Run> {
  const place = scratch.fresh();
  const { script, firstSights } = watched(playTasks(tasks, place));
  return withSession({ agent, place, script, proxied }, async (session) => {
    const ended = await session.ask({ prompt: promptFor(MAIN), continues: false });
    const requests = answered(session.double);
    const cacheMisses = requests.reduce((sum, { counts }) => sum + (counts === undefined ? 0 : counts.uncached + counts.cacheWrite5m + counts.cacheWrite1h), 0);
    return {
      ended,
      valid: checkValid(name, session),
      bytes: sentBytes(requests),
      requests: requests.length,
      cacheMisses,
      mostMarkers: Math.max(...requests.map(markers)),
      firstSights,
    };
  });
}

/** In a text of JSON, a key is the one that stands between bare quotation marks. */
function markers({ raw }: RecordedRequest): number {
  return [
    ...Buffer.from(raw)
      .toString()
      .matchAll(/(?<!\\)"cache_control":/g),
  ].length;
}

/** Of each result that is not too long for it, the model has seen all, as it does without us. */
function checkFirstSights(agent: Agent, tasks: readonly Task[], without: FirstSights, proxied: FirstSights): Check {
  const wrong: string[] = [];
  let compared = 0;
  for (const { name, steps } of tasks) {
    for (const [index, { wholeUpTo }] of steps.entries()) {
      const id = callId(name, index + 1);
      const whole = seen(agent, without, id);
      // A token has three characters or more here: what is near the limit is left out.
      if (whole === undefined || whole.length / 3 > wholeUpTo) continue;
      compared++;
      const shown = seen(agent, proxied, id);
      if (shown !== whole) wrong.push(`${id}: ${difference(whole, shown)}`);
    }
  }
  return check(
    "short results are seen whole at first",
    wrong.length === 0 && compared > 0,
    wrong.length === 0 ? `${compared} results` : wrong.slice(0, 3).join("; "),
  );
}

function seen(agent: Agent, sights: FirstSights, id: string): string | undefined {
  const [, text] = [...sights].find(([key]) => key.includes(id)) ?? [];
  return text === undefined ? undefined : agent.settled(text);
}

function difference(whole: string, shown: string | undefined): string {
  if (shown === undefined) return "never seen";
  let at = 0;
  while (at < whole.length && whole[at] === shown[at]) at++;
  const from = Math.max(0, at - 20);
  return `${whole.length} characters, seen ${shown.length}: ${JSON.stringify(whole.slice(from, from + 80))} became ${JSON.stringify(shown.slice(from, from + 80))}`;
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(1)} % of those without us`;
}
