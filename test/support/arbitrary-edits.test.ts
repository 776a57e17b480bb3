import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Edit } from "../../src/edits/edit.ts";
import type { Place } from "../../src/messages/place.ts";
import { blockCount, blocksOf, type Block, type Message } from "../../src/messages/message.ts";
import { withEdits } from "./arbitrary-edits.ts";
import { anyTranscript, checkProperty, validTranscript } from "./transcripts.ts";

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function blockAt(log: readonly Message[], at: Place): Block {
  const message = log[at.position];
  const block = message === undefined ? undefined : blocksOf(message)[at.block];
  assert.ok(block !== undefined, `no block at ${JSON.stringify(at)}`);
  return block;
}

function roleAt(log: readonly Message[], position: number): string {
  return log[position]?.role ?? "none";
}

/** Blocks before this border, counted from the start. */
function offset(log: readonly Message[], at: Place): number {
  return log.slice(0, at.position).reduce((sum, message) => sum + blockCount(message), 0) + at.block;
}

function checkPlaces(log: readonly Message[], edit: Edit): void {
  switch (edit.kind) {
    case "replace-result": {
      const block = blockAt(log, edit.at);
      assert.equal(roleAt(log, edit.at.position), "user");
      assert.ok(block.type === "tool_result" && "tool_use_id" in block && block.tool_use_id === edit.callId);
      return;
    }
    case "replace-input":
      assert.equal(blockAt(log, edit.at).type, "tool_use");
      return;
    case "collapse-round": {
      assert.ok(blocksOf(log[edit.call] ?? { role: "user", content: [] }).some((block) => block.type === "tool_use"));
      assert.ok(blocksOf(log[edit.lastResult] ?? { role: "user", content: [] }).some((block) => block.type === "tool_result"));
      assert.ok(edit.lastResult > edit.call);
      return;
    }
    case "replace-range":
      assert.ok(offset(log, edit.from) < offset(log, edit.to));
      return;
    case "strip-blocks":
      assert.ok(edit.at.length > 0);
      for (const at of edit.at) {
        assert.notEqual(roleAt(log, at.position), "system");
        assert.doesNotMatch(blockAt(log, at).type, /tool_use|tool_result|fallback|compaction|mcp_tool_listing/);
      }
      return;
    case "replace-block":
      assert.notEqual(roleAt(log, edit.at.position), "system");
      assert.match(blockAt(log, edit.at).type, /^(text|image|document|tool_use)$/);
  }
}

function lastTouched(edit: Edit): number {
  switch (edit.kind) {
    case "collapse-round":
      return edit.lastResult;
    case "replace-range":
      return edit.to.block > 0 ? edit.to.position : edit.to.position - 1;
    case "strip-blocks":
      return Math.max(...edit.at.map((at) => at.position));
    case "replace-result":
    case "replace-input":
    case "replace-block":
      return edit.at.position;
  }
}

function stretchOf(log: readonly Message[], edit: Edit): Stretch[] {
  if (edit.kind === "replace-range") return [{ start: offset(log, edit.from), end: offset(log, edit.to) }];
  if (edit.kind !== "collapse-round") return [];
  const calls = blocksOf(log[edit.call] ?? { role: "user", content: [] });
  const ids = new Set(calls.flatMap((block) => (block.type === "tool_use" && "id" in block ? [block.id] : [])));
  const last = blocksOf(log[edit.lastResult] ?? { role: "user", content: [] }).findLastIndex(
    (block) => block.type === "tool_result" && "tool_use_id" in block && ids.has(block.tool_use_id),
  );
  const first = calls.findIndex((block) => block.type === "tool_use");
  return [{ start: offset(log, { position: edit.call, block: first }), end: offset(log, { position: edit.lastResult, block: last }) + 1 }];
}

function nestOrDisjoint(a: Stretch, b: Stretch): boolean {
  const inside = (x: Stretch, y: Stretch): boolean => y.start <= x.start && x.end <= y.end;
  return a.end <= b.start || b.end <= a.start || inside(a, b) || inside(b, a);
}

test("every place is what its edit says", () => {
  checkProperty("places", [withEdits(anyTranscript())], ({ log, edits }) => {
    for (const edit of edits) checkPlaces(log, edit);
  });
});

test("an edit is made when all that it touches is there, and undone only later", () => {
  checkProperty("times", [withEdits(anyTranscript())], ({ log, edits }) => {
    for (const edit of edits) {
      assert.ok(edit.madeAt > lastTouched(edit) && edit.madeAt <= log.length);
      if (edit.undoneAt !== undefined) assert.ok(edit.undoneAt > edit.madeAt && edit.undoneAt <= log.length);
    }
  });
});

