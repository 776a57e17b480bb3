import type { Fault } from "../../../src/testing/index.ts";
import type { Agent } from "../agent.ts";
import { playTasks } from "../play-tasks.ts";
import { answered, withSession } from "../run.ts";
import { check, complaintsOf, IN_MEMORY, isFinished, WITHOUT_US, type Check, type Scenario } from "../scenario.ts";
import { MAIN, promptFor, stepsOf, type Step } from "../task.ts";
import type { Scratch } from "../workspace.ts";

const CALLS = 8;
const FAULTY = 4;

interface Trouble {
  readonly name: string;
  readonly change: (step: Step) => Step;
}

const failing = (name: string, fault: Fault, times: number): Trouble => ({ name, change: (step) => ({ ...step, fault: { fault, times } }) });

const TROUBLES: readonly Trouble[] = [
  failing("529, twice", 529, 2),
  failing("429", 429, 1),
  failing("a cut stream", "reset", 1),
  failing("half an event", "half-event", 1),
  failing("an error event", "error-event", 1),
  { name: "an unknown tool", change: (step) => ({ ...step, call: () => ({ name: "no_such_tool", input: {} }) }) },
];

/** What goes wrong ends as it does without us: as well, or as badly. */
export const faults: Scenario = {
  name: "faults",
  about: TROUBLES.map(({ name }) => name).join(", "),
  isFor: () => true,
  async run(agent, scratch) {
    const checks: Check[] = [];
    for (const trouble of TROUBLES) {
      const without = await suffer(agent, scratch, trouble, WITHOUT_US);
      const proxied = await suffer(agent, scratch, trouble, IN_MEMORY);
      checks.push(check(`${trouble.name}: as without us`, proxied === without, proxied === without ? without : `it ${without}; with us it ${proxied}`));
    }
    return { checks, numbers: {} };
  },
};

async function suffer(agent: Agent, scratch: Scratch, { change }: Trouble, proxied: readonly string[] | undefined): Promise<string> {
  const place = scratch.fresh();
  const steps = stepsOf(agent, CALLS, false).map((step, index) => (index === FAULTY ? change(step) : step));
  return withSession({ agent, place, script: playTasks([{ name: MAIN, steps }], place), proxied }, async (session) => {
    const ended = await session.ask({ prompt: promptFor(MAIN), continues: false });
    // What a client does after a cut stream may itself break a rule: then it does so without us too.
    const statuses = answered(session.double).map(({ status, fault, rule }) => `${fault ?? status}${rule === undefined ? "" : ` ${rule}`}`);
    const [complaint] = session.proxy === undefined ? [] : complaintsOf(session.proxy);
    const end = isFinished(ended) ? "finishes" : `ends with ${ended.code}${ended.isTooLong ? ", after too long" : ""}`;
    const troubles = statuses.filter((status) => status !== "200").join(", ");
    return `${end} after ${statuses.length} requests (${troubles})${complaint === undefined ? "" : `; the proxy complains: ${complaint}`}`;
  });
}
