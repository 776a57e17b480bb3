import type { Agent } from "../agent.ts";
import { playTasks } from "../play-tasks.ts";
import { answered, withSession } from "../run.ts";
import { check, checkFinished, checkValid, IN_MEMORY, WITHOUT_US, type Check, type Scenario } from "../scenario.ts";
import { MAIN, pause, promptFor, stepsOf } from "../task.ts";
import type { Scratch } from "../workspace.ts";
import { until } from "../until.ts";

const CALLS = 16;
const KILLED_AFTER = 9;
const LONGER_THAN_THE_TEST = 600;
/** How much of its last turns an agent has written when it is killed differs. */
const SLACK = 3;

/** The agent is killed while a tool runs, and goes on with its session. */
export const resume: Scenario = {
  name: "resume",
  about: "the agent is killed while a tool runs, and its session is continued",
  isFor: () => true,
  async run(agent, scratch) {
    const without = await killAndContinue(agent, scratch, WITHOUT_US, "without us");
    const proxied = await killAndContinue(agent, scratch, IN_MEMORY, "proxy");
    return {
      checks: [
        ...without.checks,
        ...proxied.checks,
        check("hardly more requests than without us", proxied.requests <= without.requests + SLACK, `${without.requests}, with us ${proxied.requests}`),
      ],
      numbers: { requestsWithoutUs: without.requests, requests: proxied.requests },
    };
  },
};

async function killAndContinue(
  agent: Agent,
  scratch: Scratch,
  proxied: readonly string[] | undefined,
  name: string,
): Promise<{ readonly checks: readonly Check[]; readonly requests: number }> {
  const place = scratch.fresh();
  const steps = stepsOf(agent, CALLS, false);
  const script = playTasks([{ name: MAIN, steps: steps.with(KILLED_AFTER, pause(agent, LONGER_THAN_THE_TEST)) }], place);
  const isAsleep = { value: false };
  const noticing: typeof script = (request) => {
    const turn = script(request);
    if (JSON.stringify(turn.calls ?? []).includes(`sleep ${LONGER_THAN_THE_TEST}`)) isAsleep.value = true;
    return turn;
  };
  return withSession({ agent, place, script: noticing, proxied }, async (session) => {
    const first = session.start({ prompt: promptFor(MAIN), continues: false });
    const slept = await until(() => isAsleep.value, first.ended);
    first.kill();
    await first.ended;
    // Whether the call that was cut off is made again is up to the agent: this time it is short.
    session.double.play(playTasks([{ name: MAIN, steps }], place));
    const second = await session.ask({ prompt: `${promptFor(MAIN)} You were interrupted.`, continues: true });
    return {
      checks: [check(`${name}: it works until it is killed`, slept, ""), checkFinished(`${name}: it goes on`, second), ...checkValid(name, session)],
      requests: answered(session.double).length,
    };
  });
}
