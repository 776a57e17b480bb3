import type { Agent } from "../agent.ts";
import { playTasks } from "../play-tasks.ts";
import { ProxyRefused } from "../processes.ts";
import { answered, sentBytes, withSession } from "../run.ts";
import { check, checkFinished, checkValid, type Check, type Outcome, type Scenario } from "../scenario.ts";
import { MAIN, pause, promptFor, stepsOf } from "../task.ts";
import type { Scratch } from "../workspace.ts";
import { until } from "../until.ts";

const CALLS = 40;
/** Steps in which nothing happens, so that the proxy can be killed between two requests. */
const PAUSES: readonly number[] = [3, 18, 19, 35];
const PAUSE_SECONDS = 4;
/** So that much is shortened when it is killed. */
const TIGHT: readonly string[] = ["--policy", "tight"];
const ALMOST = 0.01;

/** The proxy is killed between requests and started again: what it sends must not change. */
export const restart: Scenario = {
  name: "restart",
  about: "the proxy is killed between requests, and a new one goes on from its store",
  isFor: () => true,
  async run(agent, scratch): Promise<Outcome> {
    try {
      const steady = await once(agent, scratch, false);
      const killed = await once(agent, scratch, true);
      const isSame = Math.abs(killed.bytes / steady.bytes - 1) <= ALMOST && killed.requests === steady.requests;
      return {
        checks: [
          ...steady.checks,
          ...killed.checks,
          check(
            "it sends what it sends without being killed",
            isSame,
            `${killed.requests} requests of ${killed.bytes} bytes, else ${steady.requests} of ${steady.bytes}`,
          ),
        ],
        numbers: { bytesWithoutKills: steady.bytes, bytes: killed.bytes },
      };
    } catch (error) {
      if (!(error instanceof ProxyRefused)) throw error;
      return { checks: [{ name: "the proxy is killed and started again", state: "unavailable", detail: error.message.trim() }], numbers: {} };
    }
  },
};

async function once(
  agent: Agent,
  scratch: Scratch,
  kills: boolean,
): Promise<{ readonly checks: readonly Check[]; readonly bytes: number; readonly requests: number }> {
  const place = scratch.fresh();
  const name = kills ? "killed" : "not killed";
  const store = scratch.path(`${agent.name}-${kills ? "killed" : "steady"}.db`);
  const own = stepsOf(agent, CALLS, false);
  const steps = PAUSES.reduce((list, at) => list.toSpliced(at, 0, pause(agent, PAUSE_SECONDS)), own);
  const script = playTasks([{ name: MAIN, steps }], place);
  let pauses = 0;
  const counting: typeof script = (request) => {
    const turn = script(request);
    if (JSON.stringify(turn.calls ?? []).includes(`sleep ${PAUSE_SECONDS}`)) pauses++;
    return turn;
  };
  return withSession({ agent, place, script: counting, proxied: ["--store", `sqlite:${store}`, ...TIGHT] }, async (session) => {
    const running = session.start({ prompt: promptFor(MAIN), continues: false });
    for (const [index] of kills ? PAUSES.entries() : []) {
      if (await until(() => pauses > index, running.ended)) await session.proxy?.restart();
    }
    const ended = await running.ended;
    const requests = answered(session.double);
    return { checks: [checkFinished(`${name}: it finishes`, ended), ...checkValid(name, session)], bytes: sentBytes(requests), requests: requests.length };
  });
}
