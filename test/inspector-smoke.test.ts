/** The way through the inspector, in a browser; `npm run test:browser` goes further. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDemoStore } from "../src/inspector/index.ts";
import { axeFindings } from "./support/browser/axe-findings.ts";
import { openPage, sharedBrowser } from "./support/browser/open-browser.ts";
import { servePages } from "./support/browser/serve-pages.ts";

describe("the inspector in a browser", { timeout: 60_000 }, async () => {
  const browser = await sharedBrowser();
  if (browser === undefined) {
    it("needs a browser: none can be started here, so nothing was tried (PALIMPSEST_CHROMIUM names one)", () => undefined);
    return;
  }

  it("leads from the list to a conversation, to a call, to what was left out of it, and back", async () => {
    const { url } = await servePages(undefined, { demo: createDemoStore });
    const { page, problems } = await openPage(browser, url);
    const row = page.getByRole("row", { name: /Retry flapping webhooks/ });
    await row.waitFor();
    assert.match((await row.textContent()) ?? "", /claude-opus-5-5.*84.*of \d+k.*\$\d/);
    assert.deepEqual(await axeFindings(page), []);
    await row.getByRole("link").click();
    await page.getByRole("heading", { name: "What was saved?" }).waitFor();
    await page.locator(".chart svg").waitFor();
    await page.locator(".ev", { hasText: "Digest of 21 rounds" }).getByRole("link", { name: "call 37" }).click();
    await page.getByText(/tokens were removed in a batch of \d+ edits, because it saves more than it costs\./).waitFor();
    const card = page.locator(".edit", { hasText: "digest-rounds" }).first();
    assert.match((await card.textContent()) ?? "", /[\d,]+ → [\d,]+ tokens.*at call 37, by tight/);
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Tokens per call" }).waitFor();
    await page.keyboard.press("Escape");
    await row.waitFor();
    assert.deepEqual(problems, []);
  });
});
