/** Every screen, in light and dark, wide and narrow: no violation of axe, no error in the console, nothing wider than the window. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDemoStore } from "../../src/inspector/index.ts";
import { axeFindings } from "../support/browser/axe-findings.ts";
import { openPage } from "../support/browser/open-browser.ts";
import { requiredBrowser } from "../support/browser/required-browser.ts";
import { servePages } from "../support/browser/serve-pages.ts";

const SCREENS: readonly (readonly [path: string, ready: string])[] = [
  ["", ".gr:not(.h)"],
  ["?q=ErrLeaseLost", ".hit"],
  ["/c/demo-webhooks/main", ".chart svg"],
  ["/c/demo-webhooks/main/calls", ".call-row"],
  ["/c/demo-webhooks/main/edits", ".ev"],
  ["/c/demo-webhooks/main/calls/37", ".edit"],
  ["/c/demo-webhooks/main/calls/30?show=all", ".pair"],
  ["/c/demo-webhooks/main/calls/1", ".say"],
];

describe("accessibility", { timeout: 240_000 }, async () => {
  const browser = await requiredBrowser();
  const { url } = await servePages(undefined, { demo: createDemoStore });
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [380, 1280, 1920])
      it(`in ${colorScheme}, ${width} pixels wide`, async () => {
        for (const [path, ready] of SCREENS) {
          const { page, problems } = await openPage(browser, url + path, { colorScheme, viewport: { width, height: 900 } });
          await page.locator(ready).first().waitFor();
          await page.waitForTimeout(150);
          assert.deepEqual(await axeFindings(page), [], path);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${path} is ${wide} pixels too wide`);
          assert.deepEqual(problems, [], path);
          await page.context().close();
        }
      });
});
