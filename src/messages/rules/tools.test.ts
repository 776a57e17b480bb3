import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, block, res, text, use, user } from "../../../test/support/build.ts";
import { checkMessages } from "../check-messages.ts";
import type { Message } from "../message.ts";

const image = block("image", { source: {} });
const q = user("q");
const says = assistant("a");

const unanswered = (position: number, id: string): string =>
  `messages.${position}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
const unexpected = (path: string, id: string): string =>
  `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;

type Row = readonly [rule: string, path: string, message: string, bad: readonly Message[], good: readonly Message[]];

const PAIR = [q, assistant(use("a")), user(res("a"))];
const failed = (content: unknown): Message[] => [q, assistant(use("a")), user(res("a", "ok", { is_error: true, content }))];
const toolset = (more: object): Message[] => [q, assistant(use("a", "read", {}, { toolset_name: "browser" })), user(res("a", "ok", more))];

const ROWS: readonly Row[] = [
  ["A2.1", "messages.1.content.0", unanswered(1, "a"), [q, assistant(use("a")), q], PAIR],
  [
    "A2.1",
    "messages.1.content.1",
    unanswered(1, "b"),
    [q, assistant(use("a"), use("b")), user(res("a")), says, q],
    [q, assistant(use("a"), use("b")), user(res("a")), user(res("b"))],
  ],
  ["A2.2", "messages.0.content.0", unexpected("messages.0.content.0", "a"), [user(res("a"))], PAIR],
  ["A2.2", "messages.4.content.0", unexpected("messages.4.content.0", "a"), [...PAIR, says, user(res("a"))], [...PAIR, says, q]],
  [
    "A2.3",
    "messages.2.content.1",
    unanswered(1, "a"),
    [q, assistant(use("a")), user(text("x"), res("a"))],
    [q, assistant(use("a")), user(res("a"), text("x"))],
  ],
  ["A2.3", "messages.3.content.0", unanswered(1, "a"), [q, assistant(use("a")), q, user(res("a"))], [q, assistant(use("a")), user(res("a")), q]],
  [
    "A2.5",
    "messages.3.content.0",
    "messages.3.content.0: `tool_use` ids must be unique",
    [...PAIR, assistant(use("a")), user(res("a"))],
    [...PAIR, assistant(use("b")), user(res("b"))],
  ],
  [
    "A2.6",
    "messages.2.content.1",
    "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
    [q, assistant(use("a")), user(res("a"), res("a"))],
    PAIR,
  ],
  [
    "A2.8",
    "messages.1.content.0",
    "messages.1.content.0.tool_use.name: String should have at most 200 characters",
    [q, assistant(use("a", "n".repeat(201))), user(res("a"))],
    [q, assistant(use("a", "n".repeat(200))), user(res("a"))],
  ],
  [
    "A2.9",
    "messages.1.content.0",
    "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
    [q, assistant(use("a", "read", "{}")), user(res("a"))],
    PAIR,
  ],
  [
    "A2.9",
    "messages.1.content.0",
    "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
    [q, assistant(use("a", "read", [])), user(res("a"))],
    PAIR,
  ],
  [
    "A2.10",
    "messages.2.content.0",
    "messages.2.content.0.tool_result.content: `tool_use` blocks are not allowed in a tool result",
    [q, assistant(use("a")), user(res("a", [use("b")]))],
    [q, assistant(use("a")), user(res("a", [text("x"), image, block("search_result")]))],
  ],
  ["A2.12", "messages.2.content.0", "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true", failed(""), failed("exit 1")],
  [
    "A2.12",
    "messages.2.content.0",
    "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
    failed(undefined),
    [q, assistant(use("a")), user(res("a", "ok", { content: undefined }))],
  ],
  ["A2.12", "messages.2.content.0", "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true", failed([]), failed([text("exit 1")])],
  [
    "A2.13",
    "messages.2.content.0",
    "messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true",
    failed([text("x"), image]),
    [q, assistant(use("a")), user(res("a", [text("x"), image]))],
  ],
  [
    "A2.17",
    "messages.2.content.0",
    "messages.2.content.0.tool_result: the result of a toolset must name it as the call does, and hold text, images or browser state only",
    toolset({}),
    toolset({ toolset_name: "browser" }),
  ],
  [
    "A2.17",
    "messages.2.content.0",
    "messages.2.content.0.tool_result: the result of a toolset must name it as the call does, and hold text, images or browser state only",
    toolset({ toolset_name: "browser", content: [block("document")] }),
    toolset({ toolset_name: "browser", content: [image, block("browser_state")] }),
  ],
];

describe("checkMessages: tools", () => {
  ROWS.forEach(([rule, path, message, bad, good], number) => {
    test(`${rule}, row ${number}`, () => {
      assert.deepEqual(checkMessages(bad), [{ rule, path, message }]);
      assert.deepEqual(checkMessages(good), []);
    });
  });
});

test("A2.7: an id that the provider cannot take is named at the call and at the result", () => {
  const pattern = "String should match pattern '^[a-zA-Z0-9_-]+$'";
  for (const id of ["a.b", "a b", "ü", "call:1", ""]) {
    assert.deepEqual(checkMessages([q, assistant(use(id)), user(res(id))]), [
      { rule: "A2.7", path: "messages.1.content.0", message: `messages.1.content.0.tool_use.id: ${pattern}` },
      { rule: "A2.7", path: "messages.2.content.0", message: `messages.2.content.0.tool_result.tool_use_id: ${pattern}` },
    ]);
  }
  for (const id of ["a", "toolu_01", "call-1", "__proto__"]) assert.deepEqual(checkMessages([q, assistant(use(id)), user(res(id))]), []);
});

test("calls and results over several messages of one turn are one round (A1.3, A2.4)", () => {
  assert.deepEqual(checkMessages([q, assistant(use("a")), assistant(use("b")), user(res("b")), user(res("a"), text("x"))]), []);
});
