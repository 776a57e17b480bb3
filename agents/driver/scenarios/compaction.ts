import type { Agent } from "../agent.ts";
import { playTasks } from "../play-tasks.ts";
import { answered, withSession, type Session } from "../run.ts";
import { check, checkFinished, checkValid, IN_MEMORY, WITHOUT_US, type Check, type Scenario } from "../scenario.ts";
import { promptFor, stepsOf } from "../task.ts";
import type { Scratch } from "../workspace.ts";

const BEFORE = 20;
const AFTER = 16;

/** The agent's own compaction, by its command or at its limit, and the work goes on. */
export const compaction: Scenario = {
  name: "compaction",
  about: "the agent's own /compact, and the work goes on",
  isFor: ({ compaction: { by } }) => by !== "none",
  async run(agent, scratch) {
    const without = await compactOnce(agent, scratch, WITHOUT_US, "without us");
    const proxied = await compactOnce(agent, scratch, IN_MEMORY, "proxy");
    return {
      checks: [
        ...without.checks,
        ...proxied.checks,
        check("no more requests than without us", proxied.requests <= without.requests, `${without.requests}, with us ${proxied.requests}`),
      ],
      numbers: { requestsWithoutUs: without.requests, requests: proxied.requests },
    };
  },
};

async function compactOnce(
  agent: Agent,
  scratch: Scratch,
  proxied: readonly string[] | undefined,
  name: string,
): Promise<{ readonly checks: readonly Check[]; readonly requests: number }> {
  const place = scratch.fresh();
  const steps = stepsOf(agent, BEFORE + AFTER, false);
  const tasks =
    agent.compaction.by === "prompt"
      ? [
          { name: "first", steps: steps.slice(0, BEFORE) },
          { name: "second", steps: steps.slice(BEFORE) },
        ]
      : [{ name: "first", steps }];
  const compactsAt = agent.compaction.by === "limit" ? { compactsAt: agent.compaction.tokens } : {};
  return withSession({ agent, place, script: playTasks(tasks, place), proxied, ...compactsAt }, async (session) => {
    const checks = [checkFinished(`${name}: it finishes`, await session.ask({ prompt: promptFor("first"), continues: false }))];
    if (agent.compaction.by === "prompt") {
      const { code, output } = await session.ask({ prompt: agent.compaction.prompt, continues: true });
      checks.push(check(`${name}: ${agent.compaction.prompt} works`, code === 0, code === 0 ? "" : output.slice(-500)));
      checks.push(checkFinished(`${name}: it goes on`, await session.ask({ prompt: promptFor("second"), continues: true })));
    }
    // Claude Code keeps thinking under its new history, is refused by a model that binds it, and tries again without. The proxy leaves it out at once.
    const valid = proxied === undefined ? [] : checkValid(name, session);
    return { checks: [...checks, checkCompacted(name, session), ...valid], requests: answered(session.double).length };
  });
}

/** The summary that the double wrote is in what the model reads afterwards. */
function checkCompacted(name: string, { double }: Session): Check {
  const after = answered(double).filter(({ raw }) => Buffer.from(raw).includes("[progress "));
  return check(`${name}: it compacted`, after.length > 0, after.length > 0 ? `${after.length} requests after it` : "no request has the summary");
}
