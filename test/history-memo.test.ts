/** What a summarizer has written once is kept in the store. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, test } from "node:test";
import { openHistory, type History, type HistoryOptions } from "../src/history/index.ts";
import { anthropic, checked, extractive, openaiCompatible } from "../src/summarize/index.ts";
import { use } from "./support/build.ts";
import { onEveryStore } from "./support/history/every-store.ts";

type Summarizer = NonNullable<HistoryOptions["summarizer"]>;

const OUTPUT = "a line of output\n".repeat(50);

/** Gives what is shown for a result. */
async function summarized(history: History, instructions: string, content = OUTPUT): Promise<unknown> {
  await history.configureToolSummarization({ grep: instructions });
  await history.user("q");
  await history.assistant([use("c1", "grep")]);
  await history.toolResult("c1", "grep", content);
  return history.getContent((await history.findToolResults()).at(-1)?.hash ?? "");
}

onEveryStore("a summary that was written once", (open) => {
  it("is not asked for again, by another history and of another thread; with other instructions it is", async () => {
    const store = await open({ isEmpty: true });
    let asked = 0;
    const mine: Summarizer = ({ instructions }) => Promise.resolve(`${instructions ?? ""} ${++asked}`);
    const ask = async (instructions: string, options: Partial<HistoryOptions> = {}, content = OUTPUT): Promise<unknown> =>
      summarized(await openHistory({ store, summarizer: mine, ...options }), instructions, content);
    assert.equal(await ask("names"), "names 1");
    assert.equal(await ask("names"), "names 1");
    assert.equal(await ask("numbers"), "numbers 2");
    assert.equal(await ask("names", {}, `${OUTPUT}and more`), "names 3");
    assert.equal(await ask("names", { summarizerName: "mine, second version" }), "names 4");
    assert.equal(await ask("names", { summarizerName: "mine, second version" }), "names 4");
    assert.equal(await ask("names", { summarizerName: "mine" }), "names 1", "the function's own name is the default");
    assert.equal(asked, 4);
  });

  it("compress finds it too", async () => {
    const store = await open({ isEmpty: true });
    let asked = 0;
    const mine: Summarizer = () => Promise.resolve(`summary ${++asked}`);
    for (let round = 0; round < 2; round++) {
      const history = await openHistory({ store, summarizer: mine });
      const commits = [await history.user("q"), await history.assistant("a")];
      assert.deepEqual((await history.compress({ commits })).summaries, ["summary 1"]);
    }
  });

  it("what failed, and what a function without a name wrote, is asked for again", async () => {
    const store = await open({ isEmpty: true });
    let asked = 0;
    const failing: Summarizer = () => (++asked === 1 ? Promise.reject(new Error("overloaded")) : Promise.resolve(`summary ${asked}`));
    const shown = async (summarizer: Summarizer): Promise<unknown> => summarized(await openHistory({ store, summarizer }), "names");
    assert.equal(await shown(failing), OUTPUT);
    assert.equal(await shown(failing), "summary 2");
    const nameless = (): Summarizer => () => Promise.resolve(`summary ${++asked}`);
    assert.equal(await shown(nameless()), "summary 3");
    assert.equal(await shown(nameless()), "summary 4");
  });

  it("a fallback's is not kept", async () => {
    const store = await open({ isEmpty: true });
    let asked = 0;
    const model: Summarizer = () => (++asked === 1 ? Promise.reject(new Error("overloaded")) : Promise.resolve("by the model"));
    const shown = async (): Promise<unknown> => summarized(await openHistory({ store, summarizer: checked(model) }), "names");
    assert.match(String(await shown()), /^\[The summarizer's own answer was not used/);
    assert.equal(await shown(), "by the model");
    assert.equal(await shown(), "by the model");
    assert.equal(asked, 2);
  });
});

test("it is there when the file is opened again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-memo-"));
  let asked = 0;
  const mine: Summarizer = () => Promise.resolve(`summary ${++asked}`);
  try {
    for (let round = 0; round < 3; round++) {
      const history = await openHistory({ store: `sqlite:${join(folder, "x.db")}`, summarizer: mine });
      assert.equal(await summarized(history, "names"), "summary 1");
      await history.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("summarizers of the package have names that say what their answers depend on", () => {
  const client = { messages: { create: () => assert.fail() }, chat: { completions: { create: () => assert.fail() } } };
  const names = [
    extractive().name,
    extractive({ share: 0.1 }).name,
    extractive({ maxTokens: 100 }).name,
    anthropic({ client, model: "a" }).name,
    anthropic({ client, model: "b" }).name,
    anthropic({ client, model: "a", maxTokens: 100 }).name,
    anthropic({ client, model: "a", check: false }).name,
    anthropic({ client, model: "a", check: { keep: ["id"] } }).name,
    openaiCompatible({ client, model: "a" }).name,
  ];
  assert.equal(new Set(names).size, names.length, names.join("\n"));
  assert.ok(!names.includes(""));
  assert.equal(anthropic({ client, model: "a" }).name, names[3]);
  assert.equal(
    checked(
      (
        () => () =>
          Promise.resolve("x")
      )(),
    ).name,
    "",
  );
});
