import type { Agent } from "../agent.ts";
import { playTasks } from "../play-tasks.ts";
import { answered, sentBytes, withSession } from "../run.ts";
import { check, checkFinished, checkValid, type Check, type Scenario } from "../scenario.ts";
import { MAIN, promptFor, tasksOf } from "../task.ts";
import type { Scratch } from "../workspace.ts";

const CALLS = 16;
/** Results are shortened early, and both threads of the proxy have their part. */
const OPTIONS: readonly string[] = ["--policy", "tight", "--large-body-bytes", "60000"];
/** Ids and times. */
const ALMOST = 0.001;

/** Every request finds a proxy that has just been started, and knows nothing but what is in its store. */
export const restarts: Scenario = {
  name: "restarts",
  about: "the proxy is killed before every request",
  isFor: () => true,
  async run(agent, scratch) {
    const steady = await once(agent, scratch, false);
    const killed = await once(agent, scratch, true);
    const different = steady.bytes.filter((bytes, number) => Math.abs((killed.bytes[number] ?? 0) / bytes - 1) > ALMOST);
    return {
      checks: [
        ...steady.checks,
        ...killed.checks,
        check(
          "every request is what it is without being killed",
          different.length === 0 && killed.bytes.length === steady.bytes.length,
          `${killed.bytes.length} requests, else ${steady.bytes.length}; ${different.length} are of another size`,
        ),
      ],
      numbers: { requests: killed.bytes.length },
    };
  },
};

async function once(agent: Agent, scratch: Scratch, kills: boolean): Promise<{ readonly checks: readonly Check[]; readonly bytes: readonly number[] }> {
  const place = scratch.fresh();
  const name = kills ? "killed" : "not killed";
  const proxied = ["--store", `sqlite:${scratch.path(`${agent.name}-restarts-${kills ? "killed" : "steady"}.db`)}`, ...OPTIONS];
  return withSession({ agent, place, script: playTasks(tasksOf(agent, CALLS), place), proxied, restarts: kills }, async (session) => {
    const ended = await session.ask({ prompt: promptFor(MAIN), continues: false });
    return {
      checks: [checkFinished(`${name}: it finishes`, ended), ...checkValid(name, session)],
      // A sub-agent asks at the same time as its parent: which of them comes first differs from run to run.
      bytes: answered(session.double)
        .map((request) => sentBytes([request]))
        .sort((a, b) => a - b),
    };
  });
}
