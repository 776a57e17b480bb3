import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, text, use, user } from "../../test/support/build.ts";
import { createThread } from "../agent/index.ts";
import { openaiChat, type ChatMessage } from "../formats/index.ts";
import { openHistory } from "../history/index.ts";
import { openCompactor } from "../history/open-compactor.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Message } from "../messages/message.ts";
import { compact, createCompactor, policyFor, runRecall, type CompactorOptions, type Recallable } from "./index.ts";

const LINES = Array.from({ length: 300 }, (_, line) => `line ${line + 1} of the log: ${line * 7919}`);
const LONG = LINES.join("\n");
const RECORDS = JSON.stringify(Array.from({ length: 80 }, (_, id) => ({ id: id + 1, name: `user ${id * 31}` })));
const OPTIONS: CompactorOptions = { firstSightTokens: 200, firstSightFileTokens: 200, tailTokens: 0, tailTurns: 1, minBatchTokens: 0, model: "claude-opus-5" };
const log = (result: string): Message[] => [user("q"), assistant(use("a", "query")), user(res("a", result))];

/** Each, after it has cut something at first sight. */
const SOURCES: Readonly<Record<string, (result: string) => Recallable>> = {
  "createCompactor()": (result) => {
    const compactor = createCompactor(OPTIONS);
    compactor.next(log(result));
    return compactor;
  },
  "compact()": (result) => compact(log(result), OPTIONS),
  "policyFor().createCompactor()": (result) => {
    const compactor = policyFor(openaiChat).createCompactor(OPTIONS);
    compactor.next(chat(result));
    return compactor;
  },
  "policyFor().compact()": (result) => policyFor(openaiChat).compact(chat(result), OPTIONS),
};

function chat(result: string): ChatMessage[] {
  const call = { id: "a", type: "function", function: { name: "query", arguments: "{}" } };
  return [{ role: "user", content: "q" }, { role: "assistant", content: null, tool_calls: [call] }, { role: "tool", tool_call_id: "a", content: result }] as never; // prettier-ignore
}

const onlyHandle = (source: Recallable): string => {
  const handles = source.handles();
  assert.equal(handles.length, 1);
  return handles[0] ?? "";
};

