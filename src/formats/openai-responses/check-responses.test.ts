import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CheckOptions } from "../codec.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { ResponseItem } from "./response-item.ts";

const ASK: ResponseItem = { role: "user", content: "Do it." };
const RS: ResponseItem = { type: "reasoning", id: "rs_X", summary: [] };
const SEALED: ResponseItem = { type: "reasoning", summary: [], encrypted_content: "gAAA" };
const MSG: ResponseItem = { type: "message", role: "assistant", id: "msg_X", content: [{ type: "output_text", text: "Done." }] };
const EASY: ResponseItem = { role: "assistant", content: "Done." };

function call(id: string, type = "function_call"): ResponseItem {
  return { type, call_id: id, name: "bash", arguments: "{}", input: "" };
}

function output(id: string, type = "function_call_output"): ResponseItem {
  return { type, call_id: id, output: type === "shell_call_output" ? [] : "x" };
}

type Row = readonly [rule: string, path: string, message: string, items: readonly ResponseItem[], options?: CheckOptions];

const REFUSED: readonly Row[] = [
  ["C1", "input.1", "No tool output found for function call call_X.", [ASK, call("call_X"), ASK]],
  ["C1", "input.2", "No tool output found for function call b.", [ASK, call("a"), call("b"), output("a")]],
  ["C1", "input.1", "No tool output found for custom tool call a.", [ASK, call("a", "custom_tool_call")]],
  ["C1", "input.1", "No tool output found for local shell call a.", [ASK, call("a", "local_shell_call")]],
  ["C1", "input.1", "No tool output found for shell call a.", [ASK, call("a", "shell_call")]],
  ["C1", "input.1", "No tool output found for apply patch call a.", [ASK, call("a", "apply_patch_call")]],
  ["C1", "input.1", "No tool output found for computer call a.", [ASK, call("a", "computer_call")]],
  ["C1", "input.1", "No tool output found for tool search call a.", [ASK, call("a", "tool_search_call")]],
  ["C1", "input.0", "No tool output found for function call a.", [call("a"), ASK], { history: true }],
  ["C2", "input.1", "No tool call found for function call output with call_id call_X.", [ASK, output("call_X")]],
  ["C2", "input.3", "No tool call found for function call output with call_id a.", [ASK, call("a"), output("a"), output("a")]],
  ["C2", "input.0", "No tool call found for custom tool call output with call_id a.", [output("a", "custom_tool_call_output")]],
  ["C2", "input.0", "No tool call found for shell call output with call_id a.", [output("a", "shell_call_output")]],
  ["C2", "input.0", "No tool call found for local shell call output with call_id a.", [{ type: "local_shell_call_output", id: "a", output: "" }]],
  ["C3", "input.1", "Item 'rs_X' of type 'reasoning' was provided without its required following item.", [ASK, RS, ASK]],
  ["C3", "input.1", "Item 'rs_X' of type 'reasoning' was provided without its required following item.", [ASK, RS]],
  ["C3", "input.2", "Item 'rs_X' of type 'reasoning' was provided without its required following item.", [ASK, call("a"), RS, output("a")]],
  ["C3", "input.2", "Item 'rs_X' of type 'reasoning' was provided without its required following item.", [ASK, { ...RS, id: "rs_0" }, RS, ASK]],
  ["C3", "input.1", "Item 'rs_X' of type 'reasoning' was provided without its required following item.", [ASK, RS, EASY]],
  ["C4", "input.2", "Item 'msg_X' of type 'message' was provided without its required 'reasoning' item.", [ASK, { type: "reasoning", summary: [] }, MSG]],
  ["C5", "input.1", "Item with id 'rs_X' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.", [ASK, RS, MSG], { store: false }],
  ["C5", "input.1", "Item with id 'msg_X' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.", [ASK, { id: "msg_X" }], { store: false }],
  ["C6", "input.1", "Input[1] missing required field summary", [ASK, { type: "reasoning", encrypted_content: "gAAA" }, EASY]],
]; // prettier-ignore

type GoodRow = readonly [name: string, items: readonly ResponseItem[], options?: CheckOptions];

const ACCEPTED: readonly GoodRow[] = [
  ["nothing at all", []],
  ["outputs in another order, and far away", [ASK, call("a"), call("b"), output("b"), ASK, output("a")]],
  ["call, output, call, output", [ASK, RS, { ...call("a"), id: "fc_1" }, output("a"), { ...call("b"), id: "fc_2" }, output("b")]],
  ["a call answered by another kind of output", [ASK, call("a", "local_shell_call"), output("a")]],
  ["an id that is called twice and answered twice", [call("a"), output("a"), call("a"), output("a")]],
  ["an open last round of a history", [ASK, call("a"), call("b"), output("a")], { history: true }],
  ["an open last round that begins a history", [call("a")], { history: true }],
  ["a history that ends in reasoning", [ASK, RS], { history: true }],
  ["a call that runs while the model goes on", [ASK, { ...call("a"), async: true }, EASY, ASK]],
  ["an output without a call_id", [ASK, { type: "function_call_output", output: "x" }]],
  ["an output whose call may be a reference", [ASK, { id: "fc_1" }, output("a")]],
  ["a call of an unknown type, which the provider may answer itself", [ASK, { type: "hologram_call", call_id: "a" }]],
  ["an output of an unknown type, whose call the provider may know", [ASK, { type: "hologram_output", call_id: "a" }]],
  ["an unknown item between a call and its output", [ASK, call("a"), { type: "hologram" }, output("a")]],
  ["reasoning twice in a response", [ASK, RS, MSG, { ...RS, id: "rs_Y" }, { ...call("a"), id: "fc_1" }, output("a")]],
  ["reasoning after reasoning", [ASK, { ...RS, id: "rs_0" }, RS, MSG]],
  ["sealed reasoning before items without ids", [ASK, { ...RS, encrypted_content: "gAAA" }, EASY]],
  ["sealed reasoning without an id", [ASK, SEALED, MSG]],
  ["reasoning without an id, of which nothing is known", [ASK, SEALED, ASK]],
  ["an id after no reasoning: it may never have had one", [ASK, MSG]],
  ["an id after reasoning without one, where nothing is stored", [ASK, { type: "reasoning", summary: [] }, MSG], { store: false }],
  ["ids of items that are sent in full, where nothing is stored", [ASK, { ...RS, encrypted_content: "gAAA" }, MSG], { store: false }],
];

describe("check", () => {
  for (const [rule, path, message, items, options] of REFUSED) {
    it(`finds ${rule} at ${path} of ${items.map(({ type, role }) => type ?? role ?? "reference").join(", ")}`, () => {
      assert.deepEqual(openaiResponses.check(items, options), [{ rule, path, message }]);
    });
  }

  for (const [name, items, options] of ACCEPTED) it(`accepts ${name}`, () => assert.deepEqual(openaiResponses.check(items, options), []));

  it("refuses an option that it does not know", () => {
    assert.throws(
      () => openaiResponses.check([], { stored: false } as CheckOptions),
      (error) => PalimpsestError.isInstance(error) && error.code === "INVALID_OPTION" && error.data["path"] === "options.stored",
    );
  });
});
