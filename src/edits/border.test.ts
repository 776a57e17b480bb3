import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { indexLog } from "../messages/index-log.ts";
import { textBlock, type Message } from "../messages/message.ts";
import type { Place } from "../messages/place.ts";
import { borderBehind, borderOf } from "./border.ts";

const log: readonly Message[] = [
  { role: "user", content: "q" },
  { role: "assistant", content: [textBlock("a"), textBlock("b")] },
  { role: "user", content: [] },
  { role: "assistant", content: "c" },
];
const at = (position: number, block: number): Place => ({ position, block });

describe("a border has one name", () => {
  const ROWS: readonly (readonly [what: string, given: Place, border: Place])[] = [
    ["before a message", at(1, 0), at(1, 0)],
    ["between its blocks", at(1, 1), at(1, 1)],
    ["after its last block: before the next message", at(1, 2), at(2, 0)],
    ["after a string", at(0, 1), at(1, 0)],
    ["before a message without blocks, which is not yet after it", at(2, 0), at(2, 0)],
    ["after the log", at(3, 1), at(4, 0)],
    ["at the end of the log", at(4, 0), at(4, 0)],
  ];
  for (const [what, given, border] of ROWS) test(what, () => assert.deepEqual(borderOf(indexLog(log), given), border));
});

describe("the border after a block", () => {
  const ROWS: readonly (readonly [what: string, block: Place, border: Place])[] = [
    ["that another follows", at(1, 0), at(1, 1)],
    ["that is the last of its message", at(1, 1), at(2, 0)],
    ["that is a string", at(0, 0), at(1, 0)],
    ["that is the last of the log", at(3, 0), at(4, 0)],
  ];
  for (const [what, block, border] of ROWS) test(what, () => assert.deepEqual(borderBehind(indexLog(log), block), border));
});
