import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepFreeze } from "../../../test/support/transcripts.ts";
import type { Edit } from "../../edits/edit.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { textBlock } from "../../messages/message.ts";
import { forFormat } from "../for-format.ts";
import type { ChatMessage } from "./chat-message.ts";
import { openaiChat } from "./openai-chat.ts";

const chat = forFormat(openaiChat);

function call(id: string, name = "bash", args = '{"command":"ls"}'): { id: string; type: string; function: { name: string; arguments: string } } {
  return { id, type: "function", function: { name, arguments: args } };
}

function tool(id: string, content = "out"): ChatMessage {
  return { role: "tool", tool_call_id: id, content };
}

const SYSTEM: ChatMessage = { role: "system", content: "You are an agent." };
const ASK: ChatMessage = { role: "user", content: "Do it." };
const NEXT: ChatMessage = { role: "user", content: "And now?" };
const OK: ChatMessage = { role: "assistant", content: "OK." };

/** Two parallel calls, then one. */
const THREAD: readonly ChatMessage[] = deepFreeze([
  SYSTEM,
  ASK,
  { role: "assistant", content: null, tool_calls: [call("a"), call("b")] },
  tool("a"),
  tool("b"),
  { role: "assistant", content: "Once more.", tool_calls: [call("c")] },
  tool("c"),
  { role: "assistant", content: "Done." },
  NEXT,
]);

describe("decode", () => {
  it("makes one message of the results of a turn", () => {
    const log = openaiChat.decode(THREAD);
    assert.deepEqual(
      log.map((message) => message.role),
      ["system", "user", "assistant", "user", "assistant", "user", "assistant", "user"],
    );
    assert.deepEqual(JSON.parse(JSON.stringify(log[3])), {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: "out" },
        { type: "tool_result", tool_use_id: "b", content: "out" },
      ],
    });
    assert.deepEqual(JSON.parse(JSON.stringify(log[4])), {
      role: "assistant",
      content: [
        { type: "text", text: "Once more." },
        { type: "tool_use", id: "c", name: "bash", input: { command: "ls" } },
      ],
    });
  });

  it("keeps arguments that are no JSON object, whole", () => {
    for (const [args, input] of [
      ["{bad", { arguments: "{bad" }],
      ["[1]", { arguments: "[1]" }],
      ["", {}],
    ] as const) {
      const [message] = openaiChat.decode([{ role: "assistant", tool_calls: [call("a", "bash", args)] }]);
      assert.deepEqual(JSON.parse(JSON.stringify(message)).content[0].input, input);
    }
  });

  it("does not lose a refusal or audio that stands in a field of its own", () => {
    const refused: ChatMessage = { role: "assistant", content: null, refusal: "I cannot help with that." };
    const spoken: ChatMessage = { role: "assistant", audio: { id: "audio_1", transcript: "As I said." } };
    const silent: ChatMessage = { role: "assistant", content: "Yes.", refusal: null, audio: null };
    assert.deepEqual(
      openaiChat.decode([refused, spoken, silent]).map(({ content }) => JSON.parse(JSON.stringify(content)) as unknown),
      [[{ type: "refusal", refusal: "I cannot help with that." }], [{ type: "audio", id: "audio_1", transcript: "As I said." }], "Yes."],
    );
  });

  it("pairs the older calls without ids by the name of their function", () => {
    const log: readonly ChatMessage[] = [
      ASK,
      { role: "assistant", content: null, function_call: { name: "ls", arguments: "{}" } },
      { role: "function", name: "ls", content: "a.txt" },
      OK,
      NEXT,
    ];
    assert.deepEqual(chat.collapseToolChains(log, { collapseAfterTurns: 0 }), [
      ASK,
      { role: "assistant", content: "[Tool: ls | Result summarized — called 2 turns ago]" },
      OK,
      NEXT,
    ]);
  });

  for (const [name, value, path] of [
    ["not an array", "x", "messages"],
    ["not an object", [1], "messages.0"],
    ["a role that is none", [{ role: "robot", content: "" }], "messages.0.role"],
    ["content that is a number", [{ role: "user", content: 5 }], "messages.0.content"],
    ["a part without a type", [ASK, { role: "user", content: [{}] }], "messages.1.content.0"],
    ["a result without an id", [{ role: "tool", content: "" }], "messages.0.tool_call_id"],
    ["a call without an id", [{ role: "assistant", tool_calls: [{ function: { name: "a", arguments: "" } }] }], "messages.0.tool_calls.0.id"],
    ["a call without a name", [{ role: "assistant", tool_calls: [{ id: "a", function: { arguments: "" } }] }], "messages.0.tool_calls.0.function.name"],
    [
      "arguments that are an object",
      [{ role: "assistant", tool_calls: [{ id: "a", function: { name: "b", arguments: {} } }] }],
      "messages.0.tool_calls.0.function.arguments",
    ],
  ] as const) {
    it(`refuses ${name}`, () => {
      assert.throws(
        () => openaiChat.decode(value as never),
        (error) => PalimpsestError.isInstance(error) && error.code === "INVALID_INPUT" && error.data["path"] === path,
      );
    });
  }
});

