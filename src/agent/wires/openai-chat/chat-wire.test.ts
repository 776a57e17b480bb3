import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream";
import { checkAsyncProperty, checkProperty, deepFreeze } from "../../../../test/support/check-property.ts";
import { answers } from "../../../../test/support/wires/chat-answers.ts";
import { asLines, HIDDEN_TOOL, isHidden, plainAnswer, RECALL, relayAll } from "../../../../test/support/wires/relayed.ts";
import { openaiChat } from "../../../formats/openai-chat/openai-chat.ts";
import { chatWire } from "./chat-wire.ts";

const ASK = { role: "user", content: "Do it." };
const READ = { type: "function", function: { name: "read", parameters: {} } };

function request(fields: object): object {
  return deepFreeze({ model: "gpt-5", messages: [ASK], ...fields });
}

function call(name: string, id = name): object {
  return { id, type: "function", function: { name, arguments: "{}" } };
}

function completion(message: object, finish = "stop", more: object = {}): object {
  return deepFreeze({ id: "c", choices: [{ index: 0, message, finish_reason: finish }], ...more });
}

describe("readRequest", () => {
  it("reads the model, the messages, the names of the tools and the target", () => {
    const body = request({ tools: [READ, { type: "custom", custom: { name: "patch" } }] });
    const read = chatWire.readRequest(body);
    assert.equal(read?.body, body);
    assert.equal(read.model, "gpt-5");
    assert.deepEqual(read.messages, [ASK]);
    assert.deepEqual(read.tools, ["read", "patch"]);
    assert.deepEqual(read.target, { bindsThinking: false, prefill: true, thinking: "off" });
  });

  it("has a head that changes with the tools and the schema of the answer", () => {
    const head = (fields: object): string | undefined => chatWire.readRequest(request(fields))?.head;
    assert.equal(head({ tools: [READ] }), head({ tools: [READ], messages: [ASK, ASK], temperature: 1 }));
    assert.notEqual(head({ tools: [READ] }), head({}));
    assert.notEqual(head({}), head({ response_format: { type: "json_object" } }));
  });

  const unreadable: readonly unknown[] = [
    {},
    { model: "m" },
    { model: "m", messages: [] },
    { model: "m", messages: [{ role: "tool", content: "no id" }] },
    { model: "m", messages: [ASK], n: 2 },
    { model: "m", messages: [ASK], functions: [{ name: "old" }] },
    { model: "m", messages: [ASK], tools: {} },
    { messages: [ASK] },
  ];
  for (const body of unreadable)
    it(`does not read ${JSON.stringify(body)}`, () => {
      assert.equal(chatWire.readRequest(body as object), undefined);
    });

  it("reads a request that states the defaults", () => {
    assert.ok(chatWire.readRequest(request({ n: 1, functions: null, tools: null })) !== undefined);
  });
});

describe("writeRequest", () => {
  it("puts functions before the tools of the client", () => {
    const body = request({ tools: [READ], stream: true });
    const read = chatWire.readRequest(body);
    assert.ok(read !== undefined);
    const written = { type: "function", function: { name: "recall", description: "Gives it back.", parameters: RECALL.input_schema } };
    assert.deepEqual(chatWire.writeRequest(read, [ASK, ASK], [RECALL]), { ...body, messages: [ASK, ASK], tools: [written, READ] });
    assert.equal(chatWire.writeRequest(read, read.messages, []), body);
  });
});

