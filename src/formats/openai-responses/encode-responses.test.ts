import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepFreeze } from "../../../test/support/transcripts.ts";
import type { Change } from "../../edits/change.ts";
import type { Edit } from "../../edits/edit.ts";
import { blocksOf, textBlock } from "../../messages/message.ts";
import { forFormat } from "../for-format.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { ResponseItem } from "./response-item.ts";

const responses = forFormat(openaiResponses);

const ASK: ResponseItem = { role: "user", content: "Do it." };
const NEXT: ResponseItem = { role: "user", content: "And now?" };

function thought(id: string): ResponseItem {
  return { type: "reasoning", id, summary: [] };
}

function said(id: string, ...texts: readonly string[]): ResponseItem {
  return { type: "message", role: "assistant", id, content: texts.map((text) => ({ type: "output_text", text })) };
}

function call(id: string, callId: string): ResponseItem {
  return { type: "function_call", id, call_id: callId, name: "bash", arguments: '{"command":"ls"}' };
}

function output(callId: string, text = "out"): ResponseItem {
  return { type: "function_call_output", call_id: callId, output: text };
}

function idless(item: ResponseItem | undefined): ResponseItem {
  const { id: _, ...rest } = item ?? {};
  return rest;
}

function edit(change: Change): Edit {
  return { id: "1", pass: "test", reason: "r", madeAt: 2, tokensBefore: 0, tokensAfter: 0, ...change };
}

/** The items with one change shown in them. */
function changed(items: readonly ResponseItem[], change: Change): ResponseItem[] {
  return responses.render(deepFreeze(items), [edit(change)]);
}

/** The same objects, in the same order. */
function assertSame(items: readonly (ResponseItem | undefined)[], expected: readonly (ResponseItem | undefined)[]): void {
  assert.deepEqual(items, expected);
  items.forEach((item, number) => assert.equal(item, expected[number]));
}

describe("a response that was changed", () => {
  const response = [thought("rs_1"), said("msg_1", "One.", "Two."), call("fc_1", "a"), call("fc_2", "b")];
  const items = [ASK, ...response, output("a"), output("b"), said("msg_2", "Done."), NEXT];

  it("loses its reasoning, and its items their ids, but not those by which calls are answered (C3, C4)", () => {
    const view = changed(items, { kind: "replace-block", at: { position: 1, block: 4 }, text: "(a call)" });
    assert.deepEqual(view, [ASK, idless(items[2]), idless(items[3]), { role: "assistant", content: "(a call)" }, output("a"), idless(items[7]), NEXT]);
  });

  it("shows what is left of a message", () => {
    const view = changed(items, { kind: "replace-block", at: { position: 1, block: 1 }, text: "Zero." });
    assert.deepEqual(view.slice(1, 4), [{ role: "assistant", content: "Zero." }, idless(said("", "Two.")), idless(items[3])]);
  });

  it("has new arguments in a changed call, and the rest of it", () => {
    const view = changed(items, { kind: "replace-input", at: { position: 1, block: 3 }, input: { command: "…" } });
    assert.deepEqual(view.slice(1, 4), [idless(items[2]), { ...idless(items[3]), arguments: '{"command":"…"}' }, idless(items[4])]);
  });

  it("keeps its ids where it never had reasoning", () => {
    const plain = [ASK, said("msg_1", "One.", "Two."), call("fc_1", "a"), output("a"), NEXT];
    const view = changed(plain, { kind: "replace-block", at: { position: 1, block: 0 }, text: "Zero." });
    assert.deepEqual(view.slice(1, 3), [{ role: "assistant", content: "Zero." }, idless(said("", "Two."))]);
    assertSame(view.slice(3), plain.slice(2));
  });

  it("loses both of two thoughts, and every id after the first", () => {
    const twice = [ASK, said("msg_0", "Zero."), thought("rs_1"), said("msg_1", "One."), thought("rs_2"), call("fc_1", "a"), output("a"), NEXT];
    const view = changed(twice, { kind: "replace-input", at: { position: 1, block: 4 }, input: {} });
    assert.deepEqual(view, [ASK, twice[1], idless(twice[3]), { ...idless(twice[5]), arguments: "{}" }, output("a"), NEXT]);
    assert.equal(view[1], twice[1]);
  });

  it("keeps the reasoning of what cannot be without its id, where it was", () => {
    const search: ResponseItem = { type: "web_search_call", id: "ws_1" };
    const searched = [ASK, thought("rs_1"), said("msg_1", "One."), search, thought("rs_2"), said("msg_2", "Two."), said("msg_3", "Three."), NEXT];
    const view = changed(searched, { kind: "replace-block", at: { position: 1, block: 4 }, text: "2." });
    assert.deepEqual(view, [...searched.slice(0, 4), { role: "assistant", content: "2." }, idless(searched[6]), NEXT]);
    assertSame(view.slice(0, 4), searched.slice(0, 4));
    const stripped = changed(searched, { kind: "strip-blocks", at: [0, 3].map((block) => ({ position: 1, block })) });
    assert.deepEqual(stripped, [...searched.slice(0, 4), idless(searched[5]), idless(searched[6]), NEXT]);
  });

  it("has its reasoning once where a summary stands in the middle of it", () => {
    const search: ResponseItem = { type: "web_search_call", id: "ws_1" };
    const shell: ResponseItem = { type: "local_shell_call", id: "ls_1", call_id: "b", action: {} };
    const open = [ASK, thought("rs_1"), search, call("fc_1", "a"), shell];
    const view = changed(open, { kind: "replace-range", from: { position: 1, block: 2 }, to: { position: 1, block: 3 }, role: "user", summary: "S." });
    assertSame(view.toSpliced(3, 1), open.toSpliced(3, 1));
    assert.deepEqual(view[3], { role: "user", content: "S." });
  });

  it("keeps references with their reasoning", () => {
    const stored = [ASK, { id: "rs_1" }, { id: "fc_1" }, output("a"), { id: "rs_2" }, { id: "msg_2" }, NEXT];
    assertSame(changed(stored, { kind: "strip-blocks", at: [1, 3].map((position) => ({ position, block: 0 })) }), stored);
    assert.deepEqual(responses.collapseToolChains(stored, { collapseAfterTurns: 0 }), [
      ASK,
      { role: "assistant", content: "[Tool: item_reference | Result summarized — called 2 turns ago]" },
      ...stored.slice(4),
    ]);
  });
});

