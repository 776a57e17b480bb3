import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { textBlock, type Block, type ToolResultBlock } from "../messages/message.ts";
import { isBlank, sayingSomething } from "./blank.ts";

const image = { type: "image", source: {} } as Block;
const result = (content: ToolResultBlock["content"], more: object = {}): ToolResultBlock => ({
  type: "tool_result",
  tool_use_id: "c",
  ...(content === undefined ? {} : { content }),
  ...more,
});

describe("what is blank", () => {
  test("nothing but white space of any kind", () => {
    for (const text of ["", " ", "\n\t", "\u00a0", "\u2003 "]) assert.equal(isBlank(text), true, JSON.stringify(text));
    for (const text of ["a", " a", "~", "\u007f", "é", "\u2003x"]) assert.equal(isBlank(text), false, JSON.stringify(text));
  });
});

describe("a result", () => {
  test("that says something is left as it is, the same object", () => {
    for (const same of [result("text"), result([textBlock("text")]), result([image]), result([textBlock("a"), image, textBlock("b")]), result(undefined)])
      assert.equal(sayingSomething(same), same);
  });
  test("that is empty says so", () => {
    for (const empty of ["", " \n", []] as const) assert.deepEqual(sayingSomething(result(empty as string)), result("[empty]"));
    assert.deepEqual(sayingSomething(result("", { is_error: true, cache_control: 1 })), result("[empty]", { is_error: true, cache_control: 1 }));
  });
  test("without content is only an error's fault", () => {
    assert.deepEqual(sayingSomething(result(undefined, { is_error: true })), result("[empty]", { is_error: true }));
    const said = result(undefined, { is_error: false });
    assert.equal(sayingSomething(said), said);
  });
  test("with blank texts among others says so in each of them", () => {
    const blank = { ...textBlock(" "), cache_control: 1 } as Block;
    assert.deepEqual(sayingSomething(result([textBlock("a"), blank, image])), result([textBlock("a"), { ...blank, text: "[empty]" } as Block, image]));
    assert.deepEqual(sayingSomething(result([textBlock("")])), result([textBlock("[empty]")]));
  });
});
