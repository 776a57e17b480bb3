import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { res, use } from "../../test/support/build.ts";
import { claudeCode } from "../formats/transcripts/claude-code.ts";
import type { Entry, MessageEntry } from "../formats/transcripts/transcript-format.ts";
import type { Message } from "../messages/message.ts";
import { inspectEntries, type InspectedTrajectory, type InspectOptions } from "./inspect-entries.ts";

const LONG = "a line of a file that is long enough to be worth something\n".repeat(40);

function said(role: Message["role"], content: Message["content"], more: Partial<MessageEntry> = {}): MessageEntry {
  return { kind: "message", message: { role, content }, nativeMessages: 1, ...more };
}

function roundEntries(id: string, name: string, input: object, result: string, model?: string): Entry[] {
  return [said("assistant", [use(id, name, input)], model === undefined ? {} : { model }), said("user", [res(id, result)])];
}

async function* stream(entries: readonly Entry[]): AsyncGenerator<Entry> {
  for (const entry of entries) yield await Promise.resolve(entry);
}

async function inspect(entries: readonly Entry[], options?: InspectOptions): Promise<InspectedTrajectory> {
  const { trajectories } = await inspectEntries(claudeCode, stream([{ kind: "trajectory", id: "t" }, ...entries]), options);
  assert.equal(trajectories.length, 1);
  return trajectories[0] as InspectedTrajectory;
}

const SESSION: readonly Entry[] = [
  said("user", "Fix the bug."),
  ...roundEntries("1", "Read", { file_path: "a.ts" }, LONG, "claude-opus-4-6"),
  ...roundEntries("2", "Bash", { command: "npm test" }, "ok"),
  said("assistant", "Done."),
  said("user", "Thanks. And now b?"),
  ...roundEntries("3", "Read", { file_path: "a.ts" }, LONG),
  said("assistant", [{ type: "thinking", thinking: "hm", signature: "s" }, { type: "text", text: "Done." }]), // prettier-ignore
];

