/** What a reader sees where something is not there, or cannot be read: what happened, and what to do. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { openStore } from "../../src/history/index.ts";
import { PalimpsestError } from "../../src/errors/palimpsest-error.ts";
import { createMemoryStore } from "../../src/store/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { axeFindings } from "../support/browser/axe-findings.ts";
import { longSession } from "../support/browser/long-session.ts";
import { openPage } from "../support/browser/open-browser.ts";
import { requiredBrowser } from "../support/browser/required-browser.ts";
import { servePages } from "../support/browser/serve-pages.ts";

const folder = await mkdtemp(join(tmpdir(), "palimpsest-troubles-"));
after(() => rm(folder, { recursive: true, force: true }));

/** The requests of these pages are refused, and a browser says so in its console. */
const REFUSED = /^error: Failed to load resource: the server responded with a status of (4|5)\d\d/;

describe("what the inspector says where something is wrong", { timeout: 120_000 }, async () => {
  const browser = await requiredBrowser();

  async function says(address: string, sentences: readonly (string | RegExp)[]): Promise<void> {
    const { page, problems } = await openPage(browser, address);
    const alert = page.getByRole("alert").first();
    await alert.waitFor();
    const text = (await alert.textContent()) ?? "";
    for (const sentence of sentences) assert.ok(typeof sentence === "string" ? text.includes(sentence) : sentence.test(text), `${String(sentence)} in ${text}`);
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(
      problems.filter((problem) => !REFUSED.test(problem)),
      [],
    );
  }

  it("a conversation that is not there", async () => {
    const { url } = await servePages(await longSession(10));
    await says(`${url}/c/c1x9/main`, ["There is no conversation c1x9, in this store (memory).", "palimpsest ui <store> opens one."]);
    await says(`${url}/c/c1x9/main/calls/3`, ["There is no conversation c1x9"]);
  });

  it("an address that is none", async () => {
    const { url } = await servePages(await longSession(10));
    await says(`${url}/somewhere/else`, ["There is no page at this address."]);
    await says(`${url}/c/long-tight/main/calls/999`, ["There is no call 999 in this conversation: it has 5."]);
    await says(`${url}/c/long-tight/main/calls/%3Cscript%3E`, ["There is no call <script> in this conversation"]);
  });

  it("a call that retention took away", async () => {
    const store = await longSession(40);
    const notes = await store.notes({ kind: "call", thread: "long-tight" });
    await store.dropNotes("call", notes[10]?.at ?? 0);
    const { url } = await servePages(store);
    await says(`${url}/c/long-tight/main/calls/3`, [
      /Call 3 was removed by retention\. The first one kept is call 11, of \d{4}-\d\d-\d\d\./,
      "Its messages are still in the conversation",
    ]);
    const { page } = await openPage(browser, `${url}/c/long-tight/main`);
    await page.locator(".chart svg").waitFor();
    assert.match((await page.locator(".chart").getAttribute("aria-label")) ?? "", /10 calls/);
  });

  it("a store that somebody else has locked, and when it is free again", async () => {
    const path = join(folder, "locked.db");
    const store = await longSession(20, "tight", await openStore(`sqlite:${path}`));
    after(() => store.close());
    const { url } = await servePages(failing(store, () => isLocked));
    let isLocked = true;
    await says(url, [/sqlite:.*locked\.db is locked by another process\./, "Agents keep working", "Nothing is lost."]);
    const { page } = await openPage(browser, url);
    await page.getByRole("button", { name: "Try again" }).waitFor();
    isLocked = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("row", { name: /Read every file/ }).waitFor();
  });

  it("a store of a newer version", async () => {
    const path = join(folder, "newer.db");
    const store = await openStore(`sqlite:${path}`);
    await store.close();
    const database = new DatabaseSync(path);
    database.exec("UPDATE palimpsest_schema SET version = 99");
    database.close();
    const opened = await openStore(`sqlite:${path}`).catch((error: unknown) => error);
    assert.ok(PalimpsestError.isInstance(opened) && opened.code === "SCHEMA_NEWER", String(opened));
    const { url } = await servePages(refusing(opened));
    await says(url, [
      /This store was written by a newer Palimpsest \(version 99 of its schema, this one reads up to \d+\)\./,
      "npm i -g palimpsest",
      "Nothing was changed.",
    ]);
  });

  it("a store that is gone", async () => {
    const { url } = await servePages(await longSession(10), { whyGone: () => "The store sqlite:kept.db is gone: its file was moved or deleted." });
    await says(url, ["The store sqlite:kept.db is gone: its file was moved or deleted.", "Put it back, or start palimpsest ui with another store."]);
  });

  it("a server that goes away while a page is open", async () => {
    const { url, close } = await servePages(await longSession(10));
    const { page } = await openPage(browser, url);
    await page.getByRole("row", { name: /Read every file/ }).waitFor();
    await close();
    await page.getByText(`No connection to ${new URL(url).host} since`).waitFor({ timeout: 10_000 });
    await page.getByRole("link", { name: /Read every file/ }).click();
    await page.getByText("Start it again, then try again.").waitFor();
  });

  it("a store with nothing in it, and one whose threads were imported", async () => {
    const store = createMemoryStore();
    const { url } = await servePages(store);
    const { page } = await openPage(browser, url);
    await page.getByRole("heading", { name: "There is no conversation here" }).waitFor();
    const { openHistory } = await import("../../src/history/index.ts");
    await (await openHistory({ store, thread: "imported" })).user("Hello.");
    await page.reload();
    await page.getByText("This store has 1 thread with messages but no calls").waitFor();
    assert.deepEqual(await axeFindings(page), []);
  });
});

/** A store that is locked while `isLocked` says so: what SQLite says then, without the wait. */
function failing(store: Store, isLocked: () => boolean): Store {
  const failure = (): PalimpsestError =>
    new PalimpsestError("STORE_FAILED", `${store.name}: notes failed: database is locked`, { store: store.name, operation: "notes" });
  return { ...methodsOf(store), notes: (query) => (isLocked() ? Promise.reject(failure()) : store.notes(query)) };
}

function refusing(error: Error): Store {
  return { ...methodsOf(createMemoryStore()), notes: () => Promise.reject(error) };
}

/** Of a store that is a class, its methods are not its own. */
function methodsOf(store: Store): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
    ownKeys: () => METHODS,
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

const METHODS: readonly string[] = [
  ...["name", "threads", "branches", "head", "fork", "append", "commits", "byHash", "contents", "addStep", "steps", "memo", "setMemo"],
  ...["putNotes", "notes", "dropNotes", "beginImport", "unfinished", "rename", "forget", "retain", "audit", "repair", "close"],
];
