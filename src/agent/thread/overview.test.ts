import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { faults } from "../../../test/support/provider-judge.ts";
import { idOf, outline } from "../../../test/support/threads/outline.ts";
import { example, round, says, thought } from "../../../test/support/threads/speak.ts";
import { createThread, type Thread, type ThreadOptions } from "../index.ts";

describe("the overview", () => {
  const long = Array.from({ length: 90 }, (_, number) => `src/file-${number}.ts`).join("\n");

  const talk = (options: ThreadOptions): Thread => {
    const thread = createThread({ overview: true, ...options });
    thread.user("q");
    round(thread, "1", long);
    says(thread, "src/file-7.ts is at fault");
    thread.user("next");
    return thread;
  };

  test("is only in the newest message, where thinking is not bound", () => {
    const thread = talk({ target: { bindsThinking: false } });
    const view = thread.request().messages;
    const last = JSON.stringify(view.at(-1));
    assert.match(last, new RegExp(`What compact could replace.*${idOf(thread, "A")} to ${idOf(thread, "B")} \\| \\d+ \\| 2 \\| 1 \\| \\d+\\\\n`));
    assert.doesNotMatch(JSON.stringify(view.slice(0, -1)), /What compact could replace/);
    assert.doesNotMatch(JSON.stringify(thread.log()), /What compact could replace/);
    assert.deepEqual(faults(view), []);
  });

  test("stays as a reminder, where thinking is bound to it", () => {
    const thread = talk({});
    const before = thread.request().messages;
    assert.match(JSON.stringify(before.at(-1)), /What compact could replace/);
    round(thread, "2");
    assert.deepEqual(thread.request().messages.slice(0, before.length), before);
  });

  test("says how much would leave the cache, and whether thinking goes with it", () => {
    const rows = (thread: Thread): string[] => JSON.stringify(thread.request().messages.at(-1)).match(/[a-z0-9]+ to [a-z0-9]+ \|[^\\"]+/g) ?? [];
    const behind = (thread: Thread): (string | undefined)[] => rows(thread).map((row) => row.split(" | ").at(-1));
    const thread = talk({ target: { bindsThinking: false } });
    const [before] = behind(thread);
    round(thread, "2", long, thought("m"));
    const [first, second] = behind(thread);
    // What comes after the first stretch: the second, and what was there before. Its thinking would be stripped.
    assert.match(first ?? "", /^\d+\*$/);
    assert.equal(second, "0");
    assert.ok(Number(before) < 100 && parseInt(first ?? "", 10) > Number(before) + 300, `${before ?? ""} ${first ?? ""}`);
  });

  test("is left out if no stretch is worth a summary", () => {
    for (const bindsThinking of [true, false]) assert.deepEqual(outline(example({ overview: true, target: { bindsThinking } })), outline(example()));
  });
});
