/** The way through every screen, with the demo: keys, filters, charts and their tables, differences, exports. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createDemoStore } from "../../src/inspector/index.ts";
import { openPage } from "../support/browser/open-browser.ts";
import { requiredBrowser } from "../support/browser/required-browser.ts";
import { servePages } from "../support/browser/serve-pages.ts";

const folder = await mkdtemp(join(tmpdir(), "palimpsest-browser-"));
after(() => rm(folder, { recursive: true, force: true }));

describe("the inspector, with the demo", { timeout: 240_000 }, async () => {
  const browser = await requiredBrowser();
  const demo = {
    demo: createDemoStore,
    about: () => ({ version: "0", source: "proxy" as const, name: "memory", address: "http://127.0.0.1:4141", remarks: [] }),
  };
  const { url } = await servePages(undefined, demo);
  const LONG = `${url}/c/demo-webhooks/main`;

  describe("conversations", () => {
    it("are a tree: sub-agents and side calls below the one that started them, opened and closed by keys", async () => {
      const { page, problems } = await openPage(browser, url);
      await page.getByRole("treegrid").waitFor();
      const titles = (): Promise<string[]> => page.locator(".gr:not(.h) .t1 a").allTextContents();
      const all = await titles();
      assert.deepEqual(
        all.map((title) => title.slice(0, 20)),
        ["Retry flapping webho", "Explore: every calle", "Review: data race in", "Titles, summaries an", "Port the CSV importe"],
      );
      await page.keyboard.press("j");
      assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? "", /^Retry flapping/);
      await page.keyboard.press("ArrowLeft");
      assert.equal((await titles()).length, 2);
      assert.equal(await page.locator('.gr[aria-level="1"]').first().getAttribute("aria-expanded"), "false");
      await page.keyboard.press("ArrowRight");
      assert.equal((await titles()).length, 5);
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      await page.keyboard.press("k");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Explore: every caller of backoff.Next" }).waitFor();
      assert.deepEqual(problems, []);
    });

    it("in which something was left out never say that there was nothing to do", async () => {
      const { page } = await openPage(browser, url);
      const rows = page.locator(".gr:not(.h)");
      await rows.nth(1).waitFor();
      assert.match((await rows.nth(1).textContent()) ?? "", /of 86\.1k.*under \$0\.01/);
    });

    it("in which nothing was paid for say so", async () => {
      const { page } = await openPage(browser, url);
      await page.getByRole("link", { name: /^Explore: every caller/ }).click();
      await page.getByText("Neither cache rewrites nor recalls had to be paid for.").waitFor();
    });

    it("are found by every word that was ever said, shortened or not, and the place opens", async () => {
      const { page, problems } = await openPage(browser, url);
      await page.getByRole("treegrid").waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("TestLeaseSurvivesBack");
      const hit = page.locator(".hit").first();
      await hit.waitFor();
      assert.equal(await hit.locator("mark").textContent(), "TestLeaseSurvivesBack");
      assert.ok((await page.locator(".hit .tag.ours").count()) > 0, "some of them are shortened by now");
      assert.equal(new URL(page.url()).searchParams.get("q"), "TestLeaseSurvivesBack");
      await hit.click();
      await page.getByRole("heading", { level: 1, name: /Call \d+/ }).waitFor();
      await page.locator(".lines", { hasText: "TestLeaseSurvivesBackoff" }).first().waitFor();
      assert.deepEqual(problems, []);
    });

    it("say so where nobody said it", async () => {
      const { page } = await openPage(browser, `${url}?q=xyzzyplugh`);
      await page.getByText("“xyzzyplugh” was not found, shortened or not, in the 4 conversations here.").waitFor();
    });

    it("are filtered by what stands in the address, after a reload too", async () => {
      const { page, problems } = await openPage(browser, url);
      await page.getByLabel("Filter by agent").selectOption("Codex");
      await page.waitForFunction(() => document.querySelectorAll(".gr:not(.h)").length === 1);
      assert.equal(new URL(page.url()).searchParams.get("agent"), "Codex");
      await page.reload();
      await page.getByRole("row", { name: /Port the CSV importer/ }).waitFor();
      assert.equal(await page.locator(".gr:not(.h)").count(), 1);
      await page.getByRole("button", { name: "Remove the filter by agent" }).click();
      await page.waitForFunction(() => document.querySelectorAll(".gr:not(.h)").length === 5);
      await page.getByRole("button", { name: "With faults" }).click();
      await page.getByText("Nothing matches. Remove a filter to see more.").waitFor();
      assert.deepEqual(problems, []);
    });

    it("tell a newcomer how to connect a client", async () => {
      const { page } = await openPage(browser, url);
      await page.getByRole("button", { name: "Connect a client" }).click();
      await page.getByText("ANTHROPIC_BASE_URL=http://127.0.0.1:4141 claude").waitFor();
      await page.getByRole("button", { name: "Codex", exact: true }).click();
      await page.getByText(/wire_api="responses"/).waitFor();
    });

    it("follow the system's colours, and the address over it", async () => {
      const { page } = await openPage(browser, url, { colorScheme: "dark" });
      const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(await ground(), "rgb(15, 16, 18)");
      await page.keyboard.press("t");
      assert.equal(await ground(), "rgb(247, 247, 245)");
      assert.equal(new URL(page.url()).searchParams.get("theme"), "light");
    });
  });

  describe("one conversation", () => {
    it("has a chart that is read with the keys, and the same as a table", async () => {
      const { page, problems } = await openPage(browser, LONG);
      const chart = page.locator(".chart");
      await chart.waitFor();
      const readout = page.locator(".readout");
      assert.match((await readout.textContent()) ?? "", /^Call 84.*sent: [\d,]+ read, [\d,]+ written, [\d,]+ uncached.*without us.*instead of/);
      await chart.focus();
      await page.keyboard.press("Home");
      assert.equal(await readout.locator("b").first().textContent(), "Call 2");
      await page.keyboard.press("PageDown");
      assert.equal(await readout.locator("b").first().textContent(), "Call 12");
      const labels = await page.locator(".chart text.m").allTextContents();
      assert.deepEqual(labels, ["Agent compacts, digest", "Pause 48 min", "Digest"]);
      await page.getByRole("button", { name: "Table" }).first().click();
      const row = page.getByRole("row", { name: /^38 / });
      assert.match((await row.textContent()) ?? "", /pause of 48 min/);
      assert.deepEqual(problems, []);
    });

    it("opens the call under the cursor", async () => {
      const { page } = await openPage(browser, LONG);
      await page.locator(".chart").focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Call 3 of 84" }).waitFor();
    });

    it("answers three questions, with parts that add up to their sums", async () => {
      const { page } = await openPage(browser, LONG);
      await page.getByText("The breakdown").first().click();
      for (const [number, place] of [0, 1, 2].entries()) {
        const list = page.locator(".three .kv").nth(place);
        await list.waitFor();
        const values = (await list.locator("dd").allTextContents()).map((text) => Number(text.replaceAll(/[+$,]/g, "").replace("−", "-")));
        const [total = NaN, ...parts] = values.toReversed();
        const sum = parts.reduce((all, part) => all + part, 0);
        assert.ok(Math.abs(sum - total) <= Math.max(0.02, Math.abs(total) * 0.002), `${number}: ${parts.join(" + ")} = ${total}`);
      }
    });

    it("shows what fills the context, sent and full, as a map and as a table", async () => {
      const { page } = await openPage(browser, LONG);
      const tiles = page.locator(".tm li");
      await tiles.first().waitFor();
      assert.match((await tiles.first().textContent()) ?? "", /^Bash: [\d,]+ tokens, \d+ %, \d+ results/);
      await page.getByRole("button", { name: "Full" }).click();
      const card = page.locator("section", { has: page.getByRole("heading", { name: "What fills the context now" }) });
      await card.getByRole("button", { name: "Table" }).click();
      await card.getByRole("row", { name: /^Read / }).waitFor();
    });

    it("lists its calls and its edits", async () => {
      const { page, problems } = await openPage(browser, `${LONG}/calls`);
      await page.getByRole("button", { name: /Side calls/ }).click();
      await page.waitForFunction(() => document.querySelectorAll(".call-row").length === 2);
      await page.getByRole("link", { name: /^Edits/ }).click();
      await page.getByText("34 results cut when they came in").waitFor();
      await page.getByText(/The agent wrote it: “I compacted the first fixes/).waitFor();
      assert.deepEqual(problems, []);
    });

    for (const isRedacted of [true, false])
      it(`is taken away as one file${isRedacted ? ", without its contents" : ""}, which opens without a server and loads nothing`, async () => {
        const { page } = await openPage(browser, LONG, { acceptDownloads: true });
        await page.getByRole("button", { name: "Export" }).click();
        if (!isRedacted) await page.getByLabel(/Without contents/).uncheck();
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the file" }).click()]);
        const path = join(folder, download.suggestedFilename());
        await download.saveAs(path);
        const html = await readFile(path, "utf8");
        assert.doesNotMatch(html, /<script|<link|<img|<iframe|<form|\son\w+=|url\(|@import/i);
        assert.match(html, /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
        const opened = await openPage(browser, `file://${path}`);
        await opened.page.getByRole("heading", { name: "Tokens per call" }).waitFor();
        assert.equal(await opened.page.evaluate(() => getComputedStyle(document.querySelector("article") as Element).borderRadius), "8px");
        assert.deepEqual(opened.problems, []);
        assert.equal(/backoff|ErrLeaseLost|hookline|webhooks in the/.test(html), !isRedacted);
      });
  });

  describe("one call", () => {
    it("says what was done, why, and what it did to the cache", async () => {
      const { page, problems } = await openPage(browser, `${LONG}/calls/73`);
      await page.getByText(/^[\d,]+ tokens were removed in a batch of 2 edits, because it saves more than it costs\.$/).waitFor();
      await page.getByText(/The [\d,]+ tokens after them were written to the cache again, once\./).waitFor();
      await page.getByText("First changed block: 21.0").waitFor();
      await page.getByText("The cache was broken here").waitFor();
      assert.ok((await page.locator(".strip i.r").count()) > 0 && (await page.locator(".strip i.w").count()) > 10);
      assert.deepEqual(problems, []);
    });

    it("says why nothing was done", async () => {
      const { page } = await openPage(browser, `${LONG}/calls/30`);
      await page.getByText("Nothing new was done, because it would cost more than it would save.").waitFor();
      await page.getByText(/tokens could be removed, but rewriting what follows them/).waitFor();
    });

    it("shows hidden rounds, which the client did not see", async () => {
      const { page } = await openPage(browser, `${LONG}/calls/40`);
      await page.getByText(/Hidden round: recall \w+, not seen by the client/).waitFor();
      const hidden = page.locator(".pair", { hasText: "the client did not see this" });
      await hidden.nth(1).waitFor();
      assert.equal(await hidden.count(), 2);
    });

    it("puts every changed block beside the client's, with the lines that differ, and the original a click away", async () => {
      const { page, problems } = await openPage(browser, `${LONG}/calls/4`);
      const pair = page.locator(".pair[data-changed]").first();
      await page.waitForFunction(() => document.querySelectorAll(".pair[data-changed] .cells").length > 4);
      assert.ok((await pair.locator(".ln.n").count()) > 0, "what stands in their place");
      assert.match((await pair.locator(".ln.n").first().textContent()) ?? "", /\[… \d+ lines? cut\]/);
      await pair.getByRole("button", { name: "Show original" }).click();
      // All of it, in pieces.
      await page.waitForFunction(() => document.querySelectorAll(".pair[data-changed] .ln.o").length > 500);
      assert.deepEqual(problems, []);
    });

    it("has all blocks in folds that open in place", async () => {
      const { page, problems } = await openPage(browser, `${LONG}/calls/73`);
      const fold = page.locator(".fold", { hasText: "earlier edits" }).first();
      await fold.waitFor();
      const rows = await page.locator(".rows > [role=listitem]").count();
      await fold.click();
      await page.waitForFunction((count) => document.querySelectorAll(".rows > [role=listitem]").length > count, rows);
      await page.getByRole("button", { name: /Everything/ }).click();
      assert.equal(new URL(page.url()).searchParams.get("show"), "all");
      await page.locator(".fold").first().waitFor({ state: "detached" });
      assert.deepEqual(problems, []);
    });

    it("is walked through with the keys: change by change, call by call, and the original of each", async () => {
      const { page } = await openPage(browser, `${LONG}/calls/37`);
      await page.locator(".edit").first().waitFor();
      const at = (): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.closest(".edit")?.textContent);
      await page.keyboard.press("n");
      await page.waitForFunction(() => document.activeElement?.closest(".edit") !== null);
      const first = await at();
      await page.keyboard.press("n");
      await page.waitForFunction((text) => document.activeElement?.closest(".edit")?.textContent !== text, first);
      await page.keyboard.press("p");
      await page.waitForFunction((text) => document.activeElement?.closest(".edit")?.textContent === text, first);
      await page.keyboard.press("o");
      await page.getByRole("button", { name: "Show differences" }).first().waitFor();
      await page.keyboard.press("j");
      await page.getByRole("heading", { level: 1, name: "Call 38 of 84" }).waitFor();
      await page.keyboard.press("k");
      await page.getByRole("heading", { level: 1, name: "Call 37 of 84" }).waitFor();
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      assert.match(page.url(), /calls\/37/, "Escape closed the dialog, and nothing else");
    });

    it("is there as JSON, both as it was sent and as the client sent it, and as a command without a key", async () => {
      const { page, problems } = await openPage(browser, `${LONG}/calls/37`, { permissions: ["clipboard-read", "clipboard-write"] });
      await page.getByRole("button", { name: "Raw JSON" }).click();
      const raw = page.getByRole("region", { name: "The request as JSON" });
      await raw.getByText('"model": "claude-opus-5-5"').waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Copy as curl" }).click();
      await page.getByText(/^Copied without the key/).waitFor();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(command, /^curl 'https:\/\/api\.anthropic\.com\/v1\/messages' -H 'content-type: application\/json' -H "x-api-key: \$ANTHROPIC_API_KEY"/);
      const body = command.slice(command.indexOf("\n") + 1, command.lastIndexOf("\nPALIMPSEST_REQUEST"));
      const request = JSON.parse(body) as { readonly tools: readonly { readonly name: string }[]; readonly messages: readonly unknown[] };
      assert.deepEqual(
        request.tools.map(({ name }) => name),
        ["Read", "Edit", "Write", "Bash", "Grep", "Task", "compact", "recall"],
      );
      assert.deepEqual(problems, []);
    });
  });
});
