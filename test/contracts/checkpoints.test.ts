import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkpointsIn, createCheckpointContent, generateCheckpointId, type Message } from "../../src/index.ts";
import { assistant, block, res, text, user } from "../support/build.ts";

describe("generateCheckpointId", () => {
  test("six of [a-z0-9], and all of them occur", () => {
    const ids = Array.from({ length: 2000 }, () => generateCheckpointId());
    for (const id of ids) assert.match(id, /^[a-z0-9]{6}$/);
    assert.equal(new Set(ids.join("")).size, 36);
  });

  test("none that is taken", () => {
    const taken = new Set<string>();
    for (let count = 0; count < 2000; count++) {
      const id = generateCheckpointId(taken);
      assert.ok(!taken.has(id));
      taken.add(id);
    }
  });

  test("the same random bytes again are refused if their id is taken", (t) => {
    let drawn = 0;
    t.mock.method(crypto, "getRandomValues", (bytes: Uint8Array) => bytes.map((_, index) => (bytes[index] = drawn++ < 6 ? 0 : 1)));
    assert.equal(generateCheckpointId(new Set(["aaaaaa"])), "bbbbbb");
  });

  test("it does not change the set it is given", () => {
    const taken: ReadonlySet<string> = new Set(["abc123"]);
    generateCheckpointId(taken);
    assert.deepEqual([...taken], ["abc123"]);
  });
});

test("createCheckpointContent is the form inside a thread", () => {
  assert.deepEqual(createCheckpointContent("abc123"), { type: "checkpoint", id: "abc123" });
});

for (const id of ["", "abc12", "abc1234", "ABC123", "abc 12", "abc12\n"]) {
  test(`createCheckpointContent refuses ${JSON.stringify(id)}: it could not be found again in the text`, () => {
    assert.throws(() => createCheckpointContent(id), { code: "INVALID_INPUT" });
  });
}

describe("checkpointsIn", () => {
  type Row = readonly [what: string, messages: readonly Message[], expected: readonly { id: string; position: number }[]];
  const found = (id: string, position = 0): { id: string; position: number } => ({ id, position });
  const ROWS: readonly Row[] = [
    ["an empty thread has none", [], []],
    ["a whole text block of the user", [user(text("Fix it."), text("<checkpoint:abc123>"))], [found("abc123")]],
    ["a checkpoint block of the user", [user(text("Fix it."), createCheckpointContent("abc123"))], [found("abc123")]],
    ["a message that is nothing but the mark", [user("<checkpoint:abc123>")], [found("abc123")]],
    ["after a tool result", [user(res("1", "x"), text("<checkpoint:abc123>"))], [found("abc123")]],
    [
      "in the order of the thread",
      [user(text("<checkpoint:bbbbbb>")), assistant(text("x")), user(text("<checkpoint:aaaaaa>"))],
      [found("bbbbbb"), found("aaaaaa", 2)],
    ],
    [
      "twice, if it is there twice",
      [user(text("<checkpoint:abc123>")), assistant(text("x")), user(text("<checkpoint:abc123>"))],
      [found("abc123"), found("abc123", 2)],
    ],
  ];
  for (const [what, messages, expected] of ROWS) test(what, () => assert.deepEqual(checkpointsIn(messages), expected));

  const mark = "<checkpoint:abc123>";
  const LOOK_ALIKES: Readonly<Record<string, Message>> = {
    "text of the assistant": assistant(text(mark)),
    "a string of the assistant": { role: "assistant", content: mark },
    "a checkpoint block with an id that is none": user(block("checkpoint", { id: "abc-12" })),
    "a checkpoint block of the assistant": assistant(createCheckpointContent("abc123")),
    "a system message": { role: "system", content: mark },
    "the content of a tool result": user(res("1", mark)),
    "a text block inside a tool result": user(res("1", [text(mark)])),
    "a checkpoint block inside a tool result": user(res("1", [createCheckpointContent("abc123")])),
    "text before it": user(text(`see ${mark}`)),
    "text after it": user(text(`${mark} please`)),
    "a line of its own in a longer text": user(text(`a\n${mark}\nb`)),
    "a newline at its end": user(text(`${mark}\n`)),
    "a space at its start": user(text(` ${mark}`)),
    "capital letters": user(text("<checkpoint:ABC123>")),
    "five characters": user(text("<checkpoint:abc12>")),
    "seven characters": user(text("<checkpoint:abc1234>")),
    "a sign that is no letter": user(text("<checkpoint:abc-12>")),
    "a space for the colon": user(text("<checkpoint abc123>")),
    "two in one block": user(text(mark + mark)),
    "an image with such a name": user(block("image", { text: mark, id: "abc123" })),
  };
  for (const [what, message] of Object.entries(LOOK_ALIKES)) test(`${what} is none`, () => assert.deepEqual(checkpointsIn([message]), []));
});