describe("a response that was not changed", () => {
  it("is the same objects, whatever happens to the outputs", () => {
    const items = [ASK, thought("rs_1"), call("fc_1", "a"), output("a", "x".repeat(900)), thought("rs_2"), call("fc_2", "b"), output("b"), NEXT];
    const { messages, compacted } = responses.compactOldToolResults(deepFreeze(items), { inputTokens: 50_000, onCompact: () => undefined });
    assert.equal(compacted, 1);
    assert.deepEqual(messages[3], { ...items[3], output: `${"x".repeat(500)}\n\n[truncated for context management]` });
    assertSame(messages.toSpliced(3, 1), items.toSpliced(3, 1));
  });

  it("is pruned with its reasoning", () => {
    const items = [ASK, thought("rs_1"), call("fc_1", "a"), output("a"), thought("rs_2"), said("msg_2", "Done."), NEXT];
    const [omitted, ...view] = responses.pruneMessages(items, { strategy: "sliding-window", maxTurns: 2 });
    assert.deepEqual(omitted, { role: "user", content: "[Earlier conversation omitted]" });
    assertSame(view, items.slice(4));
  });

  it("loses its ids if outputs part it from its reasoning, and that is gone (C4)", () => {
    const items = [ASK, thought("rs_1"), call("fc_1", "a"), output("a"), call("fc_2", "b"), output("b"), said("msg_2", "Done."), NEXT, said("msg_3", "No."), ASK];
    assertSame(changed(items, { kind: "replace-result", at: { position: 2, block: 0 }, callId: "a", form: "stub", content: "…" }).toSpliced(3, 1), items.toSpliced(3, 1));
    const view = responses.collapseToolChains(items, { collapseAfterTurns: 5 });
    assert.deepEqual(view.slice(2, 5), [idless(items[4]), output("b"), idless(items[6])]);
    assertSame(view.slice(5), items.slice(7));
  });

  it("loses them there also if it was changed itself", () => {
    const items = [ASK, thought("rs_1"), call("fc_1", "a"), output("a"), said("msg_2", "Well."), call("fc_2", "b"), output("b"), NEXT];
    const view = responses.render(items, [
      edit({ kind: "strip-blocks", at: [{ position: 1, block: 0 }] }),
      edit({ kind: "replace-block", at: { position: 3, block: 0 }, text: "…" }),
    ]);
    assert.deepEqual(view.slice(1, 5), [idless(items[2]), output("a"), { role: "assistant", content: "…" }, idless(items[5])]);
  });
}); // prettier-ignore

