/** The real proxy, as it is started from a terminal, with the provider's double behind it: what comes in is seen without a reload. */
import Anthropic from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { startDouble } from "../support/agents/start-double.ts";
import { openPage } from "../support/browser/open-browser.ts";
import { requiredBrowser } from "../support/browser/required-browser.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "palimpsest-live-"));
after(() => rm(folder, { recursive: true, force: true }));

interface Running {
  readonly url: string;
  readonly lines: readonly string[];
  readonly stop: () => Promise<void>;
}

async function startProxy(args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [MAIN, "proxy", ...args], { cwd: folder, env: { PATH: process.env["PATH"] } });
  after(() => child.kill("SIGKILL"));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (/^Conversations are kept/.test(line)) break;
  }
  child.stdout.resume();
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "close");
  };
  return { url: /http:\S+/.exec(lines[0] ?? "")?.[0] ?? "", lines, stop };
}

/** One round after the other, as an agent has them. */
class Agent {
  readonly #client: Anthropic;
  readonly #messages: Anthropic.MessageParam[] = [];

  constructor(baseURL: string, task: string) {
    this.#client = new Anthropic({ apiKey: "sk-ant-secret-000000000000000000", baseURL, maxRetries: 0 });
    this.#messages.push({ role: "user", content: task });
  }

  async round(result: string): Promise<void> {
    const stream = this.#client.messages.stream({
      model: "claude-opus-5",
      max_tokens: 1_000,
      system: "You are an agent.",
      tools: [{ name: "Read", description: "Reads a file.", input_schema: { type: "object", properties: { path: { type: "string" } } } }],
      messages: this.#messages,
    });
    const { content } = await stream.finalMessage();
    this.#messages.push({ role: "assistant", content });
    const results = content.flatMap((block) => (block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: result }] : []));
    if (results.length > 0) this.#messages.push({ role: "user", content: results });
  }
}

/** Without cache markers; a text by itself and the list with this one block are the same. */
function plain(messages: readonly unknown[]): unknown {
  const text = JSON.stringify(messages, (key, value: unknown) => {
    if (key === "content" && typeof value === "string") return [{ type: "text", text: value }];
    return key === "cache_control" ? undefined : value;
  });
  return JSON.parse(text);
}

