/** A proxy that is killed between two requests, and in the middle of one: its successor goes on with the same bytes. */
import Anthropic from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ProviderDouble, Script } from "../src/testing/index.ts";
import { openStore } from "../src/store/open-store.ts";
import { anthropicLoop } from "./support/agents/anthropic-loop.ts";
import { busyAgent, runTool, TOOL_NAMES } from "./support/agents/busy-agent.ts";
import { startDouble } from "./support/agents/start-double.ts";
import { kills, killTimeoutMs } from "./support/run-settings.ts";

const MAIN = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "palimpsest-killed-"));
after(() => rmSync(folder, { recursive: true }));

/** A proxy in a process of its own, which can be another one for the next request. */
class KillableProxy {
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  url = "";

  constructor(args: readonly string[]) {
    this.#args = args;
    after(() => this.kill());
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN, "proxy", "--port", "0", "--json", ...this.#args], { stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    let out = "";
    while (!out.includes("}")) out += String(((await once(child.stdout, "data")) as [Buffer])[0]);
    this.url = (JSON.parse(out) as { url: string }).url;
  }

  kill(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

const bodies = (double: ProviderDouble): string[] => {
  const seed = /toolu_01([0-9a-f]{8})/.exec(JSON.stringify(double.requests.at(-1)?.body))?.[1] ?? "none";
  const same = (text: string): string =>
    text
      .replaceAll(seed, "SEED")
      .replaceAll(/"signature":"[^"]*"/g, "")
      .replaceAll(/SEED0*\d+/g, "ID");
  return double.requests.map(({ body }) => same(JSON.stringify(body)));
};

async function play(turns: number, proxy: KillableProxy, before: (call: number) => Promise<void>, double: ProviderDouble): Promise<string> {
  let call = 0;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    await before(call++);
    const send = (): Promise<Response> => globalThis.fetch(`${proxy.url}${new URL(url).pathname}`, init);
    return send().catch(async () => {
      // Whoever lost the connection asks again.
      await proxy.start();
      return send();
    });
  };
  const client = new Anthropic({ apiKey: "key", baseURL: "http://proxy", maxRetries: 0, fetch: fetch as typeof globalThis.fetch });
  const read = (name: string, input: unknown): ReturnType<typeof runTool> => {
    const { text, isError } = runTool(name, input);
    return { text: text.repeat(12), isError };
  };
  const { text } = await anthropicLoop(client, { streamed: false, task: "Find the needle.", tools: TOOL_NAMES, run: read });
  assert.equal(text, `Done after ${turns} turns.`);
  assert.deepEqual(
    double.rejected.map(({ rule, error }) => [rule, error]),
    [],
  );
  return text;
}

test(`${kills()} kills between two requests, and as many in the middle of one`, { timeout: killTimeoutMs() }, async () => {
  const turns = 2 * kills();
  const args = (double: ProviderDouble, store: string): string[] => ["--anthropic-upstream", double.url, "--policy", "tight", "--store", store];
  const script = (): Script => busyAgent(turns, { compactions: 0, recalls: 0, answered: 0 });

  const quiet = await startDouble({ script: script(), windowTokens: 10_000_000 });
  const one = new KillableProxy(args(quiet, "memory"));
  await one.start();
  await play(turns, one, () => Promise.resolve(), quiet);
  one.kill();

  const agent = script();
  let killAt = false;
  const store = `sqlite:${join(folder, "killed.db")}`;
  const proxies: KillableProxy[] = [];
  const noisy = await startDouble({
    script: (request) => {
      if (!killAt) return typeof agent === "function" ? agent(request) : { text: "" };
      killAt = false;
      proxies[0]?.kill();
      return { text: "Nobody hears this." };
    },
    windowTokens: 10_000_000,
  });
  const many = new KillableProxy(args(noisy, store));
  proxies.push(many);
  await many.start();
  await play(
    turns,
    many,
    async (call) => {
      killAt = call % 2 === 1;
      if (call === 0 || killAt) return;
      many.kill();
      await many.start();
    },
    noisy,
  );
  many.kill();
  const found = bodies(noisy);
  // What was asked for in vain was asked for again with the same bytes.
  const once = found.filter((body, number) => body !== found[number - 1]);
  const expected = bodies(quiet);
  const different = expected.findIndex((body, number) => body !== once[number]);
  assert.equal(different, -1, `call ${different} differs`);
  assert.ok(found.length > expected.length);
  const opened = await openStore(store);
  const calls = await opened.notes({ kind: "call" });
  await opened.close();
  assert.ok(calls.length >= turns / 2, `${calls.length} calls are recorded`);
});
