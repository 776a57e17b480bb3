/** What threads and compactors in a store promise, one by one. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openThread, type StoredThread } from "../src/agent/index.ts";
import { openCompactor, openHistory, openStore, type History, type Store, type StoredCompactor } from "../src/history/index.ts";
import { text, use } from "./support/build.ts";
import { onEveryStore } from "./support/history/every-store.ts";
import { LIVING_POLICY, livingRound } from "./support/history/living-rounds.ts";
import { LIVING_STEPS, LivingRun } from "./support/history/living-run.ts";
import { faults } from "./support/provider-judge.ts";
import { Dice } from "./support/threads/dice.ts";
import { result } from "./support/threads/speak.ts";

onEveryStore("a thread in a store", (open) => {
  it("is the same when it is opened again, whatever happened", async () => {
    const store = await open();
    const dice = new Dice(7);
    for (let number = 0; number < 4; number++) {
      const run = await LivingRun.of(store, { compress: { maxToolResultTokens: 20 } }, `living-${number}`);
      await run.run(Array.from({ length: 20 }, () => ({ kind: dice.of(LIVING_STEPS), seed: dice.below(1_000_000) })));
    }
  });

  it("keeps pins, results that wait and what the policy decided", async () => {
    const store = await open();
    const options = { store, thread: "beside", policy: LIVING_POLICY } as const;
    const thread = await openThread(options);
    thread.user("Read both.");
    thread.pin(0, "the task");
    thread.request();
    thread.assistant({ content: [use("c1"), use("c2")] });
    thread.toolResults([result("c2", "second")]);
    await thread.saved();
    const again = await openThread(options);
    assert.deepEqual(
      again.next().calls.map(({ id }) => id),
      ["c1"],
    );
    assert.deepEqual([again.toJSON().pins, again.toJSON().decided], [thread.toJSON().pins, thread.toJSON().decided]);
    assert.throws(() => again.compact([{ summary: "all" }]), { code: "PINNED" });
    again.toolResults([result("c1", "first")]);
    assert.deepEqual(faults(again.request().messages), []);
    await again.saved();
  });

  it("is a history: what was said and every edit are commits, and an undo is one", async () => {
    const store = await open();
    const thread = await openThread({ store, thread: "as-history", compress: { maxToolResultTokens: 20 } });
    thread.user("Read it.");
    thread.assistant({ content: [use("c1")] });
    thread.toolResults([result("c1", "a long line of output\n".repeat(50))]);
    thread.undo(thread.edits()[0]?.id ?? "");
    await thread.saved();
    const history = await openHistory({ store, thread: "as-history" });
    const commits = await history.log();
    assert.deepEqual(
      commits.map(({ kind, role, author }) => `${kind} ${role} ${author}`),
      ["append user user", "append assistant assistant", "append tool user", "append user user", "edit tool cap-results", "edit tool undo"],
    );
    assert.deepEqual(await history.edits(), thread.edits());
  });
});

describe("a thread in a store", () => {
  const opened = async (store: Store): Promise<StoredThread> => openThread({ store, thread: "t" });

  it("says so when somebody else writes to it, and keeps what it has in memory", async () => {
    const store = await openStore("memory");
    const [mine, theirs] = [await opened(store), await opened(store)];
    mine.user("mine");
    await mine.saved();
    theirs.user("theirs");
    await assert.rejects(theirs.saved(), { code: "INVALID_INPUT" });
    await assert.rejects(theirs.saved(), { code: "INVALID_INPUT" });
    assert.equal(theirs.log().length, 1);
    mine.user("more");
    await mine.saved();
    assert.deepEqual((await opened(store)).log(), mine.log());
  });

  it("tries again what could not be written, in order, and tells of a failure once", async () => {
    const memory = await openStore("memory");
    let isBroken = true;
    const store: Store = { ...memory, append: (...args) => (isBroken ? Promise.reject(new Error("the disk is full")) : memory.append(...args)) };
    const thread = await opened(store);
    const failures: unknown[] = [];
    thread.on("save-failed", ({ error }) => failures.push(error));
    thread.user("one");
    thread.user("two");
    await assert.rejects(thread.saved(), /the disk is full/);
    assert.equal(failures.length, 1);
    assert.equal((await opened(memory)).log().length, 0);
    isBroken = false;
    thread.user("three");
    await thread.saved();
    assert.deepEqual((await opened(memory)).log(), thread.log());
  });

  it("takes a write for done whose answer was lost", async () => {
    const memory = await openStore("memory");
    let isLost = true;
    const append: Store["append"] = async (...args) => {
      const outcome = await memory.append(...args);
      if (!isLost) return outcome;
      isLost = false;
      throw new Error("the connection is lost");
    };
    const thread = await opened({ ...memory, append });
    thread.user("one");
    await assert.rejects(thread.saved(), /the connection is lost/);
    thread.user("two");
    await thread.saved();
    assert.deepEqual((await opened(memory)).log(), thread.log());
  });

  it("has what was noted only with the commits that it was noted for", async () => {
    const memory = await openStore("memory");
    let isBroken = false;
    const store: Store = { ...memory, append: (...args) => (isBroken ? Promise.reject(new Error("killed")) : memory.append(...args)) };
    const thread = await opened(store);
    thread.user("Look.");
    await thread.saved();
    isBroken = true;
    thread.request();
    // The result of `recall` waits for that of `read`.
    thread.assistant({ content: [use("c1", "recall", { handle: "none" }), use("c2")] });
    await assert.rejects(thread.saved(), /killed/);
    const again = await opened(memory);
    assert.deepEqual([again.log().length, again.toJSON().held], [1, []]);
    again.assistant({ content: [use("other")] });
    await again.saved();
    assert.deepEqual((await opened(memory)).toJSON(), again.toJSON());
  });

  it("says what cannot be written at all", async () => {
    const thread = await opened(await openStore("memory"));
    const failures: unknown[] = [];
    thread.on("save-failed", ({ error }) => failures.push(error));
    thread.user([{ type: "text", text: "one", more: 1n }]);
    await assert.rejects(thread.saved(), { code: "INVALID_INPUT" });
    await assert.rejects(thread.close(), { code: "INVALID_INPUT" });
    assert.equal(failures.length, 1);
  });

  it("refuses options that cannot be meant", async () => {
    const store = await openStore("memory");
    for (const options of [
      undefined,
      { store: 5 },
      { store: null },
      { store: "nowhere" },
      { store, thread: " " },
      { store, state: {} },
      { store, thread: "t", policies: 1 },
    ]) {
      await assert.rejects(openThread(options as never), { code: "INVALID_OPTION" });
    }
  });

  it("tells what to do next", async () => {
    const thread = await opened(await openStore("memory"));
    assert.deepEqual(thread.next(), { next: "user", calls: [] });
    thread.user("Look.");
    assert.deepEqual(thread.next(), { next: "request", calls: [] });
    thread.request();
    thread.assistant({ content: [{ type: "server_tool_use", id: "s1", name: "web_search", input: {} }] });
    assert.deepEqual(thread.next(), { next: "request", calls: [] });
  });
});

describe("a compactor in a store", () => {
  const both = async (): Promise<{ store: Store; history: History; compactor: StoredCompactor }> => {
    const store = await openStore("memory");
    const history = await openHistory({ store, thread: "t" });
    await history.user("Read all files.");
    return { store, history, compactor: await openCompactor({ ...LIVING_POLICY, store, thread: "t" }) };
  };

  it("does not make again what was undone", async () => {
    const { store, history, compactor } = await both();
    await history.append(livingRound(1));
    const { edits } = await compactor.next();
    assert.equal(edits.length, 1);
    await history.undo(edits[0]?.id ?? "");
    for (let round = 2; round < 6; round++) {
      await history.append(livingRound(round));
      const { messages } = await compactor.next();
      assert.deepEqual(messages[2], livingRound(1)[1]);
      const other = await openCompactor({ ...LIVING_POLICY, store, thread: "t" });
      assert.deepEqual((await other.next()).messages, messages);
    }
  });

  it("says the floor of a limit once, also where it sends a call again", async () => {
    const store = await openStore("memory");
    const history = await openHistory({ store, thread: "t" });
    await history.user("Read all files.");
    const limit = { highTokens: 400, lowTokens: 0, firstSightTokens: 0, minResultTokens: 5, minBatchTokens: 10, tailTokens: 0, tailTurns: 0 };
    const compactor = await openCompactor({ ...limit, store, thread: "t" });
    const said: string[] = [];
    // What the newest response says stays, however long it is; later it may go into a digest.
    for (const [number, lines] of [70, 3, 70].entries()) {
      const words = Array.from({ length: lines }, (_, line) => `In file ${number} I look at what stands in line ${line}.`).join("\n");
      await history.append([
        { role: "assistant", content: [text(words), use(`c${number}`)] },
        { role: "user", content: [result(`c${number}`, "done")] },
      ]);
      const { messages } = await compactor.next({ atMs: number });
      said.push(compactor.explain()?.words ?? "");
      assert.deepEqual((await compactor.next({ atMs: number })).messages, messages);
      assert.equal(compactor.explain()?.words, said.at(-1));
    }
    assert.ok((await history.edits()).length > 0, "the limit was kept between");
    assert.equal(said.filter((words) => words.includes("is not enough")).length, 1);
  });

  it("stands beside ranges that others made, and never crosses them", async () => {
    const { store, history } = await both();
    const options = { ...LIVING_POLICY, budget: 2_000, store, thread: "t" };
    const compactor = await openCompactor(options);
    const dice = new Dice(3);
    for (let round = 1; round < 30; round++) {
      // What the assistant says can only go into a digest.
      const words = text(`In round ${round} I look at file ${round}. `.repeat(30));
      await history.append([{ role: "assistant", content: [words, use(`c${round}`)] }, ...livingRound(round).slice(1)]);
      if (dice.once(2)) {
        const turns = (await history.findToolTurns()).slice(-2 - dice.below(3));
        const compressed = history.compress({ commits: turns.flatMap(({ allHashes }) => allHashes), content: `rounds up to ${round}` });
        // Nor may others cross what the policy made.
        await compressed.catch((error: unknown) => assert.match(String(error), /cross/));
      }
      const { messages } = await compactor.next();
      assert.deepEqual(faults(messages), []);
      const other = await openCompactor(options);
      assert.equal(JSON.stringify((await other.next()).messages), JSON.stringify(messages));
    }
    const passes = new Set((await history.edits()).map(({ pass }) => pass));
    assert.ok(passes.has("digest-rounds") && passes.has("compress"), [...passes].join());
  });

  it("decides a call that was recorded, and then not made, as it was recorded", async () => {
    const { store, history, compactor } = await both();
    for (let round = 1; round < 4; round++) {
      await history.append(livingRound(round));
      await compactor.next({ atMs: round, headHash: "a" });
    }
    await history.append(livingRound(4));
    await history.record({ model: "unknown", atMs: 4, headHash: "b" });
    const other = await openCompactor({ ...LIVING_POLICY, store, thread: "t" });
    await other.next({ atMs: 5, headHash: "a" });
    assert.equal(other.explain()?.because, "the cache is cold");
  });

  it("is decided by the first who asks, also for those who know other things of the call", async () => {
    const { store, history, compactor } = await both();
    const other = await openCompactor({ ...LIVING_POLICY, store, thread: "t" });
    for (let round = 1; round < 12; round++) {
      await history.append(livingRound(round));
      const [a, b] = await Promise.all([compactor.next({ atMs: round }), other.next({ atMs: round * 10_000_000, headHash: `${round}` })]);
      assert.equal(JSON.stringify(a.messages), JSON.stringify(b.messages));
      assert.deepEqual([a.edits, compactor.explain()], [b.edits, other.explain()]);
    }
    assert.equal((await history.log({ kinds: ["edit"] })).length, (await history.edits()).length);
  });

  it("makes a call with the longer log, where the log grows while it is decided", async () => {
    const { store: memory, history, compactor: other } = await both();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const append: Store["append"] = async (...args) => {
      const happens = meanwhile;
      meanwhile = undefined;
      await happens?.();
      return memory.append(...args);
    };
    const slow = await openCompactor({ ...LIVING_POLICY, store: { ...memory, append }, thread: "t" });
    for (let round = 1; round < 12; round += 2) {
      await history.append(livingRound(round));
      let later: unknown;
      meanwhile = async () => {
        await history.append(livingRound(round + 1));
        later = (await other.next()).messages;
      };
      const { messages } = await slow.next();
      assert.equal(meanwhile, undefined);
      assert.equal(JSON.stringify(messages), JSON.stringify(later));
    }
  });

  it("refuses an empty thread, and options that cannot be meant", async () => {
    const store = await openStore("memory");
    const compactor = await openCompactor({ store, thread: "t" });
    await assert.rejects(compactor.next(), { code: "EMPTY_THREAD" });
    assert.equal(compactor.explain(), undefined);
    for (const options of [undefined, { store }, { store: 5, thread: "t" }, { store, thread: "t", preset: "none" }]) {
      await assert.rejects(openCompactor(options as never), { code: "INVALID_OPTION" });
    }
    const history = await openHistory({ store, thread: "t" });
    await history.user("Go.");
    await assert.rejects(compactor.next({ upTo: 1, at: 5 } as never), { code: "INVALID_OPTION" });
  });
});