describe("encode", () => {
  it("writes a collapsed turn of several calls", () => {
    const view = chat.collapseToolChains(THREAD, { collapseAfterTurns: 2, collapseMultiToolTurns: true });
    assert.deepEqual(view.slice(0, 3), [
      SYSTEM,
      ASK,
      { role: "assistant", content: "[Tool: bash | Result summarized — called 4 turns ago]\n[Tool: bash | Result summarized — called 4 turns ago]" },
    ]);
    assert.equal(view[3], THREAD[5]);
  });

  it("keeps a refusal and audio in their fields while they are shown, and no longer", () => {
    const native: ChatMessage = { role: "assistant", content: "No.", refusal: "I cannot.", audio: { id: "audio_1" }, tool_calls: [call("a")] };
    const [decoded] = openaiChat.decode([native]);
    const blocks = decoded === undefined || typeof decoded.content === "string" ? [] : decoded.content;
    const shown = (...numbers: number[]): readonly ChatMessage[] =>
      openaiChat.encode([{ ...(decoded ?? ASK), role: "assistant", content: blocks.filter((_, number) => numbers.includes(number)) }]);
    assert.deepEqual(shown(0, 1, 2), [{ role: "assistant", content: "No.", refusal: "I cannot.", audio: { id: "audio_1" } }]);
    assert.deepEqual(shown(1), [{ role: "assistant", content: null, refusal: "I cannot." }]);
    assert.deepEqual(shown(2), [{ role: "assistant", content: null, audio: { id: "audio_1" } }]);
    assert.deepEqual(shown(0), [{ role: "assistant", content: "No." }]);
    const saved = JSON.parse(JSON.stringify([{ role: "assistant", content: blocks.slice(1, 3) }])) as Parameters<typeof openaiChat.encode>[0];
    const again = openaiChat.encode(saved);
    assert.deepEqual([again, openaiChat.check([ASK, ...again, NEXT])], [
      [{ role: "assistant", content: [{ type: "refusal", refusal: "I cannot." }], audio: { id: "audio_1" } }],
      [],
    ]); // prettier-ignore
  });

  it("keeps the words beside a call as a string", () => {
    const view = chat.collapseToolChains(THREAD, { collapseAfterTurns: 1 });
    assert.deepEqual(view[5], { role: "assistant", content: "Once more.\n\n[Tool: bash | Result summarized — called 2 turns ago]" });
  });

  it("cuts one result and leaves its sibling the same object", () => {
    const log = [
      ASK,
      { role: "assistant", content: null, tool_calls: [call("a"), call("b")] },
      tool("a", "x".repeat(900)),
      tool("b"),
      ...THREAD.slice(5),
    ] as const;
    const { messages, compacted } = chat.compactOldToolResults(log, { inputTokens: 50_000, onCompact: () => undefined });
    assert.equal(compacted, 1);
    assert.deepEqual(messages[2], { role: "tool", tool_call_id: "a", content: `${"x".repeat(500)}\n\n[truncated for context management]` });
    assert.equal(messages[3], log[3]);
  });

  it("drops what the model thought with the calls that it led to, and keeps other fields", () => {
    const log = [ASK, { role: "assistant", name: "bot", content: "", reasoning_content: "hm", tool_calls: [call("a")] }, tool("a"), OK, NEXT] as const;
    assert.deepEqual(chat.collapseToolChains(log, { collapseAfterTurns: 0 })[1], {
      role: "assistant",
      name: "bot",
      content: "[Tool: bash | Result summarized — called 2 turns ago]",
    });
  });

  it("writes new arguments of a call, and of a custom tool", () => {
    const custom = { id: "b", type: "custom", custom: { name: "patch", input: "old" } };
    const log: readonly ChatMessage[] = [ASK, { role: "assistant", content: null, tool_calls: [call("a"), custom] }, tool("a"), tool("b"), NEXT];
    const edit = { pass: "test", reason: "r", madeAt: 4, tokensBefore: 0, tokensAfter: 0, kind: "replace-input" } as const;
    const view = chat.render(log, [
      { ...edit, id: "1", at: { position: 1, block: 0 }, input: { command: "…" } },
      { ...edit, id: "2", at: { position: 1, block: 1 }, input: { input: "new" } },
    ]);
    assert.deepEqual(view[1], {
      role: "assistant",
      content: null,
      tool_calls: [call("a", "bash", '{"command":"…"}'), { id: "b", type: "custom", custom: { name: "patch", input: "new" } }],
    });
  });

  describe("where calls of one message have one id, a result goes to one that stays", () => {
    const edit = { id: "1", pass: "test", reason: "r", madeAt: 4, tokensBefore: 0, tokensAfter: 0 } as const;
    const range = { ...edit, kind: "replace-range", role: "user", summary: "S." } as const;
    const behind = { position: 3, block: 0 };
    const cases: readonly (readonly [
      name: string,
      calls: number,
      results: readonly string[],
      edit: Edit,
      callsLeft: number,
      resultsLeft: readonly string[],
    ])[] = [
      ["a range takes the second", 2, ["1"], { ...range, from: { position: 1, block: 1 }, to: behind }, 1, ["1"]],
      ["a range takes the second, not its result", 2, ["1"], { ...range, from: { position: 1, block: 1 }, to: { position: 2, block: 0 } }, 1, ["1"]],
      ["a range takes the first", 2, ["1"], { ...range, from: { position: 1, block: 0 }, to: { position: 1, block: 1 } }, 1, ["1"]],
      ["the second is shown as text", 2, ["1"], { ...edit, kind: "replace-block", at: { position: 1, block: 1 }, text: "T." }, 1, ["1"]],
      ["each has its own", 2, ["1", "2"], { ...range, from: { position: 1, block: 1 }, to: behind }, 1, ["2"]],
      ["a range takes two with results", 3, ["1", "2"], { ...range, from: { position: 1, block: 1 }, to: behind }, 1, ["2"]],
      ["none stays", 2, ["1"], { ...range, from: { position: 1, block: 0 }, to: behind }, 0, []],
    ];
    for (const [name, calls, results, change, callsLeft, resultsLeft] of cases) {
      it(name, () => {
        const asked: ChatMessage = { role: "assistant", content: null, tool_calls: Array.from({ length: calls }, () => call("a")) };
        const view = chat.render([ASK, asked, ...results.map((content) => tool("a", content)), NEXT], [change]);
        assert.equal(view.flatMap((message) => message.tool_calls ?? []).length, callsLeft);
        assert.deepEqual(
          view.filter(({ role }) => role === "tool").map(({ content }) => content),
          resultsLeft,
        );
        assert.deepEqual(openaiChat.check(view), []);
      });
    }
  });

  it("where calls of one message have one id, the nearest result answers the one that stays, not one after another response", () => {
    const twice: ChatMessage = { role: "assistant", content: null, tool_calls: [call("a"), call("a")] };
    const once: ChatMessage = { role: "assistant", content: null, tool_calls: [call("a")] };
    const log = [ASK, twice, tool("a", "near"), once, tool("a", "its own"), tool("a", "far"), NEXT];
    const edit = { id: "1", pass: "test", reason: "r", madeAt: 4, tokensBefore: 0, tokensAfter: 0 } as const;
    const changes: readonly Edit[] = [
      { ...edit, kind: "replace-block", at: { position: 1, block: 1 }, text: "T." },
      { ...edit, kind: "replace-range", from: { position: 1, block: 1 }, to: { position: 3, block: 0 }, role: "user", summary: "S." },
      { ...edit, kind: "replace-range", from: { position: 1, block: 1 }, to: { position: 5, block: 0 }, role: "user", summary: "S." },
    ];
    const results = changes.map((change) => {
      const view = chat.render(log, [change]);
      assert.deepEqual(openaiChat.check(view), []);
      return view.filter(({ role }) => role === "tool").map(({ content }) => content);
    });
    assert.deepEqual(results, [["near", "its own"], ["near", "its own"], ["near"]]);
  });

  it("puts no image into a result", () => {
    const view = chat.render(THREAD, [
      {
        id: "1",
        pass: "test",
        reason: "r",
        madeAt: 8,
        tokensBefore: 0,
        tokensAfter: 0,
        kind: "replace-result",
        at: { position: 3, block: 0 },
        callId: "a",
        form: "custom",
        content: [textBlock("seen"), { type: "image" }],
      },
    ]);
    assert.deepEqual(view[3], {
      role: "tool",
      tool_call_id: "a",
      content: [
        { type: "text", text: "seen" },
        { type: "text", text: "[image]" },
      ],
    });
  });

  it("merges neighbours of one role for servers that want turns", () => {
    const strict = forFormat(openaiChat, { alternate: true });
    const view = strict.pruneMessages([ASK, { role: "assistant", content: "A." }, NEXT], { strategy: "summarize", maxTurns: 1 });
    assert.deepEqual(view, [{ role: "user", content: [{ type: "text", text: "[Previous context summarized: 2 turns]" }, { type: "text", text: "And now?" }] }]); // prettier-ignore
  });
});

