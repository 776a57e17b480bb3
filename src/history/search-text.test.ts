import assert from "node:assert/strict";
import { test } from "node:test";
import { queryWords, searchWords } from "./search-text.ts";

const said = (content: unknown): string[] => searchWords({ message: { role: "assistant", content: content as string } });

test("words are found in everything that is text", () => {
  assert.deepEqual(said("The DATABASE_URL, the URL: config.py:42"), ["the", "database", "url", "config", "py", "42"]);
  assert.deepEqual(said([{ type: "tool_use", id: "x", name: "grep", input: { pattern: "a b", deep: [{ n: 7 }] } }]), [
    "grep",
    "pattern",
    "a",
    "b",
    "deep",
    "n",
    "7",
  ]);
  assert.deepEqual(said([{ type: "thinking", thinking: "hm", signature: "sealed" }]), ["hm"]);
  assert.deepEqual(said([{ type: "image", source: { data: "iVBOR" } }]), []);
  assert.deepEqual(said("数据库 ＦＵＬＬ naïve"), ["数", "据", "库", "full", "naïve"]);
  assert.equal(said("x".repeat(1_000))[0]?.length, 40);
});

test("a text as long as any is read, and a word in it ends where it did", () => {
  const long = 20 * 1024 * 1024;
  assert.deepEqual(said("x".repeat(long)), ["x".repeat(40)]);
  assert.deepEqual(said(`${"y".repeat(41)}漢${"z".repeat(39)} 漢字a`), ["y".repeat(40), "漢", "z".repeat(39), "字", "a"]);
});

test("of an edit, what it shows", () => {
  const edit = { id: "", pass: "", reason: "", madeAt: 1, tokensBefore: 0, tokensAfter: 0 };
  assert.deepEqual(
    searchWords({
      edit: { ...edit, kind: "replace-range", from: { position: 0, block: 0 }, to: { position: 1, block: 0 }, role: "user", summary: "in short" },
    }),
    ["in", "short"],
  );
  assert.deepEqual(searchWords({ undo: { edit: "x", undoneAt: 1 } }), []);
});

test("a query asks for the same words", () => {
  assert.deepEqual(queryWords("DATABASE_URL  config-7.py"), ["database", "url", "config", "7", "py"]);
  assert.deepEqual(queryWords("data* *"), ["data*"]);
  assert.deepEqual(queryWords("数据"), ["数", "据"]);
});
