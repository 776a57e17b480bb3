import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepFreeze } from "../../../test/support/transcripts.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { blocksOf as blocksOfMessage, isToolUse } from "../../messages/message.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { ResponseItem } from "./response-item.ts";

const ASK: ResponseItem = { role: "user", content: "Do it." };

function roles(items: readonly ResponseItem[]): string[] {
  return openaiResponses.decode(items).map(({ role }) => role);
}

/** What a model or a pass sees of the log: no symbols, and inputs worked out. */
function seen(items: readonly ResponseItem[]): { role: string; content: unknown }[] {
  return JSON.parse(JSON.stringify(openaiResponses.decode(items))) as { role: string; content: unknown }[];
}

function blocksOf(...items: readonly ResponseItem[]): unknown {
  return seen(items)[0]?.content;
}

describe("one message of the log", () => {
  it("is all that the model made without a break, and all outputs after it", () => {
    const items: readonly ResponseItem[] = deepFreeze([
      { role: "developer", content: "You are an agent." },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Do it." }] },
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "One." }, { type: "summary_text", text: "Two." }] },
      { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "Let me look." }] },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "bash", arguments: '{"command":"ls"}' },
      { type: "custom_tool_call", id: "ctc_1", call_id: "call_2", name: "patch", input: "*** Begin" },
      { type: "function_call_output", call_id: "call_1", output: "a.txt" },
      { type: "custom_tool_call_output", call_id: "call_2", output: [{ type: "input_text", text: "Done." }] },
      { type: "message", role: "user", content: "And now?" },
    ]); // prettier-ignore
    assert.deepEqual(seen(items), [
      { role: "system", content: "You are an agent." },
      { role: "user", content: [{ type: "text", text: "Do it." }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "One.\n\nTwo." },
          { type: "text", text: "Let me look." },
          { type: "tool_use", id: "call_1", name: "bash", input: { command: "ls" } },
          { type: "tool_use", id: "call_2", name: "patch", input: { input: "*** Begin" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_1", content: "a.txt" },
          { type: "tool_result", tool_use_id: "call_2", content: [{ type: "text", text: "Done." }] },
        ],
      },
      { role: "user", content: "And now?" },
    ]);
    const back = openaiResponses.encode(openaiResponses.decode(items));
    assert.equal(back.length, items.length);
    back.forEach((item, number) => assert.equal(item, items[number]));
  });

  const call = (id: string): ResponseItem => ({ type: "function_call", call_id: id, name: "bash", arguments: "{}" });
  const output = (id: string): ResponseItem => ({ type: "function_call_output", call_id: id, output: "x" });
  const rows: readonly (readonly [string, readonly ResponseItem[], readonly string[]])[] = [
    ["parallel calls are one response", [ASK, call("a"), call("b"), output("b"), output("a")], ["user", "assistant", "user"]],
    ["outputs between calls part it", [ASK, call("a"), output("a"), call("b"), output("b")], ["user", "assistant", "user", "assistant", "user"]],
    ["two messages of the user are two", [ASK, ASK], ["user", "user"]],
    ["outputs and the user's words are two", [call("a"), output("a"), ASK], ["assistant", "user", "user"]],
    ["an unknown item is the model's", [ASK, { type: "hologram_call" }, call("a")], ["user", "assistant"]],
    ["an unknown output is a tool's", [ASK, call("a"), { type: "hologram_output", call_id: "a" }], ["user", "assistant", "user"]],
    ["an approval is an answer", [{ type: "mcp_approval_request", id: "r", name: "x" }, { type: "mcp_approval_response", approval_request_id: "r" }], ["assistant", "user"]],
    ["what the developer sets is the system's", [ASK, { type: "configuration_update" }, { type: "additional_tools", role: "developer" }], ["user", "system", "system"]],
    ["a search for tools by the provider is the model's", [{ type: "tool_search_call", execution: "server" }, { type: "tool_search_output", execution: "server" }, call("a")], ["assistant"]],
    ["a search for tools by the client is answered", [{ type: "tool_search_call", call_id: "s" }, { type: "tool_search_output", call_id: "s" }], ["assistant", "user"]],
  ]; // prettier-ignore
  for (const [name, items, expected] of rows) it(`${name}: ${expected.join(", ")}`, () => assert.deepEqual(roles(items), expected));
});

