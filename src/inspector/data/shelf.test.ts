import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HEAD, HEAD_PART, packHead } from "../../agent/calls/head-parts.ts";
import { createMemoryStore } from "../../store/memory-store.ts";
import { Shelf } from "./shelf.ts";

const REF = { thread: "c-1", branch: "main" };
const BODY = {
  model: "claude-opus-5",
  system: [{ type: "text", text: "Be brief. ".repeat(900) }],
  tools: Array.from({ length: 1_200 }, (_, number) => ({ name: `tool_${number}`, description: `${number} `.repeat(2_100) })),
};

describe("the head of a call", () => {
  test("is read in both forms: as it was stored before, and in parts, however many there are", async () => {
    const store = createMemoryStore();
    const { note, parts } = packHead(BODY);
    assert.ok(parts.size > 1_000);
    const at = 0;
    await store.putNotes([
      { thread: REF.thread, kind: HEAD, key: "old", at, value: JSON.stringify(BODY) },
      { thread: REF.thread, kind: HEAD, key: "new", at, value: note },
      ...[...parts].map(([key, value]) => ({ thread: REF.thread, kind: HEAD_PART, key, at, value })),
    ]);
    const shelf = new Shelf(store);
    assert.deepEqual(await shelf.head(REF, "old"), BODY);
    assert.deepEqual(await shelf.head(REF, "new"), BODY);
    assert.deepEqual([await shelf.head(REF, "none"), await shelf.head({ ...REF, thread: "c-2" }, "new")], [undefined, undefined]);
  });
});
