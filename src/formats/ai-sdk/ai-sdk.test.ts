import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answers, asks, assistant, call, message, part, res, search, text, tool } from "../../../test/support/formats/build-ai-sdk.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import type { Change } from "../../edits/change.ts";
import { makeEdit, type Edit } from "../../edits/edit.ts";
import type { Message } from "../../messages/message.ts";
import { forFormat } from "../for-format.ts";
import type { AiMessage, AiPart, AiToolResult } from "./ai-message.ts";
import { aiSdk } from "./ai-sdk.ts";

const q = message("user", "q");

const functions = forFormat(aiSdk);

/** As JSON shows it: without the marks of where it comes from. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The view of a log with one edit, made at its end. */
function edited(log: readonly AiMessage[], change: Change, target: object = { bindsThinking: false }): AiMessage[] {
  return functions.render(log, [placed(log, change)], target);
}

function placed(log: readonly AiMessage[], change: Change): Edit {
  return makeEdit({ pass: "test", reason: "test", madeAt: aiSdk.decode(log).length, tokensBefore: 0, tokensAfter: 0, ...change });
}

const DECODED: readonly (readonly [name: string, log: readonly AiMessage[], decoded: readonly unknown[]])[] = [
  [
    "a head",
    [message("system", "You are an agent."), q],
    [
      { role: "system", content: "You are an agent." },
      { role: "user", content: "q" },
    ],
  ],
  [
    "parts of the user, as they are",
    [message("user", [text("look"), part("image", { image: "aWM=" }), part("file", { data: "aWM=", mediaType: "image/png" })])],
    [{ role: "user", content: [text("look"), part("image", { image: "aWM=" }), part("file", { data: "aWM=", mediaType: "image/png" })] }],
  ],
  [
    "reasoning, text and a call",
    [assistant(part("reasoning", { text: "hm", providerOptions: { anthropic: { signature: "s" } } }), text("I look."), call("a")), tool(res("a"))],
    [
      {
        role: "assistant",
        content: [{ type: "thinking", thinking: "hm" }, text("I look."), { type: "tool_use", id: "a", name: "read", input: { path: "a" } }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "ok" }] },
    ],
  ],
  [
    "a tool that the provider runs, kept with its result (A3.1)",
    [assistant(search("s"), res("s", { type: "json", value: [1] }), text("Found."))],
    [
      {
        role: "assistant",
        content: [
          { type: "server_tool_use", id: "s", name: "read", input: { path: "a" } },
          { type: "provider_tool_result", tool_use_id: "s", content: "[1]" },
          text("Found."),
        ],
      },
    ],
  ],
  [
    "a call that a program of the provider made (A3.3)",
    [assistant(call("a", { providerOptions: { anthropic: { caller: { type: "code_execution_20250825", toolId: "s" } } } }))],
    [{ role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: { path: "a" }, caller: { tool_id: "s" } }] }],
  ],
  [
    "one turn's results in several messages",
    [assistant(call("a"), call("b")), tool(res("a")), tool(res("b")), q],
    [
      { role: "assistant", content: ["a", "b"].map((id) => ({ type: "tool_use", id, name: "read", input: { path: "a" } })) },
      { role: "user", content: ["a", "b"].map((id) => ({ type: "tool_result", tool_use_id: id, content: "ok" })) },
      { role: "user", content: "q" },
    ],
  ],
  [
    "what there is no block for",
    [
      assistant(
        part("file", { data: "aWM=", mediaType: "image/png" }),
        part("reasoning-file", { data: "aWM=" }),
        part("custom", { kind: "x.y" }),
        asks("p", "gone"),
      ),
    ],
    [
      {
        role: "assistant",
        content: [
          part("file", { data: "aWM=", mediaType: "image/png" }),
          part("reasoning-file", { data: "aWM=" }),
          part("custom", { kind: "x.y" }),
          asks("p", "gone"),
        ],
      },
    ],
  ],
  [
    "an approval, as a part of its call and its result",
    [assistant(call("a"), call("b"), asks("p", "a")), tool(answers("p")), tool(res("a"), res("b"))],
    [
      { role: "assistant", content: ["a", "b"].map((id) => ({ type: "tool_use", id, name: "read", input: { path: "a" } })) },
      { role: "user", content: ["a", "b"].map((id) => ({ type: "tool_result", tool_use_id: id, content: "ok" })) },
    ],
  ],
  [
    "an approval whose tool has not run yet",
    [assistant(call("a"), asks("p", "a")), tool(answers("p"))],
    [
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: { path: "a" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] },
    ],
  ],
  [
    "an approval for the provider: the client answers it, so the call is the client's",
    [assistant(search("s"), asks("p", "s")), tool(answers("p", { providerExecuted: true })), assistant(search("s"), res("s"), text("Done."))],
    [
      { role: "assistant", content: [{ type: "tool_use", id: "s", name: "read", input: { path: "a" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "s" }] },
      {
        role: "assistant",
        content: [
          { type: "server_tool_use", id: "s", name: "read", input: { path: "a" } },
          { type: "provider_tool_result", tool_use_id: "s", content: "ok" },
          text("Done."),
        ],
      },
    ],
  ],
];

