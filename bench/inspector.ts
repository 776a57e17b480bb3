/** Measures the waiting times of the inspector in a local browser: the first paint, a call of 2 MB, and scrolling through 10,000 messages. */
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { bundleApp } from "../src/inspector/bundle-app.ts";
import { createInspector, serveInspector } from "../src/inspector/index.ts";
import { ConversationRecorder } from "../src/inspector/recorded/conversation-recorder.ts";
import type { Store } from "../src/store/store.ts";
import { longSession } from "../test/support/browser/long-session.ts";
import { openBrowser } from "../test/support/browser/open-browser.ts";

const RUNS = 7;

const browser = await openBrowser();
if (browser === undefined) throw new Error("No browser can be started here: name one with PALIMPSEST_CHROMIUM.");
const store = await callOfTwoMegabytes(await longSession(10_000, "none"));
const inspector = createInspector({
  store,
  about: () => ({ version: "", source: "store", name: "memory", remarks: [] }),
  own: { host: "127.0.0.1", token: undefined },
});
const { url, close } = await serveInspector(inspector, { host: "127.0.0.1", port: 0 });
// The page's policy forbids the measuring scripts that are injected here.
const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
try {
  const files = await bundleApp(new URL("../src/inspector/app/", import.meta.url));
  print("the app, gzipped", `${(files.reduce((sum, [, bytes]) => sum + gzipSync(bytes).length, 0) / 1_000).toFixed(1)} KB`);
  await page.goto(url);
  print("first paint of the list", milliseconds(await median(() => firstPaint(page, url))));
  print("the list with its rows", milliseconds(await median(() => shown(page, url, ".gr:not(.h)"))));
  print("a conversation of 5,000 calls, with its chart", milliseconds(await median(() => shown(page, `${url}/c/long-none/main`, ".chart svg"))));
  print("a call with 2 MB, from the address", milliseconds(await median(() => shown(page, `${url}/c/large/main/calls/21?show=all`, ".pair"))));
  print("the same, from its conversation", milliseconds(await median(() => clicked(page))));
  const { slowest, middle } = await scrolled(page, `${url}/c/long-none/main/calls/5000?show=all`);
  print("scrolling through 10,000 messages, a frame", `${middle.toFixed(1)} ms, the slowest of 20 ${slowest.toFixed(1)} ms`);
} finally {
  await close();
  await browser.close();
}

async function firstPaint(on: Page, address: string): Promise<number> {
  await on.goto(address);
  await on.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0");
  return Number(await on.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"));
}

async function shown(on: Page, address: string, ready: string): Promise<number> {
  const began = performance.now();
  await on.goto(address);
  await on.locator(ready).first().waitFor();
  return performance.now() - began;
}

async function clicked(on: Page): Promise<number> {
  await on.goto(`${url}/c/large/main/calls`);
  const link = on.locator('a[href$="/calls/21"]');
  await link.waitFor();
  const began = performance.now();
  await link.click();
  await on.locator(".pair").first().waitFor();
  return performance.now() - began;
}

async function scrolled(on: Page, address: string): Promise<{ readonly slowest: number; readonly middle: number }> {
  await on.goto(address);
  await on.locator(".pair").first().waitFor();
  const frames = (await on.evaluate(`new Promise((resolve) => {
    const frames = []; let before = performance.now(); let count = 0;
    const step = (now) => { frames.push(now - before); before = now; scrollBy(0, 700); if (++count < 240) requestAnimationFrame(step); else resolve(frames.slice(5)); };
    requestAnimationFrame(step);
  })`)) as number[];
  const sorted = frames.toSorted((a, b) => a - b);
  return { middle: sorted[Math.floor(sorted.length / 2)] ?? 0, slowest: sorted[Math.floor(sorted.length * 0.95)] ?? 0 };
}

async function median(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) times.push(await measure());
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}

async function callOfTwoMegabytes(into: Store): Promise<Store> {
  const recorder = await ConversationRecorder.begin({
    store: into,
    thread: "large",
    policy: "none",
    tools: { compact: false, recall: false },
    head: { system: "You are an agent.", tools: [] },
    api: "anthropic",
    path: "/v1/messages",
    client: {},
  });
  recorder.say({ role: "user", content: "Read the logs." });
  for (let round = 0; round < 20; round++) {
    const id = `toolu_${round}`;
    await recorder.call({
      model: "claude-sonnet-5",
      atMs: round,
      answers: [() => ({ role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input: { command: `cat log.${round}` } }] })],
    });
    const content = Array.from(
      { length: 1_400 },
      (_, line) => `2026-01-01T00:00:${line % 60} request ${round * 1_400 + line} took ${(line * 7_919) % 997} ms, status 200`,
    ).join("\n");
    recorder.say({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] });
  }
  await recorder.call({ model: "claude-sonnet-5", atMs: 100, answers: [() => ({ role: "assistant", content: "Read." })] });
  return into;
}

function milliseconds(value: number): string {
  return `${Math.round(value)} ms`;
}

function print(what: string, value: string): void {
  console.log(`${what.padEnd(48)}${value}`);
}
