import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asked, call, output, question, type Json } from "../../../test/support/formats/build-responses.ts";
import type { PlayedAnswer, Protocol, Turn } from "../protocol.ts";
import { createResponsesProtocol } from "./responses-protocol.ts";

type Item = Json & { readonly id: string };

function startProtocol(): Protocol {
  let made = 0;
  return createResponsesProtocol({
    tokensOf: (piece) => Math.ceil(JSON.stringify(piece).length / 4),
    windowTokens: 100_000,
    newId: (prefix) => `${prefix}${++made}`,
  });
}

const outputOf = ({ json }: PlayedAnswer): Item[] => json["output"] as Item[];
const idOf = ({ json }: PlayedAnswer): string => json["id"] as string;

interface Expected {
  readonly rule: string;
  readonly message: string;
  readonly status?: number;
  readonly param?: string | null;
  readonly code?: string | null;
}

function assertRefused(protocol: Protocol, body: Json, { rule, message, status = 400, param = "input", code = null }: Expected): void {
  const error = { message, type: "invalid_request_error", param, code };
  assert.deepEqual(protocol.check(body, {}), { rule, status, body: { error } });
}

function assertAccepted(protocol: Protocol, body: Json): void {
  assert.equal(protocol.check(body, {}), undefined);
}

const KINDS: readonly (readonly [words: string, call: Json, output: Json])[] = [
  ["function call", call("c"), output("c")],
  ["custom tool call", { type: "custom_tool_call", call_id: "c", name: "patch", input: "" }, { type: "custom_tool_call_output", call_id: "c", output: "" }],
  [
    "local shell call",
    { type: "local_shell_call", id: "lsh_1", call_id: "c", action: { type: "exec", command: ["ls"], env: {} } },
    { type: "local_shell_call_output", id: "c", output: "" },
  ],
  ["shell call", { type: "shell_call", call_id: "c", action: { commands: ["ls"] } }, { type: "shell_call_output", call_id: "c", output: [] }],
  [
    "apply patch call",
    { type: "apply_patch_call", call_id: "c", operation: { type: "delete_file", path: "a" } },
    { type: "apply_patch_call_output", call_id: "c", status: "completed" },
  ],
  ["computer call", { type: "computer_call", id: "cu_1", call_id: "c" }, { type: "computer_call_output", call_id: "c", output: {} }],
  [
    "tool search call",
    { type: "tool_search_call", call_id: "c", execution: "client", arguments: {} },
    { type: "tool_search_output", call_id: "c", execution: "client", tools: [] },
  ],
];

describe("checkResponsesRequest: calls and outputs", () => {
  for (const [words, made, answered] of KINDS) {
    it(`${words}: C1, C2, C7`, () => {
      const protocol = startProtocol();
      assertAccepted(protocol, asked(question, made, answered));
      assertAccepted(protocol, asked(question, made, question, answered));
      assertRefused(protocol, asked(question, made), { rule: "C1", message: `No tool output found for ${words} c.` });
      assertRefused(protocol, asked(question, answered), { rule: "C2", message: `No tool call found for ${words} output with call_id c.` });
      assertRefused(protocol, asked(question, made, answered, answered), { rule: "C2", message: `No tool call found for ${words} output with call_id c.` });
    });
  }

  it("C1: an output before its call does not answer it, nor does one of another kind", () => {
    const message = "No tool output found for function call c.";
    assertRefused(startProtocol(), asked(question, output("c"), call("c")), { rule: "C1", message });
    assertRefused(startProtocol(), asked(question, call("c"), { ...output("c"), type: "custom_tool_call_output" }), { rule: "C1", message });
    assertRefused(startProtocol(), asked(question, call("d"), call("c"), output("d")), { rule: "C1", message });
  });

  it("what the provider runs, or does not wait for, needs no output", () => {
    const search = { type: "tool_search_call", call_id: null, execution: "server", arguments: {} };
    const found = { type: "tool_search_output", call_id: null, execution: "server", tools: [] };
    assertAccepted(startProtocol(), asked(question, search, found, { type: "web_search_call", id: "ws_1", action: { type: "search" } }));
    assertAccepted(startProtocol(), asked(question, call("c", { async: true }), question));
  });
});

const THOUGHT: Turn = { thinking: "Hm.", text: "Hello." };
const STEP: Turn = { thinking: "Hm.", calls: [{ name: "read", input: { path: "a" } }] };

