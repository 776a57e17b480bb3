import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { parseLog, parseMessages } from "./parse-messages.ts";

const BAD_BLOCKS: readonly unknown[] = [
  undefined,
  null,
  "text",
  {},
  { type: 1 },
  { type: "text" },
  { type: "tool_use", id: "a" },
  { type: "tool_use", name: "bash" },
  { type: "tool_result", content: "ok" },
  { type: "tool_result", tool_use_id: "a", content: 1 },
  { type: "tool_result", tool_use_id: "a", content: [{ type: "text" }] },
];
const ROLES = ["user", "assistant", "system"];
const BAD_MESSAGES: readonly unknown[] = [
  undefined,
  null,
  "Hi",
  [],
  { content: "Hi" },
  { role: "tool", content: "Hi" },
  ...ROLES.flatMap((role) => [{ role }, { role, content: 1 }, ...BAD_BLOCKS.map((block) => ({ role, content: [{ type: "text", text: "Hi" }, block] }))]),
];

const faultOf = (parse: (value: unknown) => unknown, value: unknown): unknown => {
  try {
    return parse(value);
  } catch (error) {
    assert.ok(error instanceof PalimpsestError);
    return `${error.code} ${error.message}`;
  }
};

describe("the check of shapes alone and the one that makes the index", () => {
  it("refuse the same messages, in the same words", () => {
    for (const bad of BAD_MESSAGES) {
      const messages = [{ role: "user", content: "Hi" }, bad];
      const fault = faultOf(parseLog, messages);
      assert.equal(typeof fault, "string", JSON.stringify(bad));
      assert.equal(faultOf(parseMessages, messages), fault);
    }
    assert.equal(faultOf(parseMessages, {}), faultOf(parseLog, {}));
  });
});
