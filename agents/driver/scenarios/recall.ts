import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SeenRequest, Turn } from "../../../src/testing/index.ts";
import type { Agent } from "../agent.ts";
import { playTasks, watched } from "../play-tasks.ts";
import { withSession } from "../run.ts";
import { check, checkFinished, checkValid, type Outcome, type Scenario } from "../scenario.ts";
import { MAIN, promptFor, stepsOf } from "../task.ts";
import type { Scratch } from "../workspace.ts";

const CALLS = 60;
const MOST_RECALLS = 3;
/** Its results are shortened early. */
const TIGHT: readonly string[] = ["--store", "memory", "--policy", "tight"];
const CALL_ID = "hidden-recall-";

/** The model asks for what was taken out: the proxy answers, and the agent never hears of it. */
export const recall: Scenario = {
  name: "recall",
  about: "the model recalls what was shortened, and the agent does not see it",
  isFor: () => true,
  run: (agent, scratch) => recallSome(agent, scratch),
};

async function recallSome(agent: Agent, scratch: Scratch): Promise<Outcome> {
  const place = scratch.fresh();
  const play = playTasks([{ name: MAIN, steps: stepsOf(agent, CALLS, false) }], place);
  const asked: string[] = [];
  const { script, firstSights } = watched((request: SeenRequest): Turn => {
    const handle = request.tools.includes("recall") && asked.length < MOST_RECALLS ? newHandle(request, asked) : undefined;
    if (handle === undefined) return play(request);
    asked.push(handle);
    return {
      thinking: "I want to see it again.",
      text: "I look at it again.",
      calls: [{ id: `${CALL_ID}${asked.length}`, name: "recall", input: { handle } }],
    };
  });
  return withSession({ agent, place, script, proxied: TIGHT }, async (session) => {
    const ended = await session.ask({ prompt: promptFor(MAIN), continues: false });
    const answers = [...firstSights].filter(([id]) => id.includes(CALL_ID)).map(([, text]) => text);
    const leaks = filesUnder(place.home).filter((file) => readFileSync(file).includes(CALL_ID));
    return {
      checks: [
        checkFinished("proxy: it finishes", ended),
        ...checkValid("proxy", session),
        check("the model recalls", asked.length === MOST_RECALLS, `${asked.length} handles were shown and asked for`),
        check(
          "it gets what it recalls",
          answers.length === asked.length && answers.every((text) => text.length > 200),
          answers.map((text) => text.slice(0, 100)).join("; "),
        ),
        check("the agent has seen none of it", leaks.length === 0, leaks.join(", ")),
      ],
      numbers: { recalls: asked.length },
    };
  });
}

function newHandle({ messages }: SeenRequest, asked: readonly string[]): string | undefined {
  const texts = messages.flatMap(({ text, results }) => [text, ...results.map((result) => result.text)]);
  return texts
    .flatMap((text) => [...text.matchAll(/\[recall handles?: ([a-z0-9]+(?:-\d+)?)/g)].map(([, handle]) => handle))
    .find((handle) => handle !== undefined && !asked.includes(handle));
}

/** Agents keep their sessions in their homes. */
function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
