/** Measures the overhead of the proxy: `npm run bench:proxy -- --help`. */
import { readFileSync, writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { call } from "./proxy/call.ts";
import { Conversation } from "./proxy/conversation.ts";
import { startContestants, type Contestant } from "./proxy/contestants.ts";
import { median, quantile } from "./statistics.ts";
import { formatTable } from "./table.ts";

const HELP = `npm run bench:proxy -- [options]      (or: node bench/proxy.ts [options])

Times requests without a proxy, through a bare node:http pass-through (the limit), through palimpsest, and through @portkey-ai/gateway
if it is installed in bench/. All run in turn, each in its own process; the provider answers at once. The proxy knows the conversation,
which grows with every call.

  --quick          fewer calls, more noise
  --policy NAME    the policy of palimpsest; default balanced
  --flat CALLS     measure nothing else: send CALLS calls of 50 conversations in turn, and print the memory use of palimpsest
  --idle COUNT     the same for COUNT conversations of three calls (20 KB), which are then left alone
  --assert         exit code 1 if a goal is missed
  --built          measure dist/ (\`npm run build\`) in place of the sources
  --json FILE      write all numbers to FILE
  --help           this text

Goals: the added time to the first byte (p50) is at most that of the pass-through, plus the larger of 1 ms and twice the time to parse and
write the body. At 20 and 200 KB it is under a fifth of portkey's, with four times the throughput. Compare numbers within one run only.`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    policy: { type: "string", default: "balanced" },
    flat: { type: "string", default: "0" },
    idle: { type: "string", default: "0" },
    assert: { type: "boolean", default: false },
    built: { type: "boolean", default: false },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) console.log(HELP);
else if (Number(values.flat) > 0) await memory((ours) => flat(ours, Number(values.flat)));
else if (Number(values.idle) > 0) await memory((ours) => idle(ours, Number(values.idle)));
else await run();

interface Row {
  readonly kilobytes: number;
  readonly streamed: boolean;
  readonly name: string;
  readonly addedMs: number;
  readonly addedP90Ms: number;
  /** As a share of the throughput without a proxy. */
  readonly throughput: number;
  /** Processor time per call in the contestant's process; other work on the machine does not count. */
  readonly cpuMs: number;
  readonly jsonMs: number;
}

async function run(): Promise<void> {
  const { contestants, stop } = await startContestants(values.policy, values.built);
  const rows: Row[] = [];
  for (const kilobytes of [20, 200, 2_000])
    for (const streamed of [true, false]) {
      process.stderr.write(`${kilobytes} KB${streamed ? ", streamed" : ""} …\n`);
      rows.push(...(await measure(contestants, kilobytes, streamed)));
    }
  print(rows);
  const missed = missedBars(rows);
  console.log(missed.length === 0 ? "\nAll goals are met." : `\nMissed:\n${missed.map((line) => `  ${line}`).join("\n")}`);
  const edits = await sentShare(contestants);
  console.log(`\nOf the bytes that it received, palimpsest sent ${edits}.`);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ node: process.version, policy: values.policy, rows }, null, 2));
  if (values.assert && missed.length > 0) process.exitCode = 1;
  stop();
}

async function measure(contestants: readonly Contestant[], kilobytes: number, streamed: boolean): Promise<Row[]> {
  const rounds = Math.round((values.quick ? 40 : 200) / (kilobytes > 1_000 ? 4 : 1));
  const name = `${kilobytes}-${streamed}`;
  const conversation = new Conversation(name, kilobytes * 1_000, streamed);
  for (const contestant of contestants)
    for (const { body, next } of contestant.name === "palimpsest" ? conversation.history() : conversation.history().slice(-3))
      await call(contestant, body, next);
  const times = new Map<Contestant, number[]>(contestants.map((contestant) => [contestant, []]));
  const json: number[] = [];
  for (let round = -10; round < rounds; round++) {
    const body = conversation.next();
    // In another order each time, because the first one finds cold caches.
    for (let turn = 0; turn < contestants.length; turn++) {
      const contestant = contestants[(turn + Math.abs(round)) % contestants.length];
      if (contestant === undefined) continue;
      const { firstByteMs } = await call(contestant, body);
      if (round >= 0) times.get(contestant)?.push(firstByteMs);
    }
    const startedMs = performance.now();
    JSON.stringify(JSON.parse(body));
    if (round >= 0) json.push(performance.now() - startedMs);
  }
  const throughput = await throughputs(contestants, kilobytes, streamed);
  const direct = times.get(contestants[0] as Contestant) ?? [];
  return contestants.map((contestant): Row => {
    const own = times.get(contestant) ?? [];
    return {
      kilobytes,
      streamed,
      name: contestant.name,
      addedMs: median(own) - median(direct),
      addedP90Ms: quantile(own, 0.9) - quantile(direct, 0.9),
      throughput: (throughput.get(contestant)?.rate ?? 0) / (throughput.get(contestants[0] as Contestant)?.rate ?? 1),
      cpuMs: throughput.get(contestant)?.cpuMs ?? Number.NaN,
      jsonMs: median(json),
    };
  });
}