describe("decode", () => {
  for (const [name, log, decoded] of DECODED) {
    test(name, () => {
      assert.deepEqual(plain(aiSdk.decode(log)), plain(decoded));
      aiSdk.encode(aiSdk.decode(log)).forEach((back, position) => assert.equal(back, log[position]));
    });
  }
});

const FILE = part("file", { mediaType: "image/png", data: { type: "data", data: "aWM=" } });
const OPTIONS = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };

/** What the model reads of an output, and how the output is written when "shorter" is to be read instead. */
const OUTPUTS: readonly (readonly [output: object, content: unknown, isError: boolean, shortened: object])[] = [
  [{ type: "text", value: "long" }, "long", false, { type: "text", value: "shorter" }],
  [{ type: "text", value: "long", ...OPTIONS }, "long", false, { ...OPTIONS, type: "text", value: "shorter" }],
  [{ type: "json", value: { a: [1, null] } }, '{"a":[1,null]}', false, { type: "text", value: "shorter" }],
  [{ type: "json", value: undefined }, "null", false, { type: "text", value: "shorter" }],
  [{ type: "error-text", value: "long" }, "long", true, { type: "error-text", value: "shorter" }],
  [{ type: "error-json", value: { code: 1 } }, '{"code":1}', true, { type: "error-text", value: "shorter" }],
  [{ type: "execution-denied", reason: "Not now." }, "Not now.", false, { type: "execution-denied", reason: "shorter" }],
  [{ type: "execution-denied" }, "Tool execution denied.", false, { type: "execution-denied", reason: "shorter" }],
  [{ type: "content", value: [text("long"), FILE] }, [text("long"), FILE], false, { type: "text", value: "shorter" }],
  [{ type: "output-of-next-year" }, undefined, false, { type: "text", value: "shorter" }],
];

describe("the output of a tool", () => {
  for (const [output, content, isError, shortened] of OUTPUTS) {
    test(`${JSON.stringify(output)}: what the model reads, and what is written for it`, () => {
      const result = res("a", output, { providerOptions: { x: { y: 1 } } }) as AiToolResult;
      const block = aiSdk.decodeResult(result, "result");
      assert.deepEqual(block.content, content);
      assert.equal(block.is_error === true, isError);
      assert.equal(aiSdk.encodeResult(block), result);
      assert.deepEqual(aiSdk.encodeResult({ ...block, content: "shorter" }), { ...result, output: shortened });
    });
  }

  test("JSON is written down only where somebody reads it: most outputs nobody does", () => {
    const value = {
      toJSON() {
        throw new Error("written down");
      },
    };
    const log = [q, assistant(search("s"), res("s", { type: "json", value }), call("a")), tool(res("a", { type: "json", value })), q];
    const decoded = aiSdk.decode(log);
    assert.deepEqual(aiSdk.check(log), []);
    aiSdk.encode(decoded).forEach((back, position) => assert.equal(back, log[position]));
    assert.throws(() => functions.pruneMessages(log, { strategy: "sliding-window", maxTurns: 1 }), PalimpsestError);
  });

  test("blocks are written as content, and what the SDK has no part for is named", () => {
    const block = aiSdk.decodeResult(res("a") as AiToolResult, "result");
    const image = { type: "image", source: {} };
    assert.deepEqual(aiSdk.encodeResult({ ...block, content: [text("x"), FILE, image] }).output, {
      type: "content",
      value: [text("x"), FILE, text("[image]")],
    });
  });

  test("an error stays an error, though errors have no parts", () => {
    const block = aiSdk.decodeResult(res("a", { type: "error-text", value: "long" }) as AiToolResult, "result");
    assert.deepEqual(aiSdk.encodeResult({ ...block, content: [text("x"), text("y")] }).output, { type: "error-text", value: "x\ny" });
    assert.deepEqual(aiSdk.encodeResult({ ...block, content: [] }).output, { type: "error-text", value: "[empty]" });
  });

  test("text parts of content are cut, the others stay", () => {
    const result = res("a", { type: "content", value: [text("x".repeat(100), OPTIONS), FILE] }) as AiToolResult;
    const shown = functions.compressToolResult(result, { maxToolResultTokens: 1 });
    assert.deepEqual(shown.output, { type: "content", value: [text("xxxx\n[truncated]", OPTIONS), FILE] });
  });
});