for (const [name, sourceOf] of Object.entries(SOURCES))
  describe(`${name} gives back`, () => {
    test("all of an original, lines, matches and parts of it", () => {
      const source = sourceOf(LONG);
      const handle = onlyHandle(source);
      assert.deepEqual(source.recall(handle), { handle, content: LONG });
      assert.deepEqual(source.recall({ handle }), { handle, content: LONG });
      assert.equal(source.recall(handle, { lines: "7" }).content, `[lines 7-7 of 300]\n7: ${LINES[6] ?? ""}`);
      assert.match(source.recall(handle, { grep: "line 1?99 of" }).content as string, /^\[2 of 300 lines match "line 1\?99 of"\]\n99: .*\n199: .*$/);
      assert.match(source.recall(handle, { maxTokens: 40 }).content as string, /\[cut after line \d+ of 300/);
      assert.ok(LONG.startsWith(source.recall(`${handle}-1`).content as string));
    });
    test("records", () => {
      const source = sourceOf(RECORDS);
      assert.equal(
        source.recall(onlyHandle(source), { records: "3-4" }).content,
        '[records 3-4 of 80]\n3: {"id":3,"name":"user 62"}\n4: {"id":4,"name":"user 93"}',
      );
    });
    test("what runRecall asks for, in words where it is a mistake", () => {
      const source = sourceOf(LONG);
      const handle = onlyHandle(source);
      assert.equal(runRecall(source, { handle, lines: "1" }), `[lines 1-1 of 300]\n1: ${LINES[0] ?? ""}`);
      assert.equal(runRecall(source, { handle: "zzzzzzzz" }), `HANDLE_UNKNOWN: There is no handle "zzzzzzzz". Some of those that exist: ${handle}.`);
      assert.match(runRecall(source, { handle, lines: "x" }) as string, /^INVALID_INPUT: input\.lines: expected a range of lines such as "120-180", found "x"/);
      assert.match(runRecall(source, 5) as string, /^INVALID_INPUT: input: expected \{ handle, lines\?, records\?, grep\?, maxTokens\? \}/);
    });
    test("nothing of another conversation, and stays as it is", () => {
      const source = sourceOf(LONG);
      const other = onlyHandle(sourceOf(RECORDS));
      const before = JSON.stringify([source, source.handles()]);
      assert.throws(() => source.recall(other), { code: "HANDLE_UNKNOWN" });
      assert.equal(JSON.stringify([source, source.handles()]), before);
    });
    test("an error with its path for what is no input", () => {
      const source = sourceOf(LONG);
      const handle = onlyHandle(source);
      const mistakes: readonly (readonly [path: string, attempt: () => unknown])[] = [
        ["handle", () => source.recall("  ")],
        ["options", () => source.recall(handle, "x" as never)],
        ["options.handle", () => source.recall(handle, { handle } as never)],
        ["options.lines", () => source.recall(handle, { lines: "0" })],
        ["options.records", () => source.recall(handle, { lines: "1", records: "1" })],
        ["options.grep", () => source.recall(handle, { grep: 1 as never })],
        ["options.maxTokens", () => source.recall(handle, { maxTokens: 0 })],
        ["options.limit", () => source.recall(handle, { limit: 1 } as never)],
        ["input.handle", () => source.recall({ handle: 1 as never })],
        ["input", () => source.recall(undefined as never)],
      ];
      for (const [path, attempt] of mistakes)
        assert.throws(attempt, (error) => PalimpsestError.isInstance(error) && error.code === "INVALID_INPUT" && error.data["path"] === path, path);
    });
  });

describe("a compactor", () => {
  test("serves the handles of a state from its first call on", () => {
    const first = createCompactor(OPTIONS);
    first.next(log(LONG));
    const again = createCompactor({ ...OPTIONS, state: JSON.parse(JSON.stringify(first)) });
    assert.deepEqual(again.handles(), []);
    again.next(log(LONG));
    assert.deepEqual(again.handles(), first.handles());
    assert.equal(again.recall(onlyHandle(again)).content, LONG);
  });
  test("forgets the handles of what a changed history has left", () => {
    const compactor = createCompactor(OPTIONS);
    compactor.next(log(LONG));
    const handle = onlyHandle(compactor);
    compactor.next(log(RECORDS));
    assert.throws(() => compactor.recall(handle), { code: "HANDLE_UNKNOWN" });
    assert.equal(compactor.recall(onlyHandle(compactor)).content, RECORDS);
  });
  test("gives an image back that was aged", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=".repeat(500) } };
    const messages: Message[] = [user(text("See."), image), assistant("ok"), user("On."), assistant("ok"), user("On.")];
    const once = compact(messages, { ...OPTIONS, budget: 10 });
    assert.match(JSON.stringify(once.messages), /\[image, \d+ tokens, not shown\] \[recall handle: /);
    assert.deepEqual(once.recall(onlyHandle(once)).content, [image]);
  });
});

describe("what was recalled", () => {
  /** N rounds after the recall. */
  const recalledLog = (compactor: ReturnType<typeof createCompactor>, rounds: number): Message[] => {
    compactor.next(log(LONG));
    const handle = onlyHandle(compactor);
    const asked: Message[] = [...log(LONG), assistant(use("r", "recall", { handle })), user(res("r", runRecall(compactor, { handle })))];
    const later = Array.from({ length: rounds }, (_, number) => [assistant(use(`l${number}`, "note", { number })), user(res(`l${number}`, `noted ${number}`))]);
    return [...asked, ...later.flat()];
  };

  test("is not cut when it comes, nor soon after, whatever the limits say", () => {
    const compactor = createCompactor(OPTIONS);
    for (const rounds of [0, 1, 5, 9]) {
      const { messages } = compactor.next(recalledLog(compactor, rounds), { headHash: `${rounds}` });
      assert.ok(JSON.stringify(messages[4]).includes(JSON.stringify(LONG).slice(1, -1)), `${rounds} rounds later`);
    }
  });
  test("names the handle of its original where it is cut later", () => {
    const compactor = createCompactor({ ...OPTIONS, digestTokens: 0 });
    const messages = recalledLog(compactor, 30);
    const [handle = ""] = compactor.handles();
    const view = compactor.next(messages, { headHash: "cold" }).messages;
    const shown = JSON.stringify(view[4]);
    assert.ok(shown.length < LONG.length && shown.includes(`[recall handle: ${handle}]`), shown);
    assert.deepEqual(compactor.handles(), [handle]);
    assert.equal(compactor.recall(handle).content, LONG);
  });
});

test("runRecall takes a thread, and gives what is empty as words", () => {
  const thread = createThread({ policy: OPTIONS });
  thread.user("q");
  thread.assistant({ content: [use("a", "query")] });
  thread.toolResults([res("a", `${LONG}\n`)]);
  const [, handle = ""] = /\[recall handles?: (\w+)/.exec(JSON.stringify(thread.request().messages)) ?? [];
  assert.equal(runRecall(thread, { handle }), `${LONG}\n`);
  assert.match(runRecall(thread, { handle: "none" }) as string, /^HANDLE_UNKNOWN: /);
  assert.equal(runRecall({ recall: () => ({ handle: "a", content: "" }) }, {}), "[empty]");
  const fault = new TypeError("a fault of ours");
  assert.throws(() => runRecall({ recall: () => { throw fault; } }, {}), fault); // prettier-ignore
});

test("openCompactor serves the handles of its thread", async () => {
  const store = createMemoryStore();
  const history = await openHistory({ store, thread: "t" });
  await history.append(log(LONG));
  const compactor = await openCompactor({ ...OPTIONS, store, thread: "t" });
  const { messages } = await compactor.next();
  const [, handle = ""] = /\[recall handles?: (\w+)/.exec(JSON.stringify(messages)) ?? [];
  assert.deepEqual(await compactor.handles(), [handle]);
  assert.deepEqual(await compactor.recall(handle, { lines: "2" }), { handle, content: `[lines 2-2 of 300]\n2: ${LINES[1] ?? ""}` });
  assert.equal((await compactor.recall({ handle })).content, LONG);
  await assert.rejects(compactor.recall("none"), { code: "HANDLE_UNKNOWN" });
  await assert.rejects(compactor.recall(handle, { lines: "x" }), (error) => PalimpsestError.isInstance(error) && error.data["path"] === "options.lines");
});