describe("the inspector of a running proxy", { timeout: 180_000 }, async () => {
  const browser = await requiredBrowser();
  const long = (round: number): string =>
    Array.from({ length: 900 }, (_, line) => `${line + 1}: value ${round * 7 + line} of round ${round}, ${(line * 2_654_435_761) % 1_000_003}`).join("\n");
  const script = Array.from({ length: 30 }, (_, round) => ({
    text: `Round ${round + 1}.`,
    calls: [{ id: `toolu_${round}`, name: "Read", input: { path: `file-${round}.txt` } }],
  }));

  it("shows the demo first, and steps back with the first request; rows, charts and calls grow without a reload", async () => {
    const double = await startDouble({ script });
    const { url, lines, stop } = await startProxy(["--port", "0", "--store", "memory", "--policy", "tight", "--anthropic-upstream", double.url]);
    assert.deepEqual(
      lines.slice(1, 3).map((line) => line.replace(url, "")),
      ["  Inspector         /inspector", "  Open it now: it shows two made-up conversations until your first request (--no-demo: none)."],
    );
    const list = await openPage(browser, `${url}/inspector`);
    await list.page.getByRole("row", { name: /Retry flapping webhooks/ }).waitFor();
    await list.page.evaluate(() => ((globalThis as { marked?: boolean }).marked = true));

    const agent = new Agent(url, "Read all files, please.");
    await agent.round(long(0));
    const row = list.page.getByRole("row", { name: /Read all files, please\./ });
    await row.waitFor({ timeout: 5_000 });
    await list.page.getByRole("row", { name: /Retry flapping/ }).waitFor({ state: "detached" });
    await agent.round(long(1));
    await list.page.waitForFunction(() => document.querySelector(".gr:not(.h) .calls")?.textContent === "2");
    assert.match((await row.textContent()) ?? "", /live:.*claude-opus-5/s);

    await row.getByRole("link").click();
    await list.page.locator(".chart svg").waitFor();
    const first = await openPage(browser, `${list.page.url()}/calls/2`);
    await first.page.getByRole("heading", { level: 1, name: "Call 2 of 2" }).waitFor();
    await agent.round(long(2));
    await agent.round(long(3));
    await list.page.waitForFunction(() => document.querySelector(".readout b")?.textContent === "Call 4");
    await first.page.getByRole("heading", { level: 1, name: "Call 2 of 4" }).waitFor();

    // The result of the first round was cut before the model saw it, with the second call.
    await first.page.getByText(/was cut before the model first saw it/).waitFor();
    await first.page.locator(".edit", { hasText: "keep-telling-lines" }).waitFor();
    await first.page.waitForFunction(() => document.querySelectorAll(".ln.o").length > 0 && document.querySelectorAll(".ln.n").length > 0);
    assert.match((await first.page.locator(".wf").textContent()) ?? "", /Palimpsest.*First byte.*Stream/);
    const raw = await (await fetch(`${url}/inspector/api/conversations/${new URL(list.page.url()).pathname.split("/c/")[1]}/calls/4/request.json`)).text();
    assert.doesNotMatch(raw, /sk-ant-secret/);
    const { messages } = JSON.parse(raw) as { readonly messages: readonly unknown[] };
    const sent = (double.requests.at(-1)?.body as { readonly messages: readonly unknown[] }).messages;
    assert.deepEqual(plain(messages), plain(sent), "what is shown is what was sent");

    assert.equal(await list.page.evaluate(() => (globalThis as { marked?: boolean }).marked), true, "nothing was reloaded");
    assert.deepEqual([...list.problems, ...first.problems], []);
    await stop();
  });

  it("says so when it is lost, and goes on by itself when it is back", async () => {
    const double = await startDouble({ script });
    const args = ["--store", `sqlite:${join(folder, "kept.db")}`, "--anthropic-upstream", double.url, "--no-demo"];
    const before = await startProxy(["--port", "0", ...args]);
    assert.ok(!before.lines.some((line) => line.includes("made-up")));
    const { page } = await openPage(browser, `${before.url}/inspector`);
    await page.getByRole("heading", { name: "Nothing has come through yet" }).waitFor();
    await new Agent(before.url, "Keep this.").round("ok");
    await page.getByRole("row", { name: /Keep this\./ }).waitFor();
    await before.stop();
    const { host, port } = new URL(before.url);
    const banner = page.getByRole("alert");
    await banner.getByText(`No connection to ${host} since`).waitFor({ timeout: 10_000 });
    assert.match((await banner.textContent()) ?? "", /The page shows the state of that time\. If the proxy has stopped, start it again\./);
    const again = await startProxy(["--port", port, ...args]);
    await banner.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Live", { exact: true }).first().waitFor({ timeout: 20_000 });
    await banner.waitFor({ state: "detached" });
    await new Agent(again.url, "And this.").round("ok");
    await page.getByRole("row", { name: /And this\./ }).waitFor();
    assert.equal(await page.locator(".gr:not(.h)").count(), 2, "the conversation of before the restart is there too");
    await again.stop();
  });

  it("asks for the proxy's token, and takes no wrong one", async () => {
    const { url, stop } = await startProxy(["--port", "0", "--store", "memory", "--token", "open-sesame-42"]);
    const { page } = await openPage(browser, `${url}/inspector`);
    await page.getByRole("heading", { name: "This inspector needs the proxy's token" }).waitFor();
    await page.getByLabel("Token").fill("open-sesame-41");
    await page.getByRole("button", { name: "Open" }).click();
    await page.waitForTimeout(300);
    await page.getByRole("heading", { name: "This inspector needs the proxy's token" }).waitFor();
    await page.getByLabel("Token").fill("open-sesame-42");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("row", { name: /Retry flapping webhooks/ }).waitFor();
    await page.reload();
    await page.getByRole("row", { name: /Retry flapping webhooks/ }).waitFor();
    await stop();
  });
});
