import assert from "node:assert/strict";
import { test } from "node:test";
import { splitLines } from "./split-lines.ts";

test("lines are the same whatever chunks they come in, and no character is cut", async () => {
  const text = 'ä€😀\n\r\n{"b": "ü"}\r\nlast without an end 😀';
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size++) {
    const lines: [number, string][] = [];
    for await (const line of splitLines(chunksOf(bytes, size))) lines.push([line.number, line.bytes.toString("utf8")]);
    assert.deepEqual(
      lines,
      [
        [1, "ä€😀\n"],
        [2, "\r\n"],
        [3, '{"b": "ü"}\r\n'],
        [4, "last without an end 😀"],
      ],
      `chunks of ${size}`,
    );
  }
});

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield await Promise.resolve(bytes.subarray(start, start + size));
}
