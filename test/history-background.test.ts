/** Summaries that are written in the background, and committed with the next batch. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openHistory, openStore, type History, type HistoryEventMap, type HistoryOptions, type Store } from "../src/history/index.ts";
import { use } from "./support/build.ts";
import { outline } from "./support/history/agent-run.ts";
import { onEveryStore } from "./support/history/every-store.ts";

type Summarizer = NonNullable<HistoryOptions["summarizer"]>;

const OUTPUT = "a line of output\n".repeat(50);

/** A summarizer whose answers come when the test says so. It has no name, and so is asked every time. */
function held(): { readonly summarizer: Summarizer; readonly answer: (summary: string) => Promise<void>; readonly signals: AbortSignal[] } {
  const waiting: ((summary: string) => void)[] = [];
  const signals: AbortSignal[] = [];
  const hold = (): Summarizer => (input) => {
    if (input.signal !== undefined) signals.push(input.signal);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const answer = async (summary: string): Promise<void> => {
    waiting.shift()?.(summary);
    await new Promise(setImmediate);
  };
  return { summarizer: hold(), answer, signals };
}

/** A history with a result whose summary is being written. */
async function summarizing(store: Store, summarizer: Summarizer, options: Partial<HistoryOptions> = {}): Promise<History> {
  const history = await openHistory({ store, summarizer, ...options });
  await history.configureToolSummarization({ autoThreshold: 50, background: true });
  await history.user("q");
  await history.assistant([use("c1", "grep"), use("c2", "grep")]);
  await history.toolResult("c1", "grep", OUTPUT);
  return history;
}

const shownOf = async (history: History): Promise<string | undefined> => outline(await history.view())[2];
const kindsOf = async (history: History): Promise<string[]> => (await history.log()).map(({ kind, role }) => `${kind} ${role}`);
const FULL = `user: c1=${OUTPUT.length} characters`;

onEveryStore("a summary in the background", (open) => {
  it("does not keep the result waiting, changes nothing inside the loop, and is committed when the user speaks", async () => {
    const { summarizer, answer } = held();
    const history = await summarizing(await open(), summarizer);
    const events: HistoryEventMap["edit"][] = [];
    await history.on("edit", (event) => events.push(event));
    assert.equal(await shownOf(history), FULL);
    await answer("short");
    const before = JSON.stringify(await history.view());
    assert.equal(await shownOf(history), FULL);
    await history.toolResult("c2", "grep", "small");
    await history.assistant("done");
    assert.ok(JSON.stringify(await history.view()).startsWith(before.slice(0, -3)), "what was sent is sent again in the same bytes");
    assert.equal(events.length, 0);
    const spoken = await history.user("and now?");
    assert.deepEqual(await kindsOf(history), ["append user", "append assistant", "append tool", "append tool", "append assistant", "append user", "edit tool"]);
    assert.equal(spoken.role, "user");
    assert.equal(await shownOf(history), "user: c1=short, c2=small");
    assert.deepEqual(
      events.map(({ edits, commits, undone }) => [edits.map(({ pass, reason }) => [pass, reason]), commits.length, undone]),
      [[[["tool_result", "summarized in the background"]], 1, false]],
    );
    const [commit] = await history.findToolResults({ name: "grep" });
    assert.ok(commit?.edits);
    assert.equal(await history.getContent(commit.edits), OUTPUT);
    await history.undo(commit);
    await history.user("it stays so");
    assert.equal(await shownOf(history), `${FULL}, c2=small`);
    assert.ok((await history.verify()).ok);
  });

  const batches: Readonly<Record<string, (history: History) => Promise<unknown>>> = {
    "append of a message of the user": (history) => history.append([{ role: "user", content: "go on" }]),
    "an edit by hand": async (history) => history.toolResult("c2", "grep", "smaller", { edit: (await history.findToolResults()).at(-1)?.hash ?? "" }),
    compress: async (history) => history.compress({ commits: [(await history.findToolResults()).at(-1)?.hash ?? ""], content: "compressed" }),
    commitEdits: (history) => history.commitEdits([]),
  };
  for (const [name, batch] of Object.entries(batches)) {
    it(`is committed with ${name}, once`, async () => {
      const { summarizer, answer } = held();
      const history = await summarizing(await open(), summarizer);
      await history.toolResult("c2", "grep", "small");
      await batch(history);
      assert.ok((await shownOf(history))?.startsWith(FULL), "nothing is ready yet");
      await answer("short");
      await batch(history);
      assert.match((await shownOf(history)) ?? "", /^user: c1=short, c2=/);
      await history.settle();
      await history.user("again");
      assert.equal((await history.edits()).filter(({ reason }) => reason === "summarized in the background").length, 1);
    });
  }

  it("settle waits for it, and says what it committed", async () => {
    const { summarizer, answer } = held();
    const history = await summarizing(await open(), summarizer);
    const settled = history.settle();
    await answer("short");
    assert.deepEqual(
      (await settled).map(({ kind, role, author }) => [kind, role, author]),
      [["edit", "tool", "tool_result"]],
    );
    assert.deepEqual(await history.settle(), []);
  });

  it("is of the branch where the result is", async () => {
    const { summarizer, answer } = held();
    const history = await summarizing(await open(), summarizer);
    await history.branch("other");
    await history.switch("other");
    await answer("short");
    await history.user("here");
    assert.equal(await shownOf(history), FULL);
    assert.equal((await history.settle()).length, 1);
    assert.equal(await shownOf(history), FULL);
    await history.switch("main");
    assert.equal(await shownOf(history), "user: c1=short");
  });

  it("two histories of one thread: whoever shows the result in another way first, wins", async () => {
    const { summarizer, answer } = held();
    const store = await open();
    const history = await summarizing(store, summarizer);
    const other = await openHistory({ store, thread: history.thread });
    await answer("short");
    await other.user("go on");
    assert.equal(await shownOf(other), FULL, "it is known to one process only");
    const [result] = await other.findToolResults();
    await other.toolResult("c1", "grep", "by hand", { edit: result?.hash ?? "" });
    await history.user("and on");
    assert.deepEqual([await shownOf(history), await shownOf(other), (await history.edits()).length], ["user: c1=by hand", "user: c1=by hand", 1]);
  });

  it("many batches at the same time commit it once", async () => {
    const { summarizer, answer } = held();
    const store = await open();
    const history = await summarizing(store, summarizer);
    const other = await openHistory({ store, thread: history.thread });
    await answer("short");
    await Promise.all([history.user("1"), history.settle(), other.user("2"), history.commitEdits([]), other.settle(), history.user("3")]);
    assert.deepEqual([(await other.edits()).length, await shownOf(other), (await other.verify()).ok], [1, "user: c1=short", true]);
  });

  it("that fails or hangs leaves the original, and is told", async () => {
    const failing: readonly Summarizer[] = [() => Promise.reject(new Error("overloaded")), () => Promise.resolve("  "), () => new Promise(() => undefined)];
    for (const summarizer of failing) {
      const history = await summarizing(await open(), summarizer, { hookTimeoutMs: 20 });
      const errors: HistoryEventMap["error"][] = [];
      await history.on("error", (event) => errors.push(event));
      assert.deepEqual(await history.settle(), []);
      await history.user("go on");
      assert.equal(await shownOf(history), FULL);
      assert.deepEqual(
        errors.map(({ commits }) => commits),
        [(await history.findToolResults()).map(({ hash }) => hash)],
      );
    }
  });

  it("is given up when the history is closed", async () => {
    const { summarizer, answer, signals } = held();
    const store = await open();
    const history = await summarizing(store, summarizer);
    await history.on("error", () => assert.fail("closing is no failure"));
    await history.close();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true],
    );
    await answer("too late");
    const reopened = await openHistory({ store, thread: history.thread });
    assert.deepEqual(await reopened.settle(), []);
    await reopened.user("go on");
    assert.equal(await shownOf(reopened), FULL);
  });

  it("never of an error", async () => {
    const history = await openHistory({ store: await open(), summarizer: () => assert.fail("asked") });
    await history.configureToolSummarization({ background: true, instructions: { grep: "all" } });
    await history.user("q");
    await history.assistant([use("c1", "grep")]);
    await history.toolResult("c1", "grep", OUTPUT, { isError: true });
    assert.deepEqual(await history.settle(), []);
  });
});