describe("a call", () => {
  const rows: readonly (readonly [string, ResponseItem, unknown])[] = [
    ["arguments that are no JSON", { type: "function_call", call_id: "a", name: "bash", arguments: "{bad" }, { id: "a", name: "bash", input: { arguments: "{bad" } }],
    ["a shell", { type: "shell_call", call_id: "a", action: { commands: ["ls"] } }, { id: "a", name: "shell", input: { commands: ["ls"] } }],
    ["a local shell", { type: "local_shell_call", id: "x", call_id: "a", action: { command: ["ls"] } }, { id: "a", name: "local_shell", input: { command: ["ls"] } }],
    ["a local shell without a call_id", { type: "local_shell_call", id: "x", action: {} }, { id: "x", name: "local_shell", input: {} }],
    ["a patch", { type: "apply_patch_call", call_id: "a", operation: { path: "p" } }, { id: "a", name: "apply_patch", input: { path: "p" } }],
    ["a computer", { type: "computer_call", id: "c", call_id: "a", action: { type: "click" } }, { id: "a", name: "computer", input: { type: "click" } }],
    ["a computer with several actions", { type: "computer_call", id: "c", call_id: "a", actions: [] }, { id: "a", name: "computer", input: { actions: [] } }],
    ["a search for tools", { type: "tool_search_call", call_id: "a", arguments: { goal: "g" } }, { id: "a", name: "tool_search", input: { goal: "g" } }],
    ["a request for approval", { type: "mcp_approval_request", id: "r", name: "rm", arguments: "{}" }, { id: "r", name: "rm", input: {} }],
    ["a call made by a program", { type: "function_call", call_id: "a", name: "b", arguments: "", caller: { type: "program", caller_id: "p" } }, { id: "a", name: "b", caller: { tool_id: "p" }, input: {} }],
    ["a call that nobody knows", { type: "hologram_call", call_id: "a" }, { id: "a", name: "hologram_call", input: {} }],
  ]; // prettier-ignore
  for (const [name, item, expected] of rows)
    it(`of ${name} is a tool_use`, () => assert.deepEqual(blocksOf(item), [{ type: "tool_use", ...(expected as object) }]));

  it("of a program is a pair that the provider runs", () => {
    assert.deepEqual(blocksOf({ type: "program", id: "p1", call_id: "p", code: "f()" }, { type: "program_output", id: "p2", call_id: "p" }), [
      { type: "server_tool_use", id: "p", name: "program", input: { code: "f()" } },
      { type: "program_tool_result", tool_use_id: "p" },
    ]);
  });

  it("that is only referred to takes its id from the output that answers it", () => {
    const items: readonly ResponseItem[] = [
      { type: "item_reference", id: "rs_1" },
      { id: "msg_1" },
      { id: "fc_1" },
      { type: "function_call", call_id: "b", name: "ls", arguments: "{}" },
      { type: "function_call_output", call_id: "b", output: "x" },
      { type: "function_call_output", call_id: "a", output: "y" },
    ];
    assert.deepEqual(seen(items)[0]?.content, [
      { type: "thinking", thinking: "" },
      { type: "item_reference" },
      { type: "tool_use", id: "a", name: "item_reference", input: {} },
      { type: "tool_use", id: "b", name: "ls", input: {} },
    ]);
  });
});

describe("an id that repeats, beside a call that is only referred to", () => {
  const output = (id: string): ResponseItem => ({ type: "function_call_output", call_id: id, output: "x" });
  const call = (id: string): ResponseItem => ({ type: "function_call", call_id: id, name: "ls", arguments: "{}" });
  const words: ResponseItem = { role: "user", content: "go on" };
  const said: ResponseItem = { type: "message", role: "assistant", content: "done" };
  /** The calls that the log knows: position and id. */
  const callsOf = (items: readonly ResponseItem[]): string[] =>
    openaiResponses
      .decode(items)
      .flatMap((message, position) => blocksOfMessage(message).flatMap((block) => (isToolUse(block) ? [`${position}:${block.id}`] : [])));

  const rows: readonly (readonly [string, readonly ResponseItem[], readonly string[]])[] = [
    // PALIMPSEST_SEED=222310200: the second output was an orphan of the log, and an edit of the reference left it without its call (C2).
    ["takes the output right after its response, not an older open call", [words, call("a"), words, { id: "fc_1" }, output("a"), said, output("a")], ["1:a", "3:a"]],
    ["leaves an output to the call of its own response", [words, call("a"), words, call("a"), { id: "fc_1" }, output("a"), output("b")], ["1:a", "3:a", "3:b"]],
    ["leaves the late output to the older call where another one answers no other", [words, call("a"), words, { id: "fc_1" }, output("a"), output("b")], ["1:a", "3:b"]],
    ["takes both, of two", [words, call("a"), words, { id: "fc_1" }, { id: "fc_2" }, output("a"), output("b")], ["1:a", "3:a", "3:b"]],
    ["leaves the late output where it may refer to something else", [words, call("a"), words, { id: "x_1" }, output("a")], ["1:a"]],
  ]; // prettier-ignore
  for (const [name, items, expected] of rows) it(name, () => assert.deepEqual(callsOf(items), expected));
});

describe("what the provider has run itself", () => {
  for (const item of [
    { type: "web_search_call", id: "ws_1" },
    { type: "mcp_call", id: "mcp_1", output: "x" },
    { type: "compaction", encrypted_content: "g" },
  ]) {
    it(`passes through: ${item.type}`, () => assert.equal(openaiResponses.decode([item])[0]?.content[0], item));
  }

  it("and a refusal, beside text of its message", () => {
    const content = [{ type: "refusal", refusal: "No." }, { type: "output_text", text: "Sorry." }]; // prettier-ignore
    assert.deepEqual(blocksOf({ type: "message", role: "assistant", content }), [
      { type: "refusal", refusal: "No." },
      { type: "text", text: "Sorry." },
    ]);
  });
});

