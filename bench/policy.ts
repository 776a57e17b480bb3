import { compact, createCompactor, type PresetName } from "../src/conversation/index.ts";
import type { Message } from "../src/index.ts";
import { measure, ratioOf, type Plan } from "./measure.ts";
import { syntheticThread } from "./threads/synthetic.ts";

export interface PolicySpeed {
  readonly name: string;
  readonly megabytes: number;
  /** A cold `compact` over `JSON.parse` plus `JSON.stringify` of the same messages. */
  readonly cold: number;
}

export interface PolicyGrowth {
  /** 100 new tokens on a thread of a million, divided by a cold run of all of it. */
  readonly append: number;
  /** Bytes of heap per step, in the second half of 10,000 steps of a growing small conversation. */
  readonly heapPerStep: number;
}

export const COLD_GOAL = 3;
export const APPEND_GOAL = 0.02;

const PRESETS: readonly PresetName[] = ["gentle", "balanced", "tight"];
const MILLION_TOKENS_PAIRS = 3_500;
const STEPS = 10_000;

/** The history is cold, not the code: a few dozen warm-up runs, and all tasks in every round, although they are slow. */
const WARM: Partial<Plan> = { warmUpMs: 2_000, slowMs: Infinity };

/** Each preset on the threads of a workload, all in one run. */
export async function comparePolicies(
  name: string,
  threads: readonly (readonly Message[])[],
  plan: Plan,
  progress: (text: string) => void,
): Promise<PolicySpeed[]> {
  const texts = threads.map((thread) => JSON.stringify(thread));
  const json = { name: `JSON ${name}`, arm: () => () => texts.map((text) => JSON.stringify(JSON.parse(text))) };
  const tasks = PRESETS.map((preset) => ({
    name: `${preset}, ${name}`,
    // Fresh objects for every run, so that nothing is cached from the previous run.
    arm: () => {
      const fresh = texts.map((text) => JSON.parse(text) as Message[]);
      return () => fresh.map((messages) => compact(messages, { preset, model: "claude-opus-5" }).messages);
    },
  }));
  const [parsed, ...worked] = await measure([json, ...tasks], { ...plan, ...WARM }, progress);
  if (parsed === undefined) return [];
  const megabytes = texts.reduce((sum, text) => sum + text.length, 0) / 1e6;
  return worked.map((task) => ({ name: task.name, megabytes, cold: ratioOf(task, parsed) }));
}

export async function policyGrowth(plan: Plan, progress: (text: string) => void): Promise<PolicyGrowth> {
  const thread = syntheticThread(MILLION_TOKENS_PAIRS);
  const added: Message[] = [{ role: "user", content: "Please look at the next file as well, and say what is in it. ".repeat(7) }];
  const options = { preset: "balanced", model: "claude-opus-5" } as const;
  const cold = { name: "a cold run", arm: () => () => compact(thread, options).messages };
  let compactor = createCompactor(options);
  const append = {
    name: "append",
    renew() {
      compactor = createCompactor(options);
      compactor.next(thread);
    },
    arm: () => () => compactor.append(added).messages,
  };
  append.renew();
  const [whole, part] = await measure([cold, append], { ...plan, mostRunsPerSample: 1, rounds: Math.min(plan.rounds, 7) }, progress);
  return { append: whole === undefined || part === undefined ? NaN : ratioOf(part, whole), heapPerStep: heapPerStep(progress) };
}

/** Checks that a compactor keeps nothing per step besides the log. */
function heapPerStep(progress: (text: string) => void): number {
  const collect = globalThis.gc;
  if (collect === undefined) return NaN;
  const compactor = createCompactor({ preset: "balanced", model: "claude-opus-5", highTokens: 30_000, lowTokens: 20_000 });
  let half = 0;
  for (let step = 0; step < STEPS; step++) {
    if (step % 500 === 0) progress(`step ${step} of ${STEPS}`);
    compactor.append([
      { role: "assistant", content: [{ type: "tool_use", id: `c${step}`, name: "Read", input: { path: `src/${step}.ts` } } as never] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `c${step}`, content: `line ${step} of it` } as never] },
    ]);
    if (step !== STEPS / 2) continue;
    collect();
    half = process.memoryUsage().heapUsed;
  }
  collect();
  return (process.memoryUsage().heapUsed - half) / (STEPS / 2);
}

export function printPolicySpeeds(speeds: readonly PolicySpeed[], { append, heapPerStep }: PolicyGrowth): string {
  const rows = speeds.map(
    ({ name, megabytes, cold }) =>
      `  ${name.padEnd(34)}${megabytes.toFixed(1).padStart(6)} MB   a cold compact ${cold.toFixed(2)} of JSON.parse + JSON.stringify`,
  );
  return [
    "The policy",
    ...rows,
    `  100 new tokens on a thread of 1,000,000: ${(append * 100).toFixed(2)} % of a cold run`,
    `  ${STEPS.toLocaleString("en")} steps: ${Math.round(heapPerStep)} bytes of heap per step, its messages included`,
    "",
  ].join("\n");
}

export function missedPolicyGoals(speeds: readonly PolicySpeed[], { append }: PolicyGrowth): string[] {
  return [
    ...speeds.filter(({ cold }) => cold > COLD_GOAL).map(({ name, cold }) => `${name}: a cold compact at ${cold.toFixed(2)} of JSON.parse + JSON.stringify`),
    ...(append > APPEND_GOAL ? [`append: ${(append * 100).toFixed(1)} % of a cold run`] : []),
  ];
}
