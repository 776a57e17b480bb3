import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { checkAsyncProperty } from "../../../test/support/check-property.ts";
import { openHead, packHead } from "./head-parts.ts";

const LINES = Array.from({ length: 200 }, (_, line) => `- rule ${line}: ${"words of it ".repeat(1 + (line % 7))}`);
const TOOLS = Array.from({ length: 20 }, (_, number) => ({
  name: `tool_${number}`,
  description: `What tool ${number} does. ${LINES.slice(number, number + 20).join(" ")}`,
  input_schema: { type: "object", properties: { path: { type: "string" } } },
}));
const CLOCK = "2026-11-19T21:40:00Z";
const atClock = (time: string): string => [...LINES.slice(0, 90), `Now: ${time}`, ...LINES.slice(90)].join("\n");
const SYSTEMS: Readonly<Record<string, (time: string) => unknown>> = {
  "in a block of its own": (time) => [
    { type: "text", text: LINES.join("\n") },
    { type: "text", text: time },
  ],
  "in the middle of a text": atClock,
  "in the middle of a block": (time) => [{ type: "text", text: atClock(time), cache_control: { type: "ephemeral" } }],
};

const reading =
  (parts: ReadonlyMap<string, string>) =>
  (keys: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    Promise.resolve(new Map(keys.flatMap((key) => (parts.has(key) ? [[key, parts.get(key) ?? ""] as const] : []))));
const bytesOf = (parts: Iterable<readonly [string, string]>): number => [...parts].reduce((sum, [key, value]) => sum + key.length + value.length, 0);

describe("a head", () => {
  for (const [where, system] of Object.entries(SYSTEMS))
    test(`whose clock goes on costs little: ${where}`, async () => {
      const headAt = (time: string): object => ({ model: "claude-opus-5", max_tokens: 100, system: system(time), tools: TOOLS });
      const first = packHead(headAt(CLOCK));
      const next = packHead(headAt("2026-11-19T21:40:09Z"));
      const added = [...next.parts].filter(([key]) => !first.parts.has(key));
      assert.ok(next.note.length + bytesOf(added) < 4_000, `${next.note.length} + ${bytesOf(added)}`);
      assert.deepEqual(await openHead(next.note, reading(new Map([...first.parts, ...added]))), headAt("2026-11-19T21:40:09Z"));
    });

  test("is as it was, whatever is in it", () => {
    const long = fc.string({ minLength: 1_900, maxLength: 5_000, unit: fc.constantFrom("word ", ". ", "\n", "\n\n", "é", "\ud800", '"') });
    const values = fc.oneof(fc.jsonValue(), long, fc.array(fc.record({ name: fc.string(), description: long, schema: fc.jsonValue() }), { maxLength: 4 }));
    return checkAsyncProperty("packed heads", [fc.dictionary(fc.string(), values)], async (given) => {
      const head = JSON.parse(JSON.stringify(given)) as object;
      const { note, parts } = packHead(head);
      assert.equal(JSON.stringify(await openHead(note, reading(parts))), JSON.stringify(head));
    });
  });

  test("in the older form is read too; one that lacks a part is undefined", async () => {
    const old = { model: "claude-opus-5", system: "Be brief.", tools: TOOLS };
    assert.deepEqual(await openHead(JSON.stringify(old), reading(new Map())), old);
    const { note, parts } = packHead(old);
    const [lost = ""] = parts.keys();
    assert.equal(await openHead(note, reading(new Map([...parts].filter(([key]) => key !== lost)))), undefined);
    for (const damaged of ["", "{half", "7", "[]"]) assert.equal(await openHead(damaged, reading(parts)), undefined);
  });
});
