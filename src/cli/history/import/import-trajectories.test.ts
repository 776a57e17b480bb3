import assert from "node:assert/strict";
import { test } from "node:test";
import { collect } from "../../../../test/support/run-cli.ts";
import type { Trajectory } from "../../../formats/transcripts/load-transcript.ts";
import { openHistory, openStore, type Store } from "../../../history/index.ts";
import type { Message } from "../../../messages/message.ts";
import type { Interruption, Interrupts } from "../../command-io.ts";
import { importTrajectories } from "./import-trajectories.ts";

function trajectory(id: string, messages = 2): Trajectory {
  const log = Array.from({ length: messages }, (_, number): Message => ({ role: number % 2 === 0 ? "user" : "assistant", content: `${id} ${number}` }));
  return { id, log, entries: log.map((message) => ({ kind: "message", message, nativeMessages: 1 })) };
}

/** Does something at the nth write. */
async function storeThat(happens: () => void, atWrite: number): Promise<Store> {
  const store = await openStore("memory");
  let writes = 0;
  const append: Store["append"] = (...given) => {
    if (++writes === atWrite) happens();
    return store.append(...given);
  };
  return { ...store, append };
}

/** Interruptions that a test triggers, and how many listeners there are. */
function createInterrupts(): Interrupts & { readonly interrupt: (by: Interruption) => void; readonly listening: () => number } {
  const listeners = new Set<(by: Interruption) => void>();
  return {
    hold: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    interrupt: (by) => listeners.forEach((listener) => listener(by)),
    listening: () => listeners.size,
  };
}

const interrupts = createInterrupts();
const context = { stderr: collect().stream, interrupts };

const FAILURES: Readonly<Record<string, readonly [happens: () => void, message: RegExp]>> = {
  "a store that fails": [
    () => {
      throw new Error("the disk is full");
    },
    /the disk is full/,
  ],
  "Ctrl-C": [() => interrupts.interrupt("SIGINT"), /^CliError: Interrupted: the thread that was being written was removed again\./],
};

for (const [name, [happens, message]] of Object.entries(FAILURES)) {
  test(`${name} leaves whole threads, and nothing of the one that was being written`, async () => {
    const store = await storeThat(happens, 3);
    await assert.rejects(importTrajectories(context, "file", [trajectory("a"), trajectory("b", 2_500)], {})(store), message);
    assert.deepEqual((await store.threads()).map(({ id, commits }) => [id, commits]), [["file/a", 2]]); // prettier-ignore
    assert.equal(interrupts.listening(), 0);
  });
}

test("a long log is written whole, in its order", async () => {
  const store = await openStore("memory");
  const [imported] = await importTrajectories(context, "file", [trajectory("a", 2_500)], { thread: "named" })(store);
  assert.deepEqual([imported?.thread, imported?.messages, imported?.commits], ["named", 2_500, 2_500]);
  assert.equal((await store.head({ thread: "named", branch: "main" }))?.length, 2_500);
});

const LONG = "x".repeat(300);
const IDS: readonly (readonly [name: string, ids: readonly string[], threads: readonly (string | RegExp)[]])[] = [
  ["the file and the trajectory", ["one", "a/b"], ["file/one", "file/a/b"]],
  ["a trajectory that is called like the file", ["file"], ["file"]],
  ["a trajectory without a name", [""], ["file"]],
  ["ids that repeat", ["one", "one#2", "one", "one"], ["file/one", "file/one#2", "file/one#3", "file/one#4"]],
  ["ids that are too long, and differ at their ends", [`${LONG}1`, `${LONG}2`], [/^file\/x{163}~[0-9a-f]{10}$/, /^file\/x{163}~[0-9a-f]{10}$/]],
];

for (const [name, ids, threads] of IDS) {
  test(`a thread's id comes of ${name}`, async () => {
    const write = importTrajectories(context, "file", ids.map((id) => trajectory(id)), {}); // prettier-ignore
    const [store, other] = [await openStore("memory"), await openStore("memory")];
    const found = (await write(store)).map(({ thread }) => thread);
    assert.equal(new Set(found).size, ids.length);
    threads.forEach((expected, number) => {
      if (typeof expected === "string") assert.equal(found[number], expected);
      else assert.match(found[number] ?? "", expected);
    });
    assert.deepEqual((await write(other)).map(({ thread }) => thread), found); // prettier-ignore
  });
}

test("times and calls of the model that the file has are kept", async () => {
  const said = (role: "user" | "assistant", more: object): Trajectory["entries"][number] => ({
    kind: "message",
    message: { role, content: role },
    nativeMessages: 1,
    ...more,
  });
  const usage = { inputTokens: 100, cacheReadTokens: 60, cacheWriteTokens: 30, outputTokens: 5 };
  const entries = [said("user", {}), said("assistant", { atMs: 2_000, model: "a", usage }), said("user", { atMs: 3_000 }), said("assistant", { model: "b" })];
  const log = entries.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
  const store = await openStore("memory");
  const [imported] = await importTrajectories(context, "file", [{ id: "x", model: "a", log, entries }], { thread: "t" })(store);
  assert.equal(imported?.calls, 2);
  const history = await openHistory({ store, thread: "t" });
  assert.deepEqual(
    (await history.log()).map(({ time }) => time),
    [2_000, 2_000, 3_000, 3_000],
  );
  assert.deepEqual(await history.steps(), [
    { upTo: 1, model: "a", headHash: "", atMs: 2_000, usage: { input_tokens: 10, cache_read_input_tokens: 60, cache_creation_input_tokens: 30 } },
    { upTo: 3, model: "b", headHash: "", atMs: 3_000 },
  ]);
});

test("a file without times is said now, and without a model no calls are recorded", async () => {
  const start = Date.now();
  const store = await openStore("memory");
  const [imported] = await importTrajectories(context, "file", [trajectory("a")], { thread: "t" })(store);
  assert.equal(imported?.calls, 0);
  assert.ok(((await store.threads())[0]?.time ?? 0) >= start);
});