describe("readAnswer", () => {
  const given: readonly (readonly [what: string, message: object, sent: object])[] = [
    [
      "a message as it is",
      { role: "assistant", content: "a", refusal: null, annotations: [] },
      { role: "assistant", content: "a", refusal: null, annotations: [] },
    ],
    ["calls without text", { role: "assistant", content: null, tool_calls: [call("read")] }, { role: "assistant", content: null, tool_calls: [call("read")] }],
    ["no empty list of calls (B3)", { role: "assistant", content: "a", tool_calls: [] }, { role: "assistant", content: "a" }],
    ["text where there are no calls (B4)", { role: "assistant", content: null, refusal: null }, { role: "assistant", content: "", refusal: null }],
    ["a refusal", { role: "assistant", content: null, refusal: "No." }, { role: "assistant", content: null, refusal: "No." }],
    ["a role", { content: "a" }, { role: "assistant", content: "a" }],
    ["of a recording the id", { role: "assistant", content: null, audio: { id: "a", data: "xx" } }, { role: "assistant", content: null, audio: { id: "a" } }],
  ];
  for (const [what, message, sent] of given)
    it(`sends back ${what}`, () => {
      const { message: read } = chatWire.readAnswer(completion(message));
      assert.deepEqual(openaiChat.encode([read]), [sent]);
      assert.deepEqual(openaiChat.check([ASK as never, sent as never], { history: true }), []);
    });

  it("gives the message of the provider back itself", () => {
    const message = { role: "assistant", content: "a", tool_calls: [call("read")] };
    assert.equal(chatWire.codec.encode([chatWire.readAnswer(completion(message)).message])[0], message);
  });

  it("counts what the cache had apart from the rest of the prompt", () => {
    const usage = (counts: object): unknown => chatWire.readAnswer(completion({ role: "assistant", content: "a" }, "stop", { usage: counts })).usage;
    assert.deepEqual(usage({ prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 1 } }), {
      inputTokens: 10,
      cacheReadTokens: 6,
      cacheWriteTokens: 1,
      outputTokens: 2,
    });
    assert.deepEqual(usage({ prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 4 }), {
      inputTokens: 10,
      cacheReadTokens: 4,
      cacheWriteTokens: 0,
      outputTokens: 2,
    });
    assert.equal(chatWire.readAnswer(completion({ role: "assistant", content: "a" })).usage, undefined);
  });

  it("refuses what is no answer", () => {
    assert.throws(() => chatWire.readAnswer({ error: {} }), { code: "INVALID_INPUT" });
  });
});

