/** Loops on each API whose proxy is killed at every call: its successor goes on with the bytes of a proxy that lives. */
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ProviderDouble, Script, SeenRequest, Turn } from "../src/testing/index.ts";
import { openStore } from "../src/store/open-store.ts";
import { anthropicLoop, type LoopOptions } from "./support/agents/anthropic-loop.ts";
import { busyAgent, runTool, TOOL_NAMES } from "./support/agents/busy-agent.ts";
import { chatLoop } from "./support/agents/chat-loop.ts";
import { responsesLoop } from "./support/agents/responses-loop.ts";
import { assertSameBodies, refusals, sentBodies } from "./support/agents/sent-bodies.ts";
import { startDouble } from "./support/agents/start-double.ts";
import { kills, killTimeoutMs } from "./support/run-settings.ts";

const MAIN = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "palimpsest-killed-"));
after(() => rmSync(folder, { recursive: true }));

/** A proxy in a process of its own, which can be another one for the next request. */
class KillableProxy {
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #url = "";
  kills = 0;

  constructor(args: readonly string[]) {
    this.#args = args;
    after(() => this.kill());
  }

  kill(): void {
    if (this.#child?.kill("SIGKILL") === true) this.kills++;
    this.#child = undefined;
  }

  /** Where it listens: it is started where it does not run. */
  async url(): Promise<string> {
    if (this.#child !== undefined) return this.#url;
    const child = spawn(process.execPath, [MAIN, "proxy", "--port", "0", "--json", ...this.#args], { stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    let out = "";
    while (!out.includes("}")) out += String(((await once(child.stdout, "data")) as [Buffer])[0]);
    return (this.#url = (JSON.parse(out) as { url: string }).url);
  }
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type Loop = (fetch: Fetch, options: LoopOptions) => Promise<{ text: string }>;

const openAi = (fetch: Fetch): OpenAI => new OpenAI({ apiKey: "key", baseURL: "http://proxy/v1", maxRetries: 0, fetch: fetch as typeof globalThis.fetch });
const APIS: Readonly<Record<string, Loop>> = {
  messages: (fetch, options) =>
    anthropicLoop(new Anthropic({ apiKey: "key", baseURL: "http://proxy", maxRetries: 0, fetch: fetch as typeof globalThis.fetch }), options),
  "chat completions": (fetch, options) => chatLoop(openAi(fetch), options),
  responses: (fetch, options) => responsesLoop(openAi(fetch), options),
};

/** When the proxy is killed: before the request, when the provider has it, or when half of the answer has come. */
const KILLS = [
  { moment: "before", streamed: false },
  { moment: "half-way", streamed: true },
  { moment: "sent", streamed: false },
  { moment: "before", streamed: true },
] as const;
type Kill = (typeof KILLS)[number];
const killAt = (call: number): Kill => KILLS[call % KILLS.length] ?? KILLS[0];

/** One loop. `fetchFor` is asked once for each of its calls. */
async function play(loop: Loop, calls: number, fetchFor: (call: number) => Fetch): Promise<void> {
  let call = 0;
  const options: LoopOptions = {
    get streamed() {
      return killAt(call).streamed;
    },
    task: "Find the needle.",
    tools: TOOL_NAMES,
    run: (name, input) => {
      const { text, isError } = runTool(name, input);
      return { text: text.repeat(12), isError };
    },
  };
  const { text } = await loop((url, init) => fetchFor(call++)(url, init), options);
  assert.deepEqual([text, call], ["Done.", calls]);
}

/** `onPiece`: called after each piece of the answer. Rejected where the connection ends before the answer does. */
async function throughProxy(proxy: KillableProxy, url: string, init: RequestInit, onPiece: () => void): Promise<Response> {
  const response = await fetch(`${await proxy.url()}${new URL(url).pathname}`, init);
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body ?? []) {
    pieces.push(piece as Uint8Array);
    onPiece();
  }
  return new Response(Buffer.concat(pieces), { status: response.status, headers: response.headers });
}

/** A busy agent that is done at the last of `calls` calls of its client, and says the same to the same request, even where nobody heard it before. */
function rememberingAgent(calls: number): (request: SeenRequest) => Turn {
  const agent = busyAgent(Infinity, { compactions: 0, recalls: 0, answered: 0 });
  const said = new Map<string, Turn>();
  let heard = 0;
  const next = (request: SeenRequest): Turn => (isHiddenRound(request) || ++heard < calls ? agent(request) : { thinking: "That is all.", text: "Done." });
  return (request) => {
    const asked = JSON.stringify(request.body);
    const turn = said.get(asked) ?? next(request);
    said.set(asked, turn);
    return turn;
  };
}

/** Is it a round of a tool that the client knows nothing of? */
function isHiddenRound({ messages }: SeenRequest): boolean {
  const calls = messages.flatMap((message) => message.calls);
  const answered = messages.at(-1)?.results ?? [];
  return answered.length > 0 && answered.every(({ callId }) => calls.find(({ id }) => id === callId)?.name === "recall");
}

for (const [api, loop] of Object.entries(APIS))
  test(`${api}: ${kills()} calls, the proxy killed at each of them`, { timeout: killTimeoutMs() }, async () => {
    const calls = kills();
    const proxyTo = ({ url }: ProviderDouble, store: string): KillableProxy =>
      new KillableProxy(["--anthropic-upstream", url, "--openai-upstream", `${url}/v1`, "--policy", "tight", "--store", store]);

    const quiet = await startDouble({ script: rememberingAgent(calls), windowTokens: 10_000_000, ids: "by-request" });
    const living = proxyTo(quiet, "memory");
    await play(loop, calls, () => (url, init) => throughProxy(living, url, init, () => undefined));
    living.kill();

    const agent = rememberingAgent(calls);
    const due = new Set<Kill["moment"] | "hidden">();
    const script: Script = (request) => {
      if (due.has("half-way")) return { text: "Half of this is heard.", fault: "hang" };
      if (!due.delete("sent") && !(isHiddenRound(request) && due.delete("hidden"))) return agent(request);
      killed.kill();
      return { text: "Nobody hears this." };
    };
    const noisy = await startDouble({ script, windowTokens: 10_000_000, ids: "by-request" });
    const store = `sqlite:${join(folder, `${api}.db`)}`;
    const killed = proxyTo(noisy, store);
    const onPiece = (): void => {
      if (due.delete("half-way")) killed.kill();
    };
    await play(loop, calls, (call) => async (url, init) => {
      due.add(killAt(call).moment).add("hidden");
      if (due.delete("before")) killed.kill();
      for (;;) {
        const before = killed.kills;
        try {
          return await throughProxy(killed, url, init, onPiece);
        } catch (error) {
          // Whoever lost the connection asks again.
          if (killed.kills === before) throw error;
        }
      }
    });
    const times = killed.kills;
    killed.kill();

    assert.deepEqual([quiet, noisy].flatMap(refusals), []);
    // What was asked in vain is asked again in the same bytes.
    const [found, expected] = [noisy, quiet].map((double) => [...new Set(sentBodies(double))]) as [string[], string[]];
    assert.match(expected.at(-1) ?? "", /\[recall handle/);
    assertSameBodies(found, expected);
    // None runs yet before the first call.
    assert.ok(times >= calls - 1, `${times} kills`);
    const opened = await openStore(store);
    const records = await opened.notes({ kind: "call" });
    await opened.close();
    assert.ok(records.length >= calls / 2, `${records.length} calls are recorded`);
  });
