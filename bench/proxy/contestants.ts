import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Contestant {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if there is nothing between client and provider. */
  readonly pid: number | undefined;
}

const HERE = import.meta.dirname;
const SOURCES = join(HERE, "../../src/cli/main.ts");
const BUILT = join(HERE, "../../dist/cli/main.js");
const PORTKEY = join(HERE, "../node_modules/@portkey-ai/gateway/build/start-server.js");

/** Starts the provider and every contestant, each in its own process. They end with this process. `built`: palimpsest as it is published. */
export async function startContestants(policy: string, built = false): Promise<{ readonly contestants: readonly Contestant[]; readonly stop: () => void }> {
  const children: ChildProcess[] = [];
  const start = (args: readonly string[]): ChildProcess => {
    const child = spawn(process.execPath, [...args], { stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    return child;
  };
  const stop = (): void => children.forEach((child) => child.kill());
  process.once("exit", stop);
  const provider = `http://127.0.0.1:${await firstNumber(start([join(HERE, "provider.ts")]))}`;
  const bare = start([join(HERE, "pass-through.ts"), new URL(provider).port]);
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const store = `sqlite:${join(folder, "conversations.db")}`;
  const ours = start([built ? BUILT : SOURCES, "proxy", "--port", "0", "--anthropic-upstream", provider, "--policy", policy, "--store", store]);
  const contestants: Contestant[] = [
    { name: "no proxy", url: provider, headers: {}, pid: undefined },
    { name: "bare node:http", url: `http://127.0.0.1:${await firstNumber(bare)}`, headers: {}, pid: bare.pid },
    { name: "palimpsest", url: await firstUrl(ours), headers: {}, pid: ours.pid },
  ];
  if (existsSync(PORTKEY)) {
    const port = await freePort();
    const portkey = start([PORTKEY, `--port=${port}`, "--headless"]);
    portkey.stdout?.resume();
    const headers = { "x-portkey-provider": "anthropic", "x-portkey-custom-host": `${provider}/v1` };
    contestants.push({ name: "portkey gateway", url: `http://127.0.0.1:${port}`, headers, pid: portkey.pid });
    await answering(`http://127.0.0.1:${port}/`);
  }
  return { contestants, stop };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("no output");
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  child.stdout.resume();
  return chunk.toString();
}

async function firstNumber(child: ChildProcess): Promise<number> {
  return Number.parseInt(await firstLine(child), 10);
}

async function firstUrl(child: ChildProcess): Promise<string> {
  return /http:\S+/.exec(await firstLine(child))?.[0] ?? "";
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`${url} does not answer`);
}