describe("encode", () => {
  const OLD = [
    q,
    assistant(call("a"), call("b")),
    tool(res("a", { type: "text", value: "x".repeat(100) })),
    tool(res("b")),
    assistant(call("c")),
    tool(res("c")),
  ];

  test("only the part that changed is new", () => {
    const view = functions.compactOldToolResults(OLD, {
      inputTokens: 2,
      inputTokenBudget: 1,
      toolResultRetentionChars: 4,
      onCompact: () => undefined,
    }).messages;
    assert.deepEqual(view[2], tool(res("a", { type: "text", value: "xxxx\n\n[truncated for context management]" })));
    for (const position of [0, 1, 3, 4, 5]) assert.equal(view[position], OLD[position]);
  });

  test("what is said instead of a round stands in the assistant's message, and the message keeps its options", () => {
    const log = [q, { ...assistant(text("I look."), call("a")), ...OPTIONS }, tool(res("a")), assistant(text("x")), q];
    const view = functions.collapseToolChains(log, { collapseAfterTurns: 1 });
    const note = "[Tool: read | Result summarized — called 2 turns ago]";
    assert.deepEqual(view, [q, { ...assistant(text("I look."), text(note)), ...OPTIONS }, log[3], q]);
  });

  test("a message left with one text is a string, as new messages are", () => {
    const log = [q, assistant(call("a")), tool(res("a")), assistant(text("x")), q];
    assert.deepEqual(
      functions.collapseToolChains(log, { collapseAfterTurns: 1 })[1],
      message("assistant", "[Tool: read | Result summarized — called 2 turns ago]"),
    );
    const pruned = functions.pruneMessages(log, { strategy: "summarize", maxTurns: 1 });
    assert.deepEqual(pruned[0], message("user", "[Previous context summarized: 4 turns]"));
  });

  test("a string stays a string where only its text changes", () => {
    const log = [message("user", "go<system-reminder>r</system-reminder>", OPTIONS), assistant(text("x")), message("user", "<checkpoint:aaaaaa>")];
    const view = functions.compactThread([...log, assistant(text("y"))], [{ from: "aaaaaa", summary: "S." }]);
    assert.deepEqual(view[0], message("user", "go", OPTIONS));
  });

  test("the approval of a call that is taken out goes too", () => {
    const log = [
      q,
      assistant(text("I look."), call("a"), call("b"), asks("p", "a"), asks("o", "b")),
      tool(answers("p"), answers("o")),
      tool(res("b"), res("a")),
      q,
    ];
    const view = edited(log, { kind: "replace-block", at: { position: 1, block: 1 }, text: "I read a." });
    assert.deepEqual(view, [q, assistant(text("I look."), text("I read a."), call("b"), asks("o", "b")), tool(answers("o")), tool(res("b")), q]);
    assert.deepEqual(aiSdk.check(view), []);
    const none = functions.pruneMessages([...log, assistant(text("x")), q], { strategy: "sliding-window", maxTurns: 1 });
    assert.doesNotMatch(JSON.stringify(none), /approval/);
  });

  test("an approval that waits for its tool keeps its call", () => {
    const log = [q, assistant(text("x")), q, assistant(call("a"), asks("p", "a")), tool(answers("p"))];
    for (const strategy of ["sliding-window", "summarize", "importance"] as const) {
      const view = functions.pruneMessages(log, { strategy, maxTurns: 1 });
      assert.deepEqual(view.slice(-2), log.slice(-2));
      assert.deepEqual(aiSdk.check(view), []);
    }
  });

  test("nothing is put after an approval whose tool has yet to run, where the SDK would no longer run it (E1)", () => {
    const log = [q, assistant(call("a"), asks("p", "a"), text("May I?")), tool(answers("p"))];
    for (const role of ["user", "assistant"] as const) {
      const asked: Change = { kind: "replace-range", from: { position: 1, block: 1 }, to: { position: 2, block: 0 }, role, summary: "It asked." };
      assert.throws(() => edited(log, asked), { code: "LOOP_OPEN", data: { before: 2 }, message: /The call a was approved and has not run yet/ });
      assert.deepEqual(aiSdk.check(edited([...log, tool(res("a"))], asked)), []);
      const answered: Change = { kind: "replace-range", from: { position: 2, block: 0 }, to: { position: 3, block: 0 }, role, summary: "Yes." };
      assert.throws(() => edited(log, answered), { code: "LOOP_OPEN" });
    }
    const alternating = forFormat(aiSdk, { alternate: true });
    assert.throws(
      () =>
        alternating.render(log, [
          placed(log, { kind: "replace-range", from: { position: 1, block: 1 }, to: { position: 2, block: 0 }, role: "user", summary: "It asked." }),
        ]),
      { code: "LOOP_OPEN" },
    );
    // The provider runs it, whatever comes next; and what is taken out with its call waits for nothing.
    const provider = tool({ ...answers("p"), providerExecuted: true } as AiPart);
    assert.equal(edited([q, log[1] as AiMessage, provider], { kind: "replace-range", from: { position: 1, block: 1 }, to: { position: 2, block: 0 }, role: "user", summary: "It asked." }).length, 4); // prettier-ignore
    assert.deepEqual(edited(log, { kind: "collapse-round", call: 1, lastResult: 2, note: "Not now." }), [q, assistant(text("May I?"), text("Not now."))]);
  });

  test("a result that an edit gives comes after its approval, where other approvals are still the last message", () => {
    const log = [q, assistant(call("a"), asks("p", "a")), tool(answers("p"))];
    const view = edited(log, { kind: "replace-result", at: { position: 2, block: 0 }, callId: "a", form: "custom", content: "Done elsewhere." });
    assert.deepEqual(view, [q, log[1], tool(answers("p"), res("a", { type: "text", value: "Done elsewhere." }))]);
  });

  test("a changed call keeps its options, but not the id under which the provider has the old one", () => {
    const ofOpenai = { providerOptions: { openai: { itemId: "fc_1", namespace: "n" } } };
    const log = [q, assistant(call("a", ofOpenai), asks("p", "a")), tool(res("a")), q];
    const view = edited(log, { kind: "replace-input", at: { position: 1, block: 0 }, input: {} });
    assert.deepEqual(view[1], assistant(call("a", { input: {}, providerOptions: { openai: { namespace: "n" } } }), asks("p", "a")));
  });

  test("what followed reasoning that is gone loses the id that needs it (C4), and nothing else does", () => {
    const item = (itemId: string): object => ({ providerOptions: { openai: { itemId, phase: "final_answer" }, azure: {}, odd: 1 } });
    const without = { providerOptions: { openai: { phase: "final_answer" }, azure: {}, odd: 1 } };
    const thinks = (id: string): AiPart => part("reasoning", { text: "hm", ...item(id) });
    const log = [
      q,
      assistant(text("first", item("m0")), thinks("r1"), text("x", item("m1")), thinks("r2"), search("s"), res("s"), call("a", item("f2"))),
      tool(res("a")),
      assistant(text("y")),
      q,
    ];
    const view = edited(log, { kind: "strip-blocks", at: [{ position: 1, block: 1 }] });
    assert.deepEqual(view[1], assistant(text("first", item("m0")), text("x", without), thinks("r2"), search("s"), res("s"), call("a", item("f2"))));
    const bound = edited(log, { kind: "replace-block", at: { position: 0, block: 0 }, text: "Q" }, {});
    assert.deepEqual(bound[1], assistant(text("first", item("m0")), text("x", without), search("s"), res("s"), call("a", without)));
  });

  test("a message in two pieces has its cache marker once (A6)", () => {
    const log = [message("user", [text("a"), text("b"), text("c")], OPTIONS), assistant(text("x")), q];
    const view = edited(log, { kind: "replace-range", from: { position: 0, block: 1 }, to: { position: 0, block: 2 }, role: "assistant", summary: "S." });
    assert.deepEqual(view, [message("user", [text("a")]), message("assistant", "S."), message("user", [text("c")], OPTIONS), log[1], q]);
  });

  test("messages that were never the SDK's are written in its shape", () => {
    const foreign: Message[] = [
      { role: "system", content: [text("You are"), text("an agent.")] },
      { role: "user", content: "q" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "tool_use", id: "a", name: "read", input: {} },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "ok" }, text("and now?")] },
      { role: "assistant", content: [{ type: "thinking", thinking: "hm", signature: "s" }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "b" }] },
    ];
    assert.deepEqual(aiSdk.encode(foreign), [
      message("system", "You are\n\nan agent."),
      q,
      assistant(call("a", { input: {} })),
      tool(res("a")),
      message("user", [text("and now?")]),
      tool(res("b", { type: "text", value: "[empty]" }, { toolName: "unknown" })),
    ]);
  });
});

test("the defaults suit the strictest provider", () => {
  assert.deepEqual(aiSdk.target, {});
  assert.equal(aiSdk.name, "ai-sdk");
});
