import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Agent, Ask, Place } from "./agent.ts";

const ROOT = join(import.meta.dirname, "../..");
const MODULES = join(import.meta.dirname, "../node_modules");
const MAIN = join(ROOT, "src/cli/main.ts");
const LONGEST_MS = 240_000;
const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach((child) => killGroup(child)));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

export interface Ended {
  /** Null: it was killed. */
  readonly code: number | null;
  readonly output: string;
  readonly isTooLong: boolean;
}

export interface RunningAgent {
  readonly ended: Promise<Ended>;
  readonly kill: () => void;
}

/** Not every agent can be installed on every platform. */
export function isInstalled({ program }: Agent): boolean {
  return existsSync(join(MODULES, program));
}

/** Starts an agent with an environment of its own: nothing of the user's home and keys, and loopback only. */
export function startAgent(agent: Agent, place: Place, baseUrl: string, ask: Ask): RunningAgent {
  const { args, env } = agent.command(place, baseUrl, ask);
  const child = spawn(join(MODULES, agent.program), [...args], {
    cwd: place.work,
    // A group of its own: what it started is killed with it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], LANG: "C.UTF-8", TERM: "dumb", HOME: place.home, TMPDIR: place.home, NO_PROXY: "*", ...env },
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  const kill = (): void => killGroup(child);
  return { ended: endOf(child, kill), kill };
}

async function endOf(child: ChildProcess, kill: () => void): Promise<Ended> {
  let output = "";
  let isTooLong = false;
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  const timer = setTimeout(() => {
    isTooLong = true;
    kill();
  }, LONGEST_MS);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  return { code, output, isTooLong };
}

export interface RunningProxy {
  readonly url: string;
  /** SIGKILL, then a new one at the same address. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** What it said on standard error. */
  readonly complaints: () => string;
}

/** Undefined: it does not know this store. */
export async function startProxy(upstream: string, options: readonly string[]): Promise<RunningProxy> {
  let complaints = "";
  const start = async (port: string): Promise<{ readonly child: ChildProcess; readonly url: string }> => {
    const args = [MAIN, "proxy", "--port", port, "--anthropic-upstream", upstream, "--openai-upstream", upstream, ...options];
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], NO_COLOR: "1" },
    });
    running.add(child);
    child.once("close", () => running.delete(child));
    child.stderr.on("data", (chunk: Buffer) => void (complaints += chunk.toString()));
    const first = await Promise.race([once(child.stdout, "data"), once(child, "close").then(() => [""])]);
    const url = /http:\S+/.exec(String(first[0]))?.[0];
    if (url === undefined) throw new ProxyRefused(complaints);
    child.stdout.resume();
    return { child, url };
  };
  const first = await start("0");
  const { url } = first;
  let { child } = first;
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };
  return {
    url,
    async restart() {
      await kill();
      ({ child } = await start(new URL(url).port));
    },
    stop: kill,
    complaints: () => complaints,
  };
}

/** The proxy did not start; its message is what it said. */
export class ProxyRefused extends Error {}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