describe("mergeAnswers", () => {
  it("has one text, one paragraph per answer", () => {
    const first = completion({ role: "assistant", content: "a", tool_calls: [call(HIDDEN_TOOL)] }, "tool_calls", {
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
    const silent = completion({ role: "assistant", content: null, tool_calls: [call(HIDDEN_TOOL)] }, "tool_calls", { usage: { completion_tokens: 4 } });
    const last = completion({ role: "assistant", content: "b", tool_calls: [call("read")] }, "tool_calls", {
      usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
    });
    assert.deepEqual(
      chatWire.mergeAnswers([first, silent, last], isHidden),
      completion({ role: "assistant", content: "a\n\nb", tool_calls: [call("read")] }, "tool_calls", {
        usage: { prompt_tokens: 6, completion_tokens: 12, total_tokens: 18 },
      }),
    );
  });

  it("leaves a message that can be sent back where nothing is left of it", () => {
    const only = completion({ role: "assistant", content: null, tool_calls: [call(HIDDEN_TOOL)] }, "tool_calls");
    assert.deepEqual(chatWire.mergeAnswers([only], isHidden), completion({ role: "assistant", content: "" }, "stop"));
  });

  it("is the answer itself where there is one and nothing is hidden", () => {
    const only = completion({ role: "assistant", content: "a", tool_calls: [call("read")] }, "tool_calls");
    assert.equal(chatWire.mergeAnswers([only], isHidden), only);
  });
});

describe("relay", () => {
  const chunk = (delta: object, more: object = {}): object => ({ id: "c", created: 1, choices: [{ index: 0, delta, finish_reason: null, ...more }] });

  it("lets text through at once, as it came", () => {
    const relay = chatWire.createRelay(isHidden);
    const said = chunk({ role: "assistant", content: "a" });
    assert.equal(relay.relay(said)[0], said);
    assert.equal(relay.answer(), undefined);
  });

  it("lets through what comes together with the end, and holds back the end", () => {
    const relay = chatWire.createRelay(isHidden);
    const last = { ...chunk({ role: "assistant", content: "a" }, { finish_reason: "stop" }), usage: { prompt_tokens: 1, completion_tokens: 1 } };
    assert.deepEqual(relay.relay(deepFreeze(last)), [chunk({ role: "assistant", content: "a" })]);
    assert.equal(relay.answer()?.message.content, "a");
    assert.deepEqual(relay.end(), [{ ...chunk({}, { finish_reason: "stop" }), usage: { prompt_tokens: 1, completion_tokens: 1 } }]);
  });

  it("hides a call that comes together with the end", () => {
    const hidden = { index: 0, id: "a", type: "function", function: { name: HIDDEN_TOOL, arguments: "{}" } };
    const { events } = relayAll(chatWire, [
      [chunk({ role: "assistant", content: "a" }), chunk({ content: "", tool_calls: [hidden] }, { finish_reason: "tool_calls" })],
    ]);
    assert.deepEqual(events, [chunk({ role: "assistant", content: "a" }), chunk({ content: "" }), chunk({}, { finish_reason: "stop" })]);
  });

  it("holds back usage that a server reports after the end in an empty choice", () => {
    const relay = chatWire.createRelay(isHidden);
    const usage = { ...chunk({ role: "assistant", content: "" }), usage: { prompt_tokens: 1, completion_tokens: 2 } };
    relay.relay(chunk({ role: "assistant", content: "a" }));
    relay.relay(chunk({}, { finish_reason: "stop" }));
    assert.deepEqual(relay.relay(usage), []);
    assert.equal(relay.answer()?.usage?.outputTokens, 2);
    assert.deepEqual(relay.end(), [chunk({}, { finish_reason: "stop" }), { ...chunk({}), usage: { prompt_tokens: 1, completion_tokens: 2 } }]);
  });

  it("waits for the name of a call before it shows or hides it", () => {
    const pieces = (name: string): readonly object[] => [
      chunk({ role: "assistant", content: null }),
      chunk({ tool_calls: [{ index: 0, id: "a", type: "function", function: { arguments: "" } }] }),
      chunk({ tool_calls: [{ index: 0, function: { name, arguments: "{" } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: "}" } }] }),
      chunk({}, { finish_reason: "tool_calls" }),
    ];
    assert.ok(!JSON.stringify(relayAll(chatWire, [pieces(HIDDEN_TOOL)])).includes('"tool_calls"'));
    const { events, answers: told } = relayAll(chatWire, [deepFreeze(pieces("read"))]);
    assert.equal(events.length, 4);
    assert.deepEqual(chatWire.codec.encode([told[0]?.message ?? assert.fail()]), [{ role: "assistant", content: null, tool_calls: [call("read", "a")] }]);
  });

  it("forgets a call whose name never came", () => {
    const nameless = chunk({ tool_calls: [{ index: 0, id: "a", type: "function", function: { arguments: "{" } }] });
    const named = chunk({ tool_calls: [{ index: 0, id: "b", type: "function", function: { name: "read", arguments: "{}" } }] });
    const end = chunk({}, { finish_reason: "tool_calls" });
    assert.deepEqual(
      relayAll(chatWire, [
        [nameless, end],
        [named, end],
      ]).events,
      [named, end],
    );
  });

  it("reads pieces of a call that leave empty what was said before", () => {
    const pieces = [
      { index: 0, id: "a", type: "function", function: { name: "read", arguments: "{" } },
      { index: 0, id: "", type: null, function: { name: "", arguments: "}" } },
    ];
    const { answers: told } = relayAll(chatWire, [
      [...pieces.map((piece) => chunk({ content: null, tool_calls: [piece] })), chunk({}, { finish_reason: "tool_calls" })],
    ]);
    assert.deepEqual(chatWire.codec.encode([told[0]?.message ?? assert.fail()]), [{ role: "assistant", content: null, tool_calls: [call("read", "a")] }]);
  });

  it("keeps the first id that there is", () => {
    const filter = { id: "", created: 0, choices: [], prompt_filter_results: [] };
    const end = chunk({}, { finish_reason: "stop" });
    const { events } = relayAll(chatWire, [
      [filter, chunk({ role: "assistant", content: "a" }), end],
      [chunk({ role: "assistant", content: "b" }), end].map((event) => ({ ...event, id: "d", created: 2 })),
    ]);
    assert.deepEqual(events, [filter, chunk({ role: "assistant", content: "a" }), chunk({ content: "\n\nb" }), end]);
  });

  it("reads calls without an index", () => {
    const { answers: told } = relayAll(chatWire, [
      [
        chunk({ role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: { name: "read", arguments: "{" } }] }),
        chunk({ tool_calls: [{ function: { arguments: "}" } }] }),
        chunk({ tool_calls: [{ id: "b", type: "function", function: { name: "bash", arguments: "{}" } }] }),
        chunk({}, { finish_reason: "tool_calls" }),
      ],
    ]);
    assert.deepEqual(chatWire.codec.encode([told[0]?.message ?? assert.fail()]), [
      { role: "assistant", content: null, tool_calls: [call("read", "a"), call("bash", "b")] },
    ]);
  });

  it("keeps what a server adds to a call", () => {
    const signed = { index: 0, id: "a", type: "function", function: { name: "read", arguments: "{}" }, extra_content: { google: { thought_signature: "s" } } };
    const { answers: told } = relayAll(chatWire, [[chunk({ role: "assistant", content: null, tool_calls: [signed] }), chunk({}, { finish_reason: "stop" })]]);
    const { index: _, ...kept } = signed;
    assert.deepEqual(chatWire.codec.encode([told[0]?.message ?? assert.fail()]), [{ role: "assistant", content: null, tool_calls: [kept] }]);
  });

  it("puts together what a server says of its reasoning", () => {
    const { answers: told } = relayAll(chatWire, [
      [
        chunk({ role: "assistant", content: "", reasoning_details: [{ text: "a" }] }),
        chunk({ role: "assistant", content: "b", reasoning_details: [{ text: "c" }] }),
        chunk({}, { finish_reason: "stop" }),
      ],
    ]);
    assert.deepEqual(chatWire.codec.encode([told[0]?.message ?? assert.fail()]), [
      { role: "assistant", content: "b", reasoning_details: [{ text: "a" }, { text: "c" }] },
    ]);
  });

  it("passes on chunks without a choice, and errors, of which there is no answer", () => {
    const relay = chatWire.createRelay(isHidden);
    const filter = { id: "", choices: [], prompt_filter_results: [] };
    const error = { error: { message: "overloaded" } };
    assert.deepEqual(relay.relay(filter), [filter]);
    relay.relay(chunk({ role: "assistant", content: "a" }, { finish_reason: "stop" }));
    assert.deepEqual(relay.relay(error), [error]);
    assert.equal(relay.answer(), undefined);
    assert.deepEqual(relay.end(), [chunk({}, { finish_reason: "stop" })]);
  });

  it("reads from each streamed answer what it reads from the whole one", () => {
    checkProperty("relay.answer is readAnswer", [answers], (given) => {
      const { answers: told } = relayAll(
        chatWire,
        deepFreeze(given).map(({ events }) => events),
      );
      assert.deepEqual(
        told.map((answer) => plainAnswer(chatWire, answer)),
        given.map(({ raw }) => plainAnswer(chatWire, chatWire.readAnswer(raw))),
      );
    });
  });

  it("lets no hidden call through, and says once who speaks, under one id", () => {
    checkProperty("no leak", [answers], (given) => {
      const { events } = relayAll(
        chatWire,
        deepFreeze(given).map((answer) => answer.events),
      );
      assert.ok(!JSON.stringify(events).includes(HIDDEN_TOOL));
      assert.equal(JSON.stringify(events).split('"role":"assistant"').length, 2);
      assert.deepEqual(new Set(events.map((event) => (event as { id: string }).id)), new Set(["chatcmpl-0"]));
    });
  });

  it("gives the client's SDK the completion that it would get without streaming", async () => {
    await checkAsyncProperty("the SDK reads what was relayed", [answers], async (given) => {
      const { events } = relayAll(
        chatWire,
        deepFreeze(given).map((answer) => answer.events),
      );
      const streamed = await ChatCompletionStream.fromReadableStream(asLines(events)).finalChatCompletion();
      const merged = chatWire.mergeAnswers(
        given.map(({ raw }) => raw),
        isHidden,
      ) as typeof streamed & { choices: { message: { reasoning_content?: string } }[] };
      assert.ok(!JSON.stringify(merged).includes(HIDDEN_TOOL));
      // The SDK does not accumulate fields that it does not know.
      assert.equal(reasoningOf(events), merged.choices[0]?.message.reasoning_content ?? "");
      assert.deepEqual(comparable(streamed), { ...(comparable(merged) as object), id: "chatcmpl-0", created: 1000 });
    });
  });
});

/** The SDK adds fields of its own, has a usage where there is none, and does not distinguish no text from an empty one. */
function comparable(completion: object): unknown {
  const own = new Set(["parsed", "parsed_arguments", "logprobs", "reasoning_content"]);
  return JSON.parse(JSON.stringify(completion, (key, value: unknown) => (own.has(key) ? undefined : key === "content" ? (value ?? "") : value)));
}

function reasoningOf(events: readonly object[]): string {
  return events
    .flatMap((event) => (event as { choices: readonly { delta: { reasoning_content?: string } }[] }).choices)
    .map(({ delta }) => delta.reasoning_content ?? "")
    .join("");
}
