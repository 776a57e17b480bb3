import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContentKind } from "./kind-of.ts";
import { countRecords } from "./count-records.ts";
import { recordsOf } from "./records-of.ts";

const rows = (count: number): { id: number; "full name": string }[] => Array.from({ length: count }, (_, id) => ({ id, "full name": `n${id}` }));

for (const [name, text, kind, stated] of [
  ["a JSON array of records", JSON.stringify(rows(3)), "json", "[3 records in all; fields: id, full name]"],
  ["the longest list inside a document", JSON.stringify({ tags: ["a", "b"], data: { items: rows(4) } }), "json", "[4 records in all; fields: id, full name]"],
  ["a list of plain values", "[1,2,3]", "json", "[3 values in all]"],
  ["one record", JSON.stringify(rows(1)), "json", undefined],
  ["JSON that is cut off", '[{"id":1},{"id":2', "json", undefined],
  ["JSON after a heading", `Result:\n${JSON.stringify(rows(2))}`, "json", "[2 records in all; fields: id, full name]"],
  ["JSON lines with different fields", '{"a":1}\n{"b":2}\n', "json-lines", "[2 records in all; fields: a, b]"],
  ["comma-separated values", "id,name\n1,a\n2,b\n3,c\n", "table", "[3 rows in all; fields: id, name]"],
  ["a Markdown table", "| id | name |\n|---|---|\n| 1 | a |\n| 2 | b |", "table", "[2 rows in all; fields: id, name]"],
  ["a table of psql", " id | name\n----+------\n  1 | a\n  2 | b\n(2 rows)", "table", "[2 rows in all; fields: id, name]"],
  ["aligned columns", "NAME     READY   STATUS\npod-a    1/1     Running\npod-b    0/1     Pending\n", "table", "[2 rows in all; fields: NAME, READY, STATUS]"],
  ["a listing", "a.ts\nb.ts\n\nc.ts\n", "listing", "[3 entries in all]"],
  ["code", "const a = 1;\nconst b = 2;", "code", undefined],
  ["records with more fields than are named", JSON.stringify([1, 2].map(() => Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`f${at}`, at])))), "json", `[2 records in all; fields: ${Array.from({ length: 30 }, (_, at) => `f${at}`).join(", ")} and 3 others]`], // prettier-ignore
] as const satisfies readonly (readonly [string, string, ContentKind, string | undefined])[])
  test(`counts ${name}`, () => {
    assert.equal(countRecords(text, kind), stated);
    if (stated !== undefined) assert.equal(recordsOf(text, kind)?.spans.length, Number.parseInt(stated.slice(1)), "and finds as many");
  });
