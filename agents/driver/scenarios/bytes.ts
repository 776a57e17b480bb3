import { playTasks } from "../play-tasks.ts";
import { withSession } from "../run.ts";
import { check, checkFinished, checkValid, type Scenario } from "../scenario.ts";
import { MAIN, promptFor, tasksOf } from "../task.ts";

/** Too few for anything to be shortened. */
const CALLS = 16;
const UNTOUCHED: readonly string[] = ["--store", "memory", "--tools", "off"];

/** Where there is nothing to do, the provider gets what the agent wrote. */
export const bytes: Scenario = {
  name: "bytes",
  about: "without our tools and with nothing to shorten, the provider gets the agent's own bytes",
  isFor: () => true,
  async run(agent, scratch) {
    const place = scratch.fresh();
    const script = playTasks(tasksOf(agent, CALLS), place);
    return withSession({ agent, place, script, proxied: UNTOUCHED, listens: true }, async (session) => {
      const ended = await session.ask({ prompt: promptFor(MAIN), continues: false });
      const came = session.double.requests.map(({ raw }) => textOf(raw));
      const sent = session.sent.map(textOf);
      const changed = came.filter((body) => !sent.includes(body));
      const [first = ""] = changed;
      const original = sent[came.indexOf(first)] ?? "";
      return {
        checks: [
          checkFinished("proxy: it finishes", ended),
          ...checkValid("proxy", session),
          check(
            "all bodies are the agent's own",
            changed.length === 0,
            changed.length === 0 ? "" : `${changed.length} of ${came.length} are not: ${firstDifference(original, first)}`,
          ),
        ],
        numbers: { requests: came.length, changed: changed.length },
      };
    });
  },
};

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString();
}

function firstDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const from = Math.max(0, at - 60);
  return `${one.slice(from, at + 100)}   became   ${other.slice(from, at + 100)}`;
}