test("ranges and collapsed rounds nest or are disjoint", () => {
  checkProperty("ranges", [withEdits(validTranscript())], ({ log, edits }) => {
    const stretches = edits.flatMap((edit) => stretchOf(log, edit));
    for (const a of stretches) for (const b of stretches) assert.ok(nestOrDisjoint(a, b));
  });
});

test("edits are made and undone where a request can be made, or anywhere if asked", () => {
  const amid = (log: readonly Message[], length: number | undefined): boolean =>
    length !== undefined && roleAt(log, length - 1) === "assistant" && roleAt(log, length) === "assistant";
  checkProperty("requests", [withEdits(anyTranscript())], ({ log, edits }) => edits.every((edit) => !amid(log, edit.madeAt) && !amid(log, edit.undoneAt)));
  const anywhere = fc.sample(withEdits(validTranscript(), { madeAt: "any" }), { numRuns: 500, seed: 1 });
  assert.ok(anywhere.some(({ log, edits }) => edits.some((edit) => amid(log, edit.madeAt))));
});

test("the end stays where it is asked to", () => {
  checkProperty("end", [withEdits(validTranscript(), { reachesEnd: false })], ({ log, edits }) => {
    const lastAssistant = log.findLastIndex((message) => message.role === "assistant");
    const open = log.slice(lastAssistant).some((message) => blocksOf(message).some((block) => block.type === "tool_result"));
    const turn = log.slice(0, lastAssistant + 1).findLastIndex((message) => message.role === "user") + 1;
    const begins = open ? turn : lastAssistant + 1;
    const first = begins + log.slice(begins).findIndex((message) => message.role !== "system");
    for (const edit of edits) {
      for (const stretch of stretchOf(log, edit)) assert.ok(stretch.end <= offset(log, { position: first, block: 0 }));
    }
  });
});

const REACHED: Readonly<Record<string, (edit: Edit, log: readonly Message[]) => boolean>> = {
  "replace-result": (edit) => edit.kind === "replace-result",
  "replace-result with blocks": (edit) => edit.kind === "replace-result" && typeof edit.content !== "string",
  "replace-result, empty": (edit) => edit.kind === "replace-result" && edit.content.length === 0,
  "replace-input": (edit) => edit.kind === "replace-input",
  "collapse-round": (edit) => edit.kind === "collapse-round",
  "replace-range": (edit) => edit.kind === "replace-range",
  "replace-range of everything": (edit, log) =>
    edit.kind === "replace-range" && edit.from.position === 0 && edit.from.block === 0 && lastTouched(edit) === log.length - 1,
  "replace-range with a blank summary": (edit) => edit.kind === "replace-range" && edit.summary.trim() === "",
  "replace-range by the user": (edit) => edit.kind === "replace-range" && edit.role === "user",
  "a border inside a message": (edit, log) =>
    edit.kind === "replace-range" && edit.from.block > 0 && edit.from.block < blocksOf(log[edit.from.position] ?? { role: "user", content: [] }).length,
  "a border just after a message": (edit, log) =>
    edit.kind === "replace-range" && edit.to.block > 0 && edit.to.block === blocksOf(log[edit.to.position] ?? { role: "user", content: [] }).length,
  "a border before the next message": (edit) => edit.kind === "replace-range" && edit.to.block === 0,
  "strip-blocks": (edit) => edit.kind === "strip-blocks",
  "strip-blocks in several messages": (edit) => edit.kind === "strip-blocks" && new Set(edit.at.map((at) => at.position)).size > 1,
  "replace-block": (edit) => edit.kind === "replace-block",
  "replace-block on a call": (edit, log) => edit.kind === "replace-block" && blockAt(log, edit.at).type === "tool_use",
  undone: (edit) => edit.undoneAt !== undefined,
  "made at once": (edit, log) => edit.madeAt === lastTouched(edit) + 1 && edit.madeAt < log.length,
  "made at the end": (edit, log) => edit.madeAt === log.length,
};

test("every kind and every border occurs in 2,000 cases, nested ranges included", () => {
  const sample = fc.sample(withEdits(validTranscript()), { numRuns: 2000, seed: 20261115 });
  const missing = Object.entries(REACHED).filter(([, is]) => !sample.some(({ log, edits }) => edits.some((edit) => is(edit, log))));
  assert.deepEqual(
    missing.map(([name]) => name),
    [],
  );
  const nested = sample.some(({ log, edits }) => {
    const stretches = edits.flatMap((edit) => stretchOf(log, edit));
    return stretches.some((a) => stretches.some((b) => b.start < a.start && a.end < b.end));
  });
  assert.ok(nested);
});