describe("an output", () => {
  const screenshot = { type: "computer_screenshot", image_url: "data:" };
  const exit = { type: "exit", exit_code: 1 };
  const rows: readonly (readonly [string, ResponseItem, unknown])[] = [
    ["text", { type: "function_call_output", call_id: "a", output: "x" }, "x"],
    ["parts", { type: "function_call_output", call_id: "a", output: [{ type: "input_text", text: "x" }, { type: "input_image" }] }, [{ type: "text", text: "x" }, { type: "input_image" }]],
    ["what a shell printed", { type: "shell_call_output", call_id: "a", output: [{ stdout: "o", stderr: "e", outcome: exit }, { stdout: "", stderr: "", outcome: exit }, { stdout: "p", stderr: "", outcome: exit }] }, "o\ne\np"],
    ["what a local shell printed", { type: "local_shell_call_output", id: "a", output: "x" }, "x"],
    ["a screenshot", { type: "computer_call_output", call_id: "a", output: screenshot }, [screenshot]],
    ["a patch that says nothing", { type: "apply_patch_call_output", call_id: "a" }, undefined],
    ["an approval", { type: "mcp_approval_response", approval_request_id: "a" }, [{ type: "mcp_approval_response", approval_request_id: "a" }]],
    ["something that nobody knows", { type: "hologram_output", call_id: "a", output: 7 }, [{ type: "hologram_output", call_id: "a", output: 7 }]],
  ]; // prettier-ignore
  for (const [name, item, content] of rows)
    it(`of ${name} is a tool_result`, () =>
      assert.deepEqual(blocksOf(item), [{ type: "tool_result", tool_use_id: "a", ...(content === undefined ? {} : { content }) }]));

  it("without a call answers none", () => {
    assert.deepEqual(blocksOf({ type: "function_call_output", output: "x" }), [{ type: "tool_result", tool_use_id: "", content: "x" }]);
  });
});

describe("decode refuses", () => {
  const call = { type: "function_call", call_id: "a", name: "b", arguments: "{}" };
  for (const [name, value, path] of [
    ["what is not an array", "x", "input"],
    ["a hole", [ASK, ...new Array<unknown>(1)], "input.1"],
    ["what is not an object", [1], "input.0"],
    ["what is neither a message nor a reference", [{}], "input.0.id"],
    ["a role that is none", [{ role: "tool", content: "" }], "input.0.role"],
    ["a message without content", [ASK, { type: "message", role: "assistant", content: null }], "input.1.content"],
    ["a part without a type", [{ role: "user", content: [{}] }], "input.0.content.0"],
    ["a part without its text", [{ role: "user", content: [{ type: "input_text" }] }], "input.0.content.0.text"],
    ["a part of another format", [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] }], "input.0.content.0"],
    ["an item of another format", [{ type: "tool_use", id: "a" }], "input.0.type"],
    ["a type that is none", [{ type: 5 }], "input.0.type"],
    ["a call without its id", [{ ...call, call_id: undefined }], "input.0.call_id"],
    ["a call without a name", [{ ...call, name: null }], "input.0.name"],
    ["arguments that are an object", [{ ...call, arguments: {} }], "input.0.arguments"],
    ["a custom call without input", [{ type: "custom_tool_call", call_id: "a", name: "b" }], "input.0.input"],
    ["an output that is an object", [{ type: "function_call_output", call_id: "a", output: {} }], "input.0.output"],
    ["an output of a shell that is text", [{ type: "shell_call_output", call_id: "a", output: "x" }], "input.0.output"],
    ["a chunk without stderr", [{ type: "shell_call_output", call_id: "a", output: [{ stdout: "" }] }], "input.0.output.0"],
    ["a local shell without any id", [{ type: "local_shell_call", action: {} }], "input.0.call_id"],
    ["a summary that is text", [{ type: "reasoning", summary: "x" }], "input.0.summary"],
    ["reasoning with nothing among its content", [{ type: "reasoning", content: [null] }], "input.0.content.0"],
    ["a call_id that is a number", [{ type: "function_call_output", call_id: 5, output: "" }], "input.0.call_id"],
    ["a call_id that is a number, of an unknown item", [{ type: "hologram_call", call_id: 5 }], "input.0.call_id"],
    ["an approval of nothing", [{ type: "mcp_approval_response", approve: true }], "input.0.approval_request_id"],
  ] as const) {
    it(name, () => {
      assert.throws(
        () => openaiResponses.decode(value as never),
        (error) => PalimpsestError.isInstance(error) && error.code === "INVALID_INPUT" && error.data["path"] === path,
      );
    });
  }

  it("a result that is no output", () => {
    assert.throws(
      () => openaiResponses.decodeResult(ASK, "result"),
      (error) => PalimpsestError.isInstance(error) && error.data["path"] === "result.type",
    );
  });
});