/** Calls per second with eight concurrent clients, each with its own conversation. */
async function throughputs(
  contestants: readonly Contestant[],
  kilobytes: number,
  streamed: boolean,
): Promise<Map<Contestant, { readonly rate: number; readonly cpuMs: number }>> {
  const clients = 8;
  const calls = Math.max(2, Math.round((values.quick ? 100 : 400) / (kilobytes > 1_000 ? 10 : 1) / clients));
  const measured = new Map<Contestant, { readonly rate: number; readonly cpuMs: number }>();
  for (const contestant of contestants) {
    const conversations = Array.from({ length: clients }, (_, client) => new Conversation(`${kilobytes}-${streamed}-${client}`, kilobytes * 1_000, streamed));
    for (const conversation of conversations) await call(contestant, conversation.next());
    const slices = 3;
    let rate = 0;
    const cpuBefore = processorMs(contestant.pid);
    for (let slice = 0; slice < slices; slice++) {
      const bodies = conversations.map((conversation) => Array.from({ length: calls }, () => conversation.next()));
      const startedMs = performance.now();
      await Promise.all(
        bodies.map(async (own) => {
          for (const body of own) await call(contestant, body);
        }),
      );
      rate = Math.max(rate, (clients * calls) / (performance.now() - startedMs));
    }
    measured.set(contestant, { rate, cpuMs: (processorMs(contestant.pid) - cpuBefore) / (slices * clients * calls) });
  }
  return measured;
}

/** Available only on Linux, which counts in hundredths of a second. */
function processorMs(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

function print(rows: readonly Row[]): void {
  const table = rows.map((row) => [
    `${row.kilobytes} KB${row.streamed ? ", streamed" : ""}`,
    row.name,
    row.addedMs.toFixed(2),
    row.addedP90Ms.toFixed(2),
    row.throughput.toFixed(2),
    Number.isNaN(row.cpuMs) ? "" : row.cpuMs.toFixed(2),
    row.jsonMs.toFixed(2),
  ]);
  console.log(formatTable(["body", "through", "added p50 ms", "added p90 ms", "throughput", "cpu ms", "parse + stringify ms"], table));
}

function missedBars(rows: readonly Row[]): string[] {
  return rows
    .filter(({ name }) => name === "palimpsest")
    .flatMap((row) => {
      const beside = (name: string): Row | undefined =>
        rows.find((each) => each.name === name && each.kilobytes === row.kilobytes && each.streamed === row.streamed);
      const what = `${row.kilobytes} KB${row.streamed ? ", streamed" : ""}`;
      const missed: string[] = [];
      const limit = (beside("bare node:http")?.addedMs ?? 0) + Math.max(1, 2 * row.jsonMs);
      if (row.addedMs > limit) missed.push(`${what}: added ${row.addedMs.toFixed(2)} ms, the goal is ${limit.toFixed(2)}`);
      const portkey = beside("portkey gateway");
      if (portkey === undefined || row.kilobytes > 1_000) return missed;
      if (row.addedMs > portkey.addedMs / 5)
        missed.push(`${what}: added ${row.addedMs.toFixed(2)} ms, a fifth of portkey's is ${(portkey.addedMs / 5).toFixed(2)}`);
      if (row.throughput < portkey.throughput * 4)
        missed.push(`${what}: throughput ${row.throughput.toFixed(2)}, four times portkey's is ${(portkey.throughput * 4).toFixed(2)}`);
      return missed;
    });
}

/** Reports whether anything was shortened: without an edit, the client's own bytes are sent. */
async function sentShare(contestants: readonly Contestant[]): Promise<string> {
  const ours = contestants.find(({ name }) => name === "palimpsest");
  const metrics = await (await fetch(`${ours?.url ?? ""}/metrics`)).text();
  const valueOf = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
  return `${((100 * valueOf("palimpsest_sent_bytes_total")) / valueOf("palimpsest_received_bytes_total")).toFixed(1)} %`;
}

async function memory(use: (ours: Contestant) => Promise<void>): Promise<void> {
  const { contestants, stop } = await startContestants(values.policy, values.built);
  const ours = contestants.find(({ name }) => name === "palimpsest");
  if (ours === undefined) throw new Error("palimpsest did not start");
  console.log(`at the start: ${residentMb(ours.pid)} MB`);
  await use(ours);
  await sleep(5_000);
  console.log(`5 seconds later: ${residentMb(ours.pid)} MB, at most ${residentMb(ours.pid, "VmHWM")} MB`);
  stop();
}

async function flat(ours: Contestant, calls: number): Promise<void> {
  const conversations = Array.from({ length: 50 }, (_, number) => new Conversation(`flat-${number}`, 20_000, true));
  for (let sent = 1; sent <= calls; sent++) {
    await call(ours, conversations[sent % conversations.length]?.next() ?? "");
    if (sent % Math.ceil(calls / 10) === 0) console.log(`after ${sent} calls: ${residentMb(ours.pid)} MB`);
  }
}

async function idle(ours: Contestant, count: number): Promise<void> {
  for (let begun = 1; begun <= count; begun++) {
    const conversation = new Conversation(`idle-${begun}`, 20_000, true);
    for (let calls = 0; calls < 3; calls++) await call(ours, conversation.next());
    if (begun % Math.ceil(count / 5) === 0) console.log(`after ${begun} conversations: ${residentMb(ours.pid)} MB`);
  }
}

function residentMb(pid: number | undefined, field = "VmRSS"): string {
  try {
    const kilobytes = Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
    return (kilobytes / 1_024).toFixed(0);
  } catch {
    return "unknown";
  }
}
