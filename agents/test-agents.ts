/** Real agents through the proxy: `npm run test:agents -- --help`. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { claudeCode } from "./claude-code.ts";
import { codex, codexFunctions } from "./codex.ts";
import type { Agent } from "./driver/agent.ts";
import { isInstalled } from "./driver/processes.ts";
import type { Check, Outcome, Scenario } from "./driver/scenario.ts";
import { bytes } from "./driver/scenarios/bytes.ts";
import { compaction } from "./driver/scenarios/compaction.ts";
import { faults } from "./driver/scenarios/faults.ts";
import { recall } from "./driver/scenarios/recall.ts";
import { restart } from "./driver/scenarios/restart.ts";
import { restarts } from "./driver/scenarios/restarts.ts";
import { resume } from "./driver/scenarios/resume.ts";
import { long, task } from "./driver/scenarios/task.ts";
import { createScratch } from "./driver/workspace.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";

const AGENTS: readonly Agent[] = [claudeCode, codex, codexFunctions, ...pi, ...opencode];
const SCENARIOS: readonly Scenario[] = [task, long, bytes, recall, compaction, resume, restart, restarts, faults];
const HERE = import.meta.dirname;
/** Set in the process that has no network but its own. */
const ISOLATED = "PALIMPSEST_AGENTS_ISOLATED";

const HELP = `npm run test:agents -- [options] [agent ...]

Runs real agents, unmodified, without us and through \`palimpsest proxy\`, against a provider on this machine that plays a script and refuses
what the real ones refuse. Names may be the beginning of a name. Installs the agents into agents/node_modules first, if they are not there.

  --scenario NAME   only this one; can be given again
  --json FILE       write all results to FILE
  --list            name agents and scenarios
  --help            this text

agents:    ${AGENTS.map(({ name }) => name).join(", ")}
scenarios: ${SCENARIOS.map(({ name, about }) => `${name.padEnd(11)}${about}`).join("\n           ")}

Exit code 0: all passed. What is not available is no pass.`;

const NOT_INSTALLED: Outcome = { checks: [{ name: "the agent", state: "unavailable", detail: "not installed on this platform" }], numbers: {} };

interface Result extends Outcome {
  readonly agent: string;
  readonly scenario: string;
  readonly seconds: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { scenario: { type: "string", multiple: true }, json: { type: "string" }, list: { type: "boolean" }, help: { type: "boolean" } },
});
if (values.help === true) console.log(HELP);
else if (values.list === true) console.log([...AGENTS, ...SCENARIOS].map(({ name }) => name).join("\n"));
else process.exitCode = await main();

async function main(): Promise<number> {
  const agents = chosen("agent", AGENTS, positionals);
  const scenarios = chosen("scenario", SCENARIOS, values.scenario ?? []);
  if (agents === undefined || scenarios === undefined) return 2;
  install();
  const status = isolated();
  if (status !== undefined) return status;
  const results: Result[] = [];
  const scratch = createScratch();
  try {
    for (const agent of agents) {
      for (const scenario of scenarios.filter(({ isFor }) => isFor(agent))) {
        const startedMs = Date.now();
        const outcome = isInstalled(agent) ? await scenario.run(agent, scratch) : NOT_INSTALLED;
        const result = { agent: agent.name, scenario: scenario.name, seconds: (Date.now() - startedMs) / 1000, ...outcome };
        print(result);
        results.push(result);
        if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
      }
    }
  } finally {
    scratch.remove();
  }
  const checks = results.flatMap((result) => result.checks);
  const count = (state: Check["state"]): number => checks.filter((each) => each.state === state).length;
  console.log(`\n${count("passed")} checks passed, ${count("failed")} failed, ${count("unavailable")} not available`);
  return checks.length > 0 && count("passed") === checks.length ? 0 : 1;
}

function print({ agent, scenario, seconds, checks, numbers }: Result): void {
  const isRight = checks.every(({ state }) => state === "passed");
  console.log(`${isRight ? "✔" : "✖"} ${agent}, ${scenario} (${checks.length} checks, ${seconds.toFixed(1)} s)`);
  for (const { name, state, detail } of checks) if (state !== "passed") console.log(`    ${state}: ${name}${detail === "" ? "" : `: ${detail}`}`);
  const { bytesWithoutUs, bytes } = numbers;
  if (bytesWithoutUs !== undefined && bytes !== undefined)
    console.log(`    ${bytesWithoutUs} bytes without us, ${bytes} with us (${((bytes / bytesWithoutUs) * 100).toFixed(1)} %)`);
}

function chosen<T extends { readonly name: string }>(kind: string, all: readonly T[], names: readonly string[]): readonly T[] | undefined {
  const unknown = names.find((name) => !all.some((each) => each.name.startsWith(name)));
  if (unknown === undefined) return names.length === 0 ? all : all.filter((each) => names.some((name) => each.name.startsWith(name)));
  console.error(`There is no ${kind} "${unknown}". There are: ${all.map(({ name }) => name).join(", ")}.`);
  return undefined;
}

function install(): void {
  if (existsSync(join(HERE, "node_modules/.package-lock.json"))) return;
  console.log("Installing the agents (1.3 GB) ...");
  execFileSync("npm", ["ci"], { cwd: HERE, stdio: "inherit" });
}

/** Where Linux allows it, everything runs again in a network of its own, which has nothing but loopback. Returns the exit code of that run. */
function isolated(): number | undefined {
  if (process.env[ISOLATED] !== undefined) return undefined;
  const unshare = ["-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  if (spawnSync("unshare", [...unshare, "true"]).status !== 0) {
    console.log("No network of its own here (unshare): the agents' settings alone keep them on this machine.");
    return undefined;
  }
  const { status } = spawnSync("unshare", [...unshare, process.execPath, ...process.argv.slice(1)], {
    stdio: "inherit",
    env: { ...process.env, [ISOLATED]: "1" },
  });
  return status ?? 1;
}