describe("the head", () => {
  it("is neither counted nor taken out", () => {
    assert.deepEqual(chat.pruneMessages(THREAD, { strategy: "sliding-window", maxTurns: 1 }), [SYSTEM, NEXT]);
    assert.deepEqual(chat.pruneMessages([SYSTEM, { role: "developer", content: "x" }], { strategy: "importance", maxTurns: 0 }).length, 2);
  });
});

describe("check", () => {
  const rows: readonly (readonly [string, string, readonly ChatMessage[]])[] = [
    ["B1", "messages.1", [ASK, { role: "assistant", content: null, tool_calls: [call("a"), call("b")] }, tool("a"), NEXT]],
    ["B1", "messages.1", [ASK, { role: "assistant", content: null, tool_calls: [call("a")] }]],
    ["B2", "messages.1", [ASK, tool("a"), NEXT]],
    ["B2", "messages.3", [ASK, { role: "assistant", content: null, tool_calls: [call("a")] }, tool("a"), tool("a"), NEXT]],
    ["B3", "messages.0.tool_calls", [{ role: "assistant", content: "x", tool_calls: [] }]],
    ["B4", "messages.0.content", [{ role: "user", content: null }]],
    ["B4", "messages.1.content", [ASK, { role: "assistant", content: null }]],
    ["B5", "messages", []],
    ["B6", "messages.1.tool_calls.0.id", [ASK, { role: "assistant", content: null, tool_calls: [call("x".repeat(65))] }, tool("x".repeat(65))]],
    ["B7", "messages.1.tool_calls.0", [ASK, { role: "assistant", content: null, tool_calls: [call("a", "")] }, tool("a")]],
    [
      "B9",
      "messages.2.content.0",
      [ASK, { role: "assistant", content: null, tool_calls: [call("a")] }, { role: "tool", tool_call_id: "a", content: [{ type: "image_url" }] }],
    ],
    ["B9", "messages.1.content.0", [ASK, { role: "assistant", content: [{ type: "image_url" }] }]],
  ];
  for (const [rule, path, messages] of rows) {
    it(`finds ${rule} at ${path} in ${messages.length} messages`, () => {
      const findings = openaiChat.check(messages);
      assert.deepEqual(
        findings.map((finding) => [finding.rule, finding.path]),
        [[rule, path]],
      );
    });
  }

  it("says it in the provider's words", () => {
    assert.equal(
      openaiChat.check([ASK, { role: "assistant", content: null, tool_calls: [call("call_X")] }, NEXT])[0]?.message,
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_X",
    );
  });

  it("takes an open last round in a history", () => {
    assert.deepEqual(openaiChat.check([ASK, { role: "assistant", content: null, tool_calls: [call("a")] }], { history: true }), []);
    assert.deepEqual(openaiChat.check(THREAD), []);
  });
});
