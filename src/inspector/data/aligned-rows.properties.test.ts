import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withEdits } from "../../../test/support/arbitrary-edits.ts";
import { checkProperty, validTranscript } from "../../../test/support/transcripts.ts";
import { parseAndArrange } from "../../edits/render.ts";
import { blocksOf, type Block, type Message } from "../../messages/message.ts";
import { alignRows, editsAt, type AlignedRow } from "./aligned-rows.ts";

function align(log: readonly Message[], edits: Parameters<typeof alignRows>[0]["edits"], upTo: number): AlignedRow[] | undefined {
  try {
    return alignRows({ log, edits, upTo, end: upTo, target: {}, ownTools: [] });
  } catch {
    // What cannot be rendered cannot be aligned.
    return undefined;
  }
}

describe("rows of a call, with random logs and edits", () => {
  it("have on the right what was sent, block by block and in order", () => {
    checkProperty("right", [withEdits(validTranscript())], ({ log, edits }) => {
      const rows = align(log, edits, log.length);
      if (rows === undefined) return;
      const sent = parseAndArrange(log, editsAt(edits, log.length), { seenFrom: 0 }).messages.flatMap(blocksOf);
      assert.deepEqual(blocksIn(rows, "right"), sent);
    });
  });

  it("have on the left what the client sent, every block once and in order", () => {
    checkProperty("left", [withEdits(validTranscript())], ({ log, edits }) => {
      const rows = align(log, edits, log.length);
      if (rows === undefined) return;
      const shown = rows.filter(({ isHidden }) => !isHidden);
      const places = shown.flatMap(({ left }) => left.map(({ position, number }) => [position, number]));
      const wanted = log.flatMap((message, position) =>
        blocksOf(message).flatMap((block, number) => (block.type === "checkpoint" ? [] : [[position, number]])),
      );
      assert.deepEqual(places, wanted);
    });
  });

  it("are the same on both sides where nothing was edited", () => {
    checkProperty("same", [validTranscript()], (log) => {
      const rows = align(log, [], log.length) ?? [];
      assert.ok(rows.every(({ type, isHidden }) => type === "same" || isHidden));
    });
  });

  it("name the edit that made the difference", () => {
    checkProperty("edits", [withEdits(validTranscript())], ({ log, edits }) => {
      const known = new Set(edits.map(({ id }) => id));
      for (const row of align(log, edits, log.length) ?? []) for (const id of row.edits) assert.ok(known.has(id) && row.type !== "same");
    });
  });
});

function blocksIn(rows: readonly AlignedRow[], side: "left" | "right"): Block[] {
  return rows.flatMap((row) => row[side].map(({ block }) => block));
}