/** A double that has answered once, the request, and what it gave. */
function answered(turn: Turn, body: Json = {}): { readonly protocol: Protocol; readonly answer: PlayedAnswer; readonly items: readonly Item[] } {
  const protocol = startProtocol();
  const answer = protocol.answer({ ...asked(question), ...body }, turn, 0);
  return { protocol, answer, items: outputOf(answer) };
}

const without = (item: Json | undefined, ...fields: string[]): Json =>
  Object.fromEntries(Object.entries(item ?? {}).filter(([name]) => !fields.includes(name)));

describe("checkResponsesRequest: reasoning that is stored", () => {
  it("is taken back with what it led to, in full or by reference", () => {
    const { protocol, items } = answered(THOUGHT);
    assertAccepted(protocol, asked(question, ...items, question));
    assertAccepted(protocol, asked(question, ...items.map(({ id }) => ({ type: "item_reference", id })), question));
    assertAccepted(protocol, asked(question, ...items.map(({ id }) => ({ id })), question));
    assertAccepted(protocol, asked(question, without(items[1], "id"), question));
  });

  it("C3: reasoning without what it led to", () => {
    const { protocol, items } = answered(THOUGHT);
    const [reasoning, message] = items;
    const expected = { rule: "C3", message: `Item '${reasoning?.id ?? ""}' of type 'reasoning' was provided without its required following item.` };
    assertRefused(protocol, asked(question, reasoning ?? {}), expected);
    assertRefused(protocol, asked(question, reasoning ?? {}, question, message ?? {}), expected);
    assertRefused(protocol, asked(question, reasoning ?? {}, without(message, "id")), expected);
    const other = outputOf(protocol.answer(asked(question), { text: "Other." }, 0));
    assertRefused(protocol, asked(question, reasoning ?? {}, ...other), expected);
  });

  it("C3: thought that the length cut off", () => {
    const { protocol, items } = answered({ thinking: "Hm", stop: "length" });
    assert.deepEqual(
      items.map(({ type }) => type),
      ["reasoning"],
    );
    assert.equal(protocol.check(asked(question, ...items, question), {})?.rule, "C3");
  });

  it("C4: a message or a call without its reasoning", () => {
    const { protocol, items } = answered(THOUGHT);
    const id = items[1]?.id ?? "";
    const expected = { rule: "C4", message: `Item '${id}' of type 'message' was provided without its required 'reasoning' item.` };
    assertRefused(protocol, asked(question, items[1] ?? {}, question), expected);
    assertRefused(protocol, asked(question, { type: "item_reference", id }, question), expected);
    const step = answered(STEP);
    const callId = step.items[1]?.id ?? "";
    assertRefused(step.protocol, asked(question, step.items[1] ?? {}, output("call_1")), {
      rule: "C4",
      message: `Item '${callId}' of type 'function_call' was provided without its required 'reasoning' item.`,
    });
    assertAccepted(step.protocol, { ...asked(question, step.items[1] ?? {}, output("call_1")), store: false });
  });
});

const FORGOTTEN = "Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.";