describe("a call that is only referred to", () => {
  // PALIMPSEST_SEED=222310200, case 27: the output was taken for that of the older call, and stood in the view without its own.
  it("goes with its own output, where nobody answered an older call with its id (C2)", () => {
    const items = [ASK, call("fc_1", "a"), NEXT, { id: "fc_2" }, output("a", "of the reference"), said("msg_1", "Done."), output("a", "late"), ASK];
    const view = changed(items, { kind: "replace-range", from: { position: 3, block: 0 }, to: { position: 4, block: 0 }, role: "user", summary: "Looked." });
    assert.deepEqual(view.flatMap((item) => (item.type === "function_call_output" ? [item.output] : [])), ["late"]); // prettier-ignore
    assert.deepEqual(responses.checkMessages(view, { history: true }), []);
  });
});

describe("calls and outputs of a kind of their own", () => {
  const exit = { type: "exit", exit_code: 1 };
  const rows: readonly (readonly [string, ResponseItem, Record<string, unknown>, ResponseItem])[] = [
    ["custom tool", { type: "custom_tool_call", id: "i", call_id: "a", name: "patch", input: "old" }, { input: "new" }, { type: "custom_tool_call", call_id: "a", name: "patch", input: "new" }],
    ["custom tool that gets no text", { type: "custom_tool_call", call_id: "a", name: "patch", input: "old" }, { x: 1 }, { type: "custom_tool_call", call_id: "a", name: "patch", input: '{"x":1}' }],
    ["shell", { type: "shell_call", id: "i", call_id: "a", action: { commands: ["ls"], timeout_ms: null } }, { commands: ["…"], cwd: "/" }, { type: "shell_call", call_id: "a", action: { commands: ["…"], timeout_ms: null } }],
    ["shell that gets another tool's input", { type: "shell_call", call_id: "a", action: { commands: ["ls"] } }, { commands: "ls" }, { type: "shell_call", call_id: "a", action: { commands: ["ls"] } }],
    ["patch", { type: "apply_patch_call", call_id: "a", operation: { type: "update_file", diff: "long" } }, { diff: "…" }, { type: "apply_patch_call", call_id: "a", operation: { type: "update_file", diff: "…" } }],
    ["search for tools", { type: "tool_search_call", call_id: "a", arguments: { goal: "long" } }, { goal: "…" }, { type: "tool_search_call", call_id: "a", arguments: { goal: "…" } }],
    ["computer, of which the provider has its own version", { type: "computer_call", id: "i", call_id: "a", action: {} }, { x: 1 }, { type: "computer_call", id: "i", call_id: "a", action: {} }],
  ]; // prettier-ignore
  for (const [name, item, input, expected] of rows) {
    it(`writes the changed call of a ${name}`, () => {
      assert.deepEqual(changed([ASK, item, output("a"), NEXT], { kind: "replace-input", at: { position: 1, block: 0 }, input })[1], expected);
    });
  }

  const cut = `${"x".repeat(4)}\n[truncated]`;
  const long = "x".repeat(99);
  const outputs: readonly (readonly [string, ResponseItem, unknown])[] = [
    ["function", output("a", long), cut],
    ["custom tool, in parts", { type: "custom_tool_call_output", call_id: "a", output: [{ type: "input_text", text: long, k: 1 }, { type: "input_image" }] }, [{ type: "input_text", text: cut, k: 1 }, { type: "input_image" }]],
    ["shell", { type: "shell_call_output", call_id: "a", output: [{ stdout: long, stderr: "e", outcome: {} }, { stdout: "", stderr: "", outcome: exit }] }, [{ stdout: cut, stderr: "", outcome: exit }]],
    ["local shell", { type: "local_shell_call_output", id: "a", output: long }, cut],
    ["patch", { type: "apply_patch_call_output", call_id: "a", output: long }, cut],
    ["tool that nobody knows", { type: "hologram_output", call_id: "a", output: long }, cut],
  ]; // prettier-ignore
  for (const [name, item, expected] of outputs) {
    it(`cuts the output of a ${name}`, () => {
      assert.deepEqual(responses.compressToolResult(deepFreeze(item), { maxToolResultTokens: 1 }), { ...item, output: expected });
      assert.equal(responses.compressToolResult(item), item);
    });
  }

  for (const item of [
    { type: "computer_call_output", call_id: "a", output: { type: "computer_screenshot" } },
    { type: "tool_search_output", call_id: "a", tools: [] },
  ]) {
    it(`writes no text over a ${item.type}, which the provider would not take`, () => {
      const items = [ASK, { type: "computer_call", id: "c", call_id: "a" }, item, NEXT];
      assertSame(changed(items, { kind: "replace-result", at: { position: 2, block: 0 }, callId: "a", form: "stub", content: "(seen)" }), items);
    });
  }

  it("puts no block of another format into an output, and leaves none empty", () => {
    const items = [ASK, call("fc_1", "a"), { ...output("a"), id: "fco_1" }, NEXT];
    const replaced = (content: string | { type: string }[]): ResponseItem | undefined =>
      changed(items, { kind: "replace-result", at: { position: 2, block: 0 }, callId: "a", form: "custom", content })[2];
    const parts = [{ type: "input_text", text: "seen" }, { type: "input_text", text: "[image]" }]; // prettier-ignore
    assert.deepEqual(replaced([textBlock("seen"), { type: "image" }]), { ...output("a"), output: parts });
    assert.deepEqual(replaced([]), output("a", "[empty]"));
  });
});

