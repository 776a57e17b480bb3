/** Conversations of a size, and with contents, that a page could break under. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { axeFindings } from "../support/browser/axe-findings.ts";
import { hostileSession } from "../support/browser/hostile-session.ts";
import { longSession } from "../support/browser/long-session.ts";
import { openPage } from "../support/browser/open-browser.ts";
import { requiredBrowser } from "../support/browser/required-browser.ts";
import { servePages } from "../support/browser/serve-pages.ts";

const folder = await mkdtemp(join(tmpdir(), "palimpsest-browser-"));
after(() => rm(folder, { recursive: true, force: true }));

describe("a conversation of 10,000 messages", { timeout: 240_000 }, async () => {
  const browser = await requiredBrowser();
  const { url } = await servePages(await longSession(10_000, "none", await longSession(10_000)));
  const LONG = `${url}/c/long-tight/main`;
  const WHOLE = `${url}/c/long-none/main`;

  it("has a chart of its 5,000 calls, and a list that is scrolled from end to end with few rows in the page", async () => {
    const { page, problems } = await openPage(browser, LONG);
    await page.locator(".chart svg").waitFor();
    await page.waitForFunction(() => document.querySelector(".chart")?.getAttribute("aria-label")?.startsWith("Tokens per call, 5,000 calls") === true);
    await page.goto(`${LONG}/calls`);
    await page.locator(".call-row", { hasText: "5,000" }).first().waitFor();
    assert.ok((await page.locator(".call-row").count()) < 150);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.locator('.call-row[href$="/calls/1"]').waitFor();
    assert.ok((await page.locator(".call-row").count()) < 150);
    assert.deepEqual(problems, []);
  });

  it("opens its last call, and everything in it, from the first message to the last", async () => {
    const { page, problems } = await openPage(browser, `${WHOLE}/calls/5000?show=all`);
    const rows = page.locator(".diff .rows > [role=listitem]");
    await rows.first().waitFor();
    assert.ok(Number(await rows.first().getAttribute("aria-setsize")) > 9_900);
    for (const share of [0.25, 0.5, 0.75]) {
      await page.evaluate((part) => scrollTo(0, document.documentElement.scrollHeight * part), share);
      await page.waitForFunction(() => {
        const middle = document.elementFromPoint(600, 500)?.closest("[data-key]");
        return middle !== null && middle?.querySelector(".pair") !== null;
      });
      assert.ok((await rows.count()) < 200, `${await rows.count()} rows at ${share}`);
    }
    for (let tries = 0; tries < 5; tries++) {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await page.waitForTimeout(150);
    }
    await page.getByText("All of it is read.").first().waitFor();
    assert.deepEqual(problems, []);
  });

  it("finds what was said in the middle of it", async () => {
    const { page } = await openPage(browser, `${url}?q=value2345_3`);
    await page.locator(".hit").first().click();
    await page.getByRole("heading", { level: 1, name: "Call 2,346 of 5,000" }).waitFor();
    await page.locator(".lines", { hasText: "value2345_3" }).first().waitFor();
  });
});

describe("hostile contents", { timeout: 240_000 }, async () => {
  const browser = await requiredBrowser();
  const { url } = await servePages(await hostileSession());
  const HOSTILE = `${url}/c/hostile/main`;
  const paths = [
    "",
    "/c/hostile/main",
    "/c/hostile/main/calls",
    "/c/hostile/main/edits",
    "?q=script",
    "?q=owned&agent=x",
    "/c/hostile/main/calls/7?show=all",
    "/c/hostile/main/calls/3?show=all",
  ];

  for (const path of paths)
    it(`are text, and nothing else, at ${path === "" ? "/" : path}`, async () => {
      const { page, problems } = await openPage(browser, url + path);
      await page.locator("h1").waitFor();
      await page.waitForTimeout(500);
      // Every fold and every cut that is there at once.
      for (const button of (await page.locator(".fold, .cut, .in-line").all()).slice(0, 12)) await button.click({ timeout: 1_000 }).catch(() => undefined);
      assert.deepEqual(problems, []);
      const found = await page.evaluate(() => ({
        title: document.title,
        foreign: [...document.querySelectorAll("script, iframe, object, embed, form:not(.bar), img, style, link[rel=stylesheet]")].filter(
          (element) => !["/inspector/assets/app.js", "/inspector/assets/app.css"].includes(element.getAttribute("src") ?? element.getAttribute("href") ?? ""),
        ).length,
        links: [...document.querySelectorAll("a")].filter(({ href }) => !href.startsWith(`${location.origin}/inspector`)).length,
        handlers: [...document.querySelectorAll("*")].filter((element) => element.getAttributeNames().some((name) => name.startsWith("on"))).length,
      }));
      assert.notEqual(found.title, "owned");
      assert.deepEqual({ ...found, title: "" }, { title: "", foreign: 0, links: 0, handlers: 0 });
    });

  it("cannot turn text around, nor hide: such characters are named", async () => {
    const { page } = await openPage(browser, url);
    const title = page.locator(".t1 a").first();
    await title.waitFor();
    assert.equal(await title.textContent(), "<script>alert(9)</script> userU+202EnimdaU+202C invisibleU+200Bspace nulU+0000end loneU+D800half");
    assert.equal(await title.evaluate((element) => getComputedStyle(element).unicodeBidi), "isolate");
  });

  it("of 5 MB open in pieces", async () => {
    const { page, problems } = await openPage(browser, `${HOSTILE}/calls/6?show=all`);
    const pair = page.locator(".pair", { hasText: "line 000000" }).first();
    await pair.waitFor();
    await pair.scrollIntoViewIfNeeded();
    await pair.getByText("Over 2 MB: shown as they are, not compared line by line.").waitFor();
    const lines = pair.locator(".cell").first().locator(".ln");
    const left = pair.locator(".cells").nth(1).locator(".cell").first();
    const before = await left.locator(".ln").count();
    assert.ok(before < 30, `${before} lines at first`);
    await left.locator(".cut").first().click();
    await left.locator(".ln", { hasText: "line 000400" }).waitFor();
    const opened = await left.locator(".ln").count();
    assert.ok(opened > before && opened < 1_500, `${opened} lines of 62,500`);
    await left
      .getByRole("button", { name: / more$/ })
      .last()
      .click();
    await page.waitForTimeout(200);
    assert.ok((await lines.count()) < 4_000);
    assert.deepEqual(problems, []);
  });

  it("of a single line of 1 MB show its beginning", async () => {
    const { page, problems } = await openPage(browser, `${HOSTILE}/calls/5?show=all`);
    const line = page.locator(".ln", { hasText: "0123456789".repeat(30) }).first();
    await line.waitFor();
    assert.ok(((await line.textContent()) ?? "").length < 6_000);
    assert.deepEqual(problems, []);
  });

  it("stay text in an exported file", async () => {
    const { page } = await openPage(browser, HOSTILE, { acceptDownloads: true });
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByLabel(/Without contents/).uncheck();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the file" }).click()]);
    const path = join(folder, "hostile.html");
    await download.saveAs(path);
    const opened = await openPage(browser, `file://${path}`);
    await opened.page.getByRole("heading", { name: "Tokens per call" }).waitFor();
    assert.equal(await opened.page.evaluate(() => document.querySelectorAll("script, img, iframe, a, [onload], [onerror], [onfocus]").length), 0);
    assert.deepEqual(opened.problems, []);
  });

  it("have no violations of axe", async () => {
    const { page } = await openPage(browser, `${HOSTILE}/calls/3?show=all`);
    await page.locator(".pair").first().waitFor();
    assert.deepEqual(await axeFindings(page), []);
  });
});
