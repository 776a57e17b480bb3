import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, think, user } from "../../test/support/build.ts";
import { blocksOf, isText, textBlock, type Message } from "../messages/message.ts";
import { makeEdit, type Edit } from "./edit.ts";
import { render } from "./render.ts";

const strip = (madeAt: number, ...blocks: readonly number[]): Edit =>
  makeEdit({
    kind: "strip-blocks",
    at: blocks.map((block) => ({ position: 1, block })),
    pass: "test",
    reason: "because",
    madeAt,
    tokensBefore: 0,
    tokensAfter: 0,
  });
const q = user("q");
const unbound = { bindsThinking: false } as const;
const namesOf = (message: Message | undefined): string[] | undefined =>
  message === undefined ? undefined : blocksOf(message).map((block) => (isText(block) ? block.text : String((block as { thinking?: string }).thinking)));
const textsOf = (view: readonly Message[]): (string[] | undefined)[] => view.map(namesOf);

describe("thinking in a message of which blocks are gone", () => {
  const shown = (message: Message, ...blocks: readonly number[]): string[] | undefined => namesOf(render([q, message, q], [strip(3, ...blocks)], unbound)[1]);
  const began = assistant(think("s", "t1"), textBlock("a"), think("s", "t2"), textBlock("b"));

  test("is shown where something else is stripped", () => {
    assert.deepEqual(shown(began, 1), ["t1", "t2", "b"]);
    assert.deepEqual(shown(assistant(textBlock("a"), think("s", "t"), textBlock("b")), 0), ["t", "b"]);
  });
  test("goes with the thinking that the message began with", () => {
    assert.deepEqual(shown(began, 0), ["a", "b"]);
    assert.deepEqual(shown(began, 0, 3), ["a"]);
    assert.deepEqual(shown(began, 0, 1), ["t2", "b"]);
  });
  test("is never last", () => {
    assert.deepEqual(shown(began, 3), ["t1", "a"]);
    assert.deepEqual(shown(assistant(textBlock("a"), think("s", "t"), think("s", "u"), textBlock("b")), 3), ["a"]);
  });
});

describe("a message that all is stripped of", () => {
  const last = [q, assistant(textBlock("a"), textBlock("b"))];
  const later = [...last, q, assistant(textBlock("c"))];

  test("is kept if it was the last one then, and from then on", () => {
    assert.deepEqual(textsOf(render(last, [strip(2, 0, 1)], { prefill: true })), [["q"], ["a", "b"]]);
    assert.deepEqual(textsOf(render(later, [strip(2, 0), strip(2, 1)], { prefill: true }))[1], ["a", "b"]);
    assert.deepEqual(textsOf(render(later, [strip(2, 0), strip(1, 1)], { prefill: true }))[1], ["a", "b"]);
  });
  test("goes if what is left of it was stripped later, in whatever order the edits come", () => {
    for (const edits of [[strip(2, 0), strip(4, 1)], [strip(4, 1), strip(2, 0)], [strip(3, 0), strip(4, 1)], [strip(4, 0), strip(2, 1)], [strip(4, 0, 1)]])
      assert.deepEqual(textsOf(render(later, edits, { prefill: true })), [["q"], ["q"], ["c"]], JSON.stringify(edits.map(({ madeAt }) => madeAt)));
  });
  test("is no message to keep where only thinking is left of it, or was in it", () => {
    const thought = [q, assistant(think("s", "t"), textBlock("a"))];
    assert.deepEqual(textsOf(render(thought, [strip(2, 1)], { prefill: true })), [["q"]]);
    assert.deepEqual(textsOf(render(thought, [strip(2, 0, 1)], { prefill: true })), [["q"], ["t", "a"]]);
    assert.deepEqual(textsOf(render([q, assistant(think("s", "t")), q], [strip(2, 0)], { prefill: true })), [["q"], ["q"]]);
  });
});