describe("checkResponsesRequest: reasoning that is not stored", () => {
  it("C5: is not found by its id", () => {
    const { protocol, items } = answered(THOUGHT, { store: false });
    const id = items[0]?.id ?? "";
    const expected = { rule: "C5", message: `Item with id '${id}' not found. ${FORGOTTEN}`, status: 404 };
    assertRefused(protocol, { ...asked(question, ...items, question), store: false }, expected);
    assertRefused(protocol, asked(question, ...items, question), expected);
    assertRefused(protocol, { ...asked(question, { type: "item_reference", id }, question), store: false }, expected);
    assertAccepted(protocol, { ...asked(question, items[1] ?? {}, question), store: false });
  });

  it("C5: nor is an id that was never given out", () => {
    const made = { type: "reasoning", id: "rs_x", summary: [] };
    assertRefused(startProtocol(), asked(question, made, question), { rule: "C5", message: "Item with id 'rs_x' not found.", status: 404 });
    assertRefused(
      startProtocol(),
      { ...asked(question, made, question), store: false },
      { rule: "C5", message: `Item with id 'rs_x' not found. ${FORGOTTEN}`, status: 404 },
    );
  });

  const ENCRYPTED = { store: false, include: ["reasoning.encrypted_content"] };

  it("C6: is taken back encrypted, as it was given out", () => {
    const { protocol, items } = answered(THOUGHT, ENCRYPTED);
    const [reasoning, message] = items;
    const body = (...given: Json[]): Json => ({ ...asked(question, ...given, question), ...ENCRYPTED });
    assertAccepted(protocol, body(...items));
    assertAccepted(protocol, body(without(reasoning, "id"), without(message, "id")));
    const changed = { rule: "C6", message: "The encrypted content gAAA...AAB9 could not be verified.", param: null, code: "invalid_encrypted_content" };
    assertRefused(protocol, body({ ...reasoning, encrypted_content: "gAAAAAB9" }, message ?? {}), changed);
    const moved = { ...changed, message: "The encrypted content gAAA...AAB2 could not be verified." };
    assertRefused(protocol, body({ ...reasoning, id: "rs_other" }, message ?? {}), moved);
    assertRefused(protocol, body(without(reasoning, "summary"), message ?? {}), {
      rule: "C6",
      message: "Input[1] missing required field summary",
      param: "input[1].summary",
    });
  });

  it("C3: also encrypted, where nothing of the model follows", () => {
    const { protocol, items } = answered(THOUGHT, ENCRYPTED);
    assert.equal(protocol.check({ ...asked(question, items[0] ?? {}, question), store: false }, {})?.rule, "C3");
    assertAccepted(protocol, { ...asked(question, items[0] ?? {}, without(items[1], "id"), question), store: false });
  });

  it("C10: is taken back under another prefix without a word", () => {
    const { protocol, items } = answered(THOUGHT, ENCRYPTED);
    assertAccepted(protocol, { ...asked({ role: "user", content: "Something else." }, ...items, question), ...ENCRYPTED });
  });
});

describe("checkResponsesRequest: going on from a response", () => {
  it("reads, pairs and counts with what is remembered", () => {
    const { protocol, answer } = answered(STEP);
    const next = { model: "gpt-5", previous_response_id: idOf(answer), input: [output("call_1")] };
    assertAccepted(protocol, next);
    assertRefused(protocol, { ...next, input: "And now?" }, { rule: "C1", message: "No tool output found for function call call_1." });
    assert.deepEqual(
      protocol.read(next, 1).messages.map(({ role, text, calls, results }) => [role, text, calls.length, results.length]),
      [
        ["user", "What is in a.txt?", 0, 0],
        ["assistant", "", 1, 0],
        ["user", "", 0, 1],
      ],
    );
    const second = protocol.answer(next, { text: "It is empty." }, 0);
    const third = protocol.read({ model: "gpt-5", previous_response_id: idOf(second), input: "Thanks." }, 2);
    assert.deepEqual(
      third.messages.map(({ text }) => text),
      ["What is in a.txt?", "", "", "It is empty.", "Thanks."],
    );
  });

  it("refuses what it does not know, and what is said twice", () => {
    const { protocol, answer } = answered(THOUGHT, { store: false });
    const unknown = (id: string): Expected => ({
      rule: "previous_response_id",
      message: `Previous response with id '${id}' not found.`,
      param: "previous_response_id",
      code: "previous_response_not_found",
    });
    assertRefused(protocol, { ...asked(question), previous_response_id: "resp_x" }, unknown("resp_x"));
    assertRefused(protocol, { ...asked(question), previous_response_id: idOf(answer) }, unknown(idOf(answer)));
    assertRefused(
      protocol,
      { ...asked(question), previous_response_id: "resp_x", conversation: "conv_1" },
      {
        rule: "C8",
        message: "Mutually exclusive parameters: Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
        param: null,
        code: "mutually_exclusive_parameters",
      },
    );
    assertRefused(
      protocol,
      { ...asked(question), conversation: { id: "conv_1" } },
      {
        rule: "conversation",
        message: "Conversation with id 'conv_1' not found.",
        status: 404,
        param: "conversation",
      },
    );
  });

  it("refuses an item that is remembered already", () => {
    const { protocol, answer, items } = answered({ text: "Hello." });
    assertRefused(
      protocol,
      { ...asked(...items, question), previous_response_id: idOf(answer) },
      {
        rule: "duplicate",
        message: `Duplicate item found with id ${items[0]?.id ?? ""}. Remove duplicate items from your input and try again.`,
      },
    );
  });
});