describe("inspectEntries", () => {
  it("counts every token once, by role, kind, tool and turn", async () => {
    const { tokens, byRole, byKind, byTool, byTurn, messages, toolCalls, modelCalls } = await inspect(SESSION);
    assert.deepEqual([messages, toolCalls, modelCalls], [10, 3, 5]);
    assert.equal(sum(Object.values(byRole)), tokens);
    assert.equal(sum(byKind.map((kind) => kind.tokens)), tokens);
    assert.equal(sum(byTurn.map((turn) => turn.tokens)), tokens);
    assert.deepEqual(byTurn.map(({ from, toolCalls: calls }) => [from, calls]), [[0, 2], [6, 1]]); // prettier-ignore
    assert.deepEqual(byTool.map(({ name, calls }) => [name, calls]), [["Read", 2], ["Bash", 1]]); // prettier-ignore
    assert.equal(sum(byTool.map((tool) => tool.resultTokens)), byRole.tool);
  });

  it("finds the biggest results, what is there twice, and what was read again", async () => {
    const { biggestResults, repeats } = await inspect(SESSION);
    assert.deepEqual(biggestResults.map(({ position, tool, call }) => [position, tool, call]), [[2, "Read", "a.ts"], [8, "Read", "a.ts"], [4, "Bash", "npm test"]]); // prettier-ignore
    assert.deepEqual(repeats.duplicates.map(({ position, other, of }) => [position, other, of]), [[8, 2, "a.ts"]]); // prettier-ignore
    assert.deepEqual(repeats.superseded.map(({ position, other, of }) => [position, other, of]), [[2, 8, "a.ts"]]); // prettier-ignore
    assert.ok(repeats.duplicateTokens > 300 && repeats.duplicateTokens === repeats.supersededTokens);
  });

  it("takes a read as superseded by a write, and not by a read of another part", async () => {
    const part = (id: string, offset: number): Entry[] => roundEntries(id, "Read", { file_path: "a.ts", offset }, `${offset}${LONG}`);
    assert.deepEqual((await inspect([...part("1", 0), ...part("2", 100)])).repeats.superseded, []);
    const search = (id: string, pattern: string): Entry[] => roundEntries(id, "Grep", { path: "src", pattern }, `${pattern}${LONG}`);
    assert.deepEqual((await inspect([...search("1", "a"), ...search("2", "b")])).repeats.superseded, []);
    const command = (id: string, end: string): Entry[] => roundEntries(id, "Bash", { command: `${"x".repeat(400)}${end}` }, `${end}${LONG}`);
    assert.deepEqual((await inspect([...command("1", "a"), ...command("2", "b")])).repeats.superseded, []);
    assert.equal((await inspect([...command("1", "a"), ...command("2", "a")])).repeats.superseded.length, 1);
    const parts = await inspect([...part("1", 0), ...part("2", 100), ...roundEntries("3", "Write", { file_path: "a.ts" }, "ok")]);
    assert.equal(parts.repeats.superseded.length, 2);
    const written = await inspect([
      ...roundEntries("1", "Read", { file_path: "a.ts" }, LONG),
      ...roundEntries("2", "Edit", { file_path: "a.ts", old_string: "x" }, "ok"),
    ]);
    assert.deepEqual(written.repeats.superseded.map(({ position, other }) => [position, other]), [[1, 3]]); // prettier-ignore
  });

  it("grows with every call, and caching makes it cheaper", async () => {
    const { growth, cost, model } = await inspect(SESSION);
    const sizes = growth.map(({ contextTokens }) => contextTokens);
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => a - b),
    );
    assert.equal(model, "claude-opus-4-6");
    assert.equal(cost?.inputTokens, sum(sizes));
    const long = await inspect(
      Array.from({ length: 40 }, (_, number) => roundEntries(`${number}`, "Read", { file_path: `${number}.ts` }, LONG.repeat(4))).flat(),
    );
    assert.ok(long.cost !== undefined && long.cost.cachedDollars < long.cost.uncachedDollars / 2);
  });

  it("uses the tokens and prices of the model that is asked for", async () => {
    const [recorded, asked] = [await inspect(SESSION), await inspect(SESSION, { model: "claude-opus-5" })];
    assert.equal(asked.model, "claude-opus-5");
    assert.ok(asked.tokens > recorded.tokens * 1.2);
  });

  it("counts what the file says of the head, of compactions and of damage", async () => {
    const start: Entry = { kind: "trajectory", id: "t", system: "You are an agent. ".repeat(50), tools: [{ name: "Read" }] };
    const entries: readonly Entry[] = [start, { kind: "compaction", by: "compact_boundary" }, { kind: "damaged", line: 7, reason: "no JSON" }, ...SESSION];
    const { trajectories, damaged } = await inspectEntries(claudeCode, stream(entries));
    assert.equal(trajectories[0]?.compactions, 1);
    assert.ok((trajectories[0]?.byRole.system ?? 0) > 150);
    assert.equal(sum(trajectories[0]?.byKind.map((kind) => kind.tokens) ?? []), trajectories[0]?.tokens);
    assert.deepEqual(damaged, [{ kind: "damaged", line: 7, reason: "no JSON" }]);
  });

  it("takes one of several trajectories, and names them if there is no such one", async () => {
    const entries: readonly Entry[] = [{ kind: "trajectory", id: "a" }, ...SESSION, { kind: "trajectory", id: "b" }, said("user", "Hi.")];
    const { trajectories } = await inspectEntries(claudeCode, stream(entries), { trajectory: "b" });
    assert.deepEqual(trajectories.map(({ id, messages, cost }) => [id, messages, cost]), [["b", 1, undefined]]); // prettier-ignore
    await assert.rejects(inspectEntries(claudeCode, stream(entries), { trajectory: "c" }), /no trajectory c in the file; it has a, b/);
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
