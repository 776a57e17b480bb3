import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { indexLog } from "../messages/index-log.ts";
import { isText, textBlock, type Message } from "../messages/message.ts";
import { ChangedMessages } from "./changed-messages.ts";
import type { Proposal } from "./edit.ts";

const edit: Proposal = { kind: "strip-blocks", at: [], pass: "test", reason: "", madeAt: 3 };

/** More blocks than there are bits in a number. */
const texts = Array.from({ length: 70 }, (_, number) => `text ${number}`);
const message: Message = { role: "user", content: texts.map(textBlock) };
const log: readonly Message[] = [message, { role: "assistant", content: "Yes." }];

function shown(change: (changed: ChangedMessages) => void): string[] {
  const changed = new ChangedMessages(log, indexLog(log));
  change(changed);
  const part = changed.part(message, 0, 0, Infinity);
  return typeof part?.content === "object" ? part.content.map((block) => (isText(block) ? block.text : block.type)) : [];
}

const without = (...numbers: number[]): string[] => texts.filter((_, number) => !numbers.includes(number));

describe("a message with more blocks than bits", () => {
  for (const numbers of [[0], [30], [31], [32], [69], [0, 32], [32, 0], [31, 30], [5, 37, 69]]) {
    it(`is shown without ${numbers.join(", ")}, and with all others`, () => {
      const drop = (changed: ChangedMessages): void => {
        for (const number of numbers) changed.drop(0, number, edit);
        for (const number of texts.keys()) assert.equal(changed.isDropped(0, number), numbers.includes(number), `block ${number}`);
      };
      assert.deepEqual(shown(drop), without(...numbers));
    });
  }

  it("loses a block once, however often it is dropped", () => {
    const dropOften = (changed: ChangedMessages): void => {
      for (const _ of texts) changed.drop(0, 7, edit);
    };
    assert.deepEqual(shown(dropOften), without(7));
  });

  it("is gone when all of it is dropped", () => {
    const dropAll = (changed: ChangedMessages): void => {
      for (const number of texts.keys()) changed.drop(0, number, edit);
      assert.equal(changed.showsFrom(0, 0), false);
      assert.equal(changed.part(message, 0, 0, Infinity), undefined);
    };
    assert.deepEqual(shown(dropAll), []);
  });
});

describe("a message with a block in another form", () => {
  it("keeps what was dropped before, and loses what is dropped afterwards", () => {
    const result = shown((changed) => {
      changed.drop(0, 2, edit);
      changed.replace(0, 1, textBlock("new"), edit);
      changed.drop(0, 3, edit);
    });
    assert.deepEqual(result, ["text 0", "new", ...without(0, 1, 2, 3)]);
  });

  it("has its note after its last part only, and is shown though its blocks are gone", () => {
    const changed = new ChangedMessages(log, indexLog(log));
    changed.addNote(0, "note", edit);
    const lastOf = (part: Message | undefined): unknown => (typeof part?.content === "object" ? part.content.at(-1) : part);
    assert.deepEqual(lastOf(changed.part(message, 0, 0, 1)), textBlock("text 0"));
    assert.deepEqual(lastOf(changed.part(message, 0, 1, Infinity)), textBlock("note"));
    for (const number of texts.keys()) changed.drop(0, number, edit);
    assert.equal(changed.showsFrom(0, 5), true);
    assert.deepEqual(changed.part(message, 0, 0, Infinity), { role: "user", content: "note" });
  });

  it("shows a note after words that were a string", () => {
    const changed = new ChangedMessages(log, indexLog(log));
    changed.addNote(1, "note", edit);
    assert.deepEqual(changed.part(log[1] as Message, 1, 0, Infinity), { role: "assistant", content: [textBlock("Yes."), textBlock("note")] });
  });

  it("shows a note after its blocks", () => {
    const result = shown((changed) => {
      changed.drop(0, 1, edit);
      changed.addNote(0, "note", edit);
    });
    assert.deepEqual(result, [...without(1), "note"]);
  });
});

describe("a message that is kept though all of it is stripped", () => {
  const two: Message = { role: "user", content: [textBlock("a"), textBlock("b")] };
  const asked: readonly Message[] = [two];
  const stripped = (...blocks: number[]): ChangedMessages => {
    const changed = new ChangedMessages(asked, indexLog(asked));
    for (const number of blocks) changed.replace(0, number, undefined, { ...edit, madeAt: 1 });
    return changed;
  };

  it("is shown once, where it begins", () => {
    assert.equal(stripped(0, 1).part(two, 0, 0, 1), two);
    assert.equal(stripped(0, 1).part(two, 0, 1, Infinity), undefined);
  });
  it("is not kept where one of its blocks is shown", () => {
    assert.equal(stripped(0).part(two, 0, 0, 1), undefined);
    assert.deepEqual(stripped(0).part(two, 0, 1, Infinity), { role: "user", content: [textBlock("b")] });
  });
});
