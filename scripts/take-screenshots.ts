/**
 * Takes the screenshots of README and docs (docs/images/) of the demo: conversation and call, in light and dark. With `--all <folder>`, takes every screen at
 * 380, 1280 and 1920 pixels instead, for review.
 */
import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { createDemoStore, createInspector, serveInspector } from "../src/inspector/index.ts";
import { openBrowser } from "../test/support/browser/open-browser.ts";

interface Screen {
  readonly name: string;
  readonly path: string;
  /** A selector that exists once the screen is drawn. */
  readonly ready: string;
  /** The height of the picture. */
  readonly height: number;
}

const SCREENS: readonly Screen[] = [
  { name: "conversation", path: "/c/demo-webhooks/main", ready: ".tm li", height: 1_130 },
  { name: "call", path: "/c/demo-webhooks/main/calls/73", ready: ".edit", height: 1_100 },
];
const MORE: readonly Screen[] = [
  { name: "list", path: "", ready: ".gr:not(.h)", height: 900 },
  { name: "search", path: "?q=ErrLeaseLost", ready: ".hit", height: 900 },
  { name: "calls", path: "/c/demo-webhooks/main/calls", ready: ".call-row", height: 900 },
  { name: "edits", path: "/c/demo-webhooks/main/edits", ready: ".ev", height: 900 },
  { name: "call-37", path: "/c/demo-webhooks/main/calls/37", ready: ".edit", height: 900 },
  { name: "call-quiet", path: "/c/demo-webhooks/main/calls/30", ready: ".say", height: 900 },
  { name: "unknown", path: "/c/nowhere/main", ready: ".err", height: 500 },
];
const SCHEMES = ["light", "dark"] as const;

const { values } = parseArgs({ options: { all: { type: "string" } } });
const browser = await openBrowser();
if (browser === undefined) throw new Error("No browser can be started here: name one with PALIMPSEST_CHROMIUM.");
const inspector = createInspector({
  demo: createDemoStore,
  // The answer of a proxy in normal operation.
  about: () => ({ version: "", source: "proxy", name: "memory", address: "http://127.0.0.1:4141", policy: "tight", remarks: [] }),
  own: { host: "127.0.0.1", token: undefined },
});
const served = await serveInspector(inspector, { host: "127.0.0.1", port: 0 });
const folder = values.all ?? "docs/images";
await mkdir(folder, { recursive: true });
try {
  const screens = values.all === undefined ? SCREENS : [...SCREENS, ...MORE];
  for (const screen of screens)
    for (const colorScheme of SCHEMES)
      for (const width of values.all === undefined ? [1440] : [380, 1280, 1920]) {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: screen.height }, reducedMotion: "reduce" });
        const page = await context.newPage();
        await page.goto(served.url + screen.path);
        await page.locator(screen.ready).first().waitFor();
        await page.waitForTimeout(500);
        if (values.all !== undefined) await fitWindow(page, width);
        const name = values.all === undefined ? `${screen.name}-${colorScheme}` : `${screen.name}-${colorScheme}-${width}`;
        const path = join(folder, `${name}.png`);
        await page.screenshot({ path });
        if (values.all === undefined) makeSmaller(path);
        await context.close();
      }
} finally {
  await served.close();
  await browser.close();
}

/** Reduces the file to a third, if pngquant is installed: `apt-get install pngquant`. */
function makeSmaller(path: string): void {
  const { status } = spawnSync("pngquant", ["--force", "--strip", "--quality", "70-95", "--output", path, path]);
  if (status !== 0) console.log(`${path} was not made smaller: pngquant is not installed.`);
}

/** Otherwise elements that stick to the window's edges would appear in the middle of a long picture. */
async function fitWindow(page: Page, width: number): Promise<void> {
  const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
  await page.setViewportSize({ width, height: Math.min(height, 6_000) });
  await page.waitForTimeout(300);
}