describe("the user's words", () => {
  it("stay a string where they were one, and parts where they were parts", () => {
    const image = { type: "input_image", image_url: "data:" };
    const parts: ResponseItem = { type: "message", role: "user", id: "msg_9", content: [{ type: "input_text", text: "Look." }, image, { type: "input_text", text: "Well?" }] }; // prettier-ignore
    const view = responses.render(deepFreeze([ASK, said("msg_1", "OK."), parts]), [
      edit({ kind: "replace-block", at: { position: 0, block: 0 }, text: "Do." }),
      edit({ kind: "replace-block", at: { position: 2, block: 0 }, text: "See." }),
    ]);
    assert.deepEqual(view[0], { role: "user", content: "Do." });
    assert.deepEqual(view[2], { type: "message", role: "user", content: [{ type: "input_text", text: "See." }, image, { type: "input_text", text: "Well?" }] }); // prettier-ignore
  });

  it("come after the outputs", () => {
    const log = openaiResponses.decode([ASK, call("fc_1", "a"), output("a")]);
    const last = log[2];
    if (last === undefined || typeof last.content === "string") assert.fail("no outputs");
    const view = openaiResponses.encode([...log.slice(0, 2), { ...last, content: [textBlock("Wait."), ...last.content, textBlock("<checkpoint:aaaaaa>")] }]);
    assert.deepEqual(view.slice(2), [output("a"), { role: "user", content: "Wait.\n\n<checkpoint:aaaaaa>" }]);
  });
});

describe("what was never an item", () => {
  it("is written as one", () => {
    const view = openaiResponses.encode([
      { role: "system", content: "Be brief." },
      { role: "assistant", content: [{ type: "thinking", thinking: "hm" }, textBlock("Let me look."), { type: "tool_use", id: "a", name: "ls", input: { path: "." } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] },
      { role: "assistant", content: "Done." },
    ]); // prettier-ignore
    assert.deepEqual(view, [
      { role: "system", content: "Be brief." },
      { role: "assistant", content: "Let me look." },
      { type: "function_call", call_id: "a", name: "ls", arguments: '{"path":"."}' },
      { type: "function_call_output", call_id: "a", output: "[empty]" },
      { role: "assistant", content: "Done." },
    ]);
  });

  it("loses its id and its reasoning inside another response", () => {
    const log = openaiResponses.decode([said("msg_1", "One."), NEXT, thought("rs_2"), call("fc_2", "a"), output("a")]);
    const content = [log[0], log[2]].flatMap((message) => (message === undefined ? [] : blocksOf(message)));
    const view = openaiResponses.encode([{ ...log[0], role: "assistant", content }]);
    assert.deepEqual(view, [said("msg_1", "One."), idless(call("", "a"))]);
  });
});

describe("the head", () => {
  it("is neither counted nor taken out, instructions and tools alike", () => {
    const head: readonly ResponseItem[] = [{ role: "developer", content: "You are an agent." }, { type: "additional_tools", role: "developer" }]; // prettier-ignore
    const items = [...head, ASK, said("msg_1", "Done."), NEXT];
    assertSame(responses.pruneMessages(items, { strategy: "sliding-window", maxTurns: 1 }), [...head, NEXT]);
  });
});
