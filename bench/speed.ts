/** The speed benchmark: see README.md, or `node bench/speed.ts --help`. */
import { existsSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { compareCodecs, missedCodecGoals, printCodecSpeeds } from "./codecs.ts";
import { compareClients, conversationGrowth, missedClientGoals, printClientSpeeds } from "./client.ts";
import { compareOn, type WorkloadResult } from "./compare.ts";
import { growthOf } from "./linearity.ts";
import { FULL_PLAN, QUICK_PLAN } from "./measure.ts";
import { HELP, parseOptions, type Options } from "./options.ts";
import { comparePolicies, missedPolicyGoals, policyGrowth, printPolicySpeeds } from "./policy.ts";
import { compareSessions, missedSessionGoals, printSessionSpeeds } from "./sessions.ts";
import { missedGoals, printGrowth, printWorkload } from "./print-results.ts";
import { loadClaudeCode } from "./threads/claude-code.ts";
import { syntheticThread } from "./threads/synthetic.ts";
import { describeWorkload, type Workload } from "./threads/workload.ts";
import { compareTokenCounters, missedTokenGoals, printTokenSpeeds } from "./tokens.ts";
import { optionsOr, progressOf } from "./terminal.ts";

const options = optionsOr(parseOptions, HELP);
if (options.help) console.log(HELP);
else await run(options);

async function run({ quick, fresh, assert, json, corpus, corpusIsGiven, sessions }: Options): Promise<void> {
  const plan = quick ? QUICK_PLAN : FULL_PLAN;
  const small = { name: "1,000 pairs", threads: [syntheticThread(1_000)] };
  const large = { name: "10,000 pairs", threads: [syntheticThread(10_000)] };
  const recorded = recordedWorkload(corpus);
  if (recorded === undefined) {
    console.log(`The corpus is not there: no Claude Code sessions in ${corpus}. Only synthetic threads are measured; --corpus DIR names another place.\n`);
    if (corpusIsGiven) process.exitCode = 2;
    if (corpusIsGiven) return;
  }
  const results: WorkloadResult[] = [];
  for (const workload of recorded === undefined ? [small, large] : [small, large, recorded]) {
    const result = await compareOn(workload, plan, fresh, progressOf(workload.name));
    results.push(result);
    console.log(printWorkload(result, describeWorkload(workload)));
  }
  const growth = await growthOf(plan, progressOf("linearity"));
  console.log(printGrowth(growth));
  const codecSpeeds = await compareCodecs(plan, progressOf("codecs"));
  console.log(printCodecSpeeds(codecSpeeds));
  const tokenSpeeds = await compareTokenCounters(plan, progressOf("token counters"));
  console.log(printTokenSpeeds(tokenSpeeds));
  const policySpeeds = await comparePolicies(small.name, small.threads, plan, progressOf("policy"));
  if (recorded !== undefined) policySpeeds.push(...(await comparePolicies(recorded.name, recorded.threads, plan, progressOf("policy, corpus"))));
  const policySteps = await policyGrowth(plan, progressOf("policy, long threads"));
  console.log(printPolicySpeeds(policySpeeds, policySteps));
  const sessionSpeeds = existsSync(sessions) ? await compareSessions(sessions, plan, progressOf("policy, session by session")) : [];
  console.log(sessionSpeeds.length === 0 ? `No recorded sessions in ${sessions}.\n` : printSessionSpeeds(sessionSpeeds));
  const clientSpeeds = await compareClients(progressOf("wrapped clients"));
  const longConversations = conversationGrowth();
  console.log(printClientSpeeds(clientSpeeds, longConversations));
  const missed = [
    ...missedClientGoals(clientSpeeds, longConversations),
    ...missedGoals(results, growth),
    ...missedCodecGoals(codecSpeeds),
    ...missedTokenGoals(tokenSpeeds),
    ...missedPolicyGoals(policySpeeds, policySteps),
    ...missedSessionGoals(sessionSpeeds),
  ];
  console.log(missed.length === 0 ? "All goals are met." : `Missed:\n${missed.map((line) => `  ${line}`).join("\n")}`);
  if (json !== undefined) {
    const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", quick, fresh, corpus: recorded === undefined ? null : corpus };
    writeFileSync(
      json,
      `${JSON.stringify({ machine, results, growth, codecSpeeds, tokenSpeeds, policySpeeds, policySteps, sessionSpeeds, clientSpeeds, longConversations, missed }, null, 2)}\n`,
    );
  }
  if (assert && missed.length > 0) process.exitCode = 1;
}

function recordedWorkload(corpus: string): Workload | undefined {
  const sessions = loadClaudeCode(corpus);
  if (sessions === undefined || sessions.length === 0) return undefined;
  return { name: "Claude Code corpus", threads: sessions.map(({ messages }) => messages) };
}