test("a handler may ask for it too, and a tool may be called like the option", async () => {
  const history = await openHistory({ store: "memory", summarizer: ({ instructions }) => Promise.resolve(`short: ${instructions ?? ""}`) });
  await history.user("q");
  await history.assistant([use("c1", "grep"), use("c2", "background")]);
  await history.on("tool_result", (pending) => pending.summarize({ background: true, instructions: "names" }));
  await history.toolResult("c1", "grep", OUTPUT);
  await history.configureToolSummarization({ background: "what runs" });
  await history.toolResult("c2", "background", OUTPUT);
  assert.equal(outline(await history.view())[2], `${FULL}, c2=short: what runs`);
  await history.settle();
  assert.equal(outline(await history.view())[2], "user: c1=short: names, c2=short: what runs");
  for (const config of [{ background: 1 }, { background: true, threshold: 1 }])
    await assert.rejects(history.configureToolSummarization(config as object), { code: "INVALID_OPTION" });
});

test("a process that dies before a batch: the result is there, in full", async () => {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-background-"));
  const address = `sqlite:${join(folder, "x.db")}`;
  const module = fileURLToPath(new URL("../src/history/index.ts", import.meta.url));
  const script = `
    const { openHistory } = await import(${JSON.stringify(module)});
    const history = await openHistory({ store: ${JSON.stringify(address)}, thread: "t", summarizer: () => new Promise((resolve) => setTimeout(resolve, 50, "short")) });
    await history.configureToolSummarization({ autoThreshold: 50, background: true });
    await history.user("q");
    await history.assistant([{ type: "tool_use", id: "c1", name: "grep", input: {} }]);
    await history.toolResult("c1", "grep", ${JSON.stringify(OUTPUT)});
    setTimeout(() => process.kill(process.pid, "SIGKILL"), 200);`;
  try {
    await assert.rejects(promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]), { signal: "SIGKILL" });
    const store = await openStore(address);
    const history = await openHistory({ store, thread: "t" });
    assert.equal(await shownOf(history), FULL);
    await history.user("go on");
    assert.deepEqual([await shownOf(history), (await history.verify()).ok], [FULL, true]);
    await store.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a history that is closed does not keep the process waiting for its summaries", async () => {
  const module = fileURLToPath(new URL("../src/history/index.ts", import.meta.url));
  const script = `
    const { openHistory } = await import(${JSON.stringify(module)});
    const history = await openHistory({ store: "memory", summarizer: () => new Promise(() => undefined) });
    await history.configureToolSummarization({ autoThreshold: 50, background: true });
    await history.user("q");
    await history.assistant([{ type: "tool_use", id: "c1", name: "grep", input: {} }]);
    await history.toolResult("c1", "grep", ${JSON.stringify(OUTPUT)});
    await history.close();`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { timeout: 20_000 });
});
