import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ResponseStream } from "openai/lib/responses/ResponseStream";
import { checkAsyncProperty, checkProperty, deepFreeze } from "../../../../test/support/check-property.ts";
import { asLines, HIDDEN_TOOL, isHidden, plainAnswer, RECALL, relayAll } from "../../../../test/support/wires/relayed.ts";
import { answers } from "../../../../test/support/wires/responses-answers.ts";
import { responsesWire } from "./responses-wire.ts";

const ASK = { role: "user", content: "Do it." };
const READ = { type: "function", name: "read", parameters: {}, strict: true };

function request(fields: object): object {
  return deepFreeze({ model: "gpt-5", input: [ASK], ...fields });
}

function said(id: string, text: string): object {
  return { id, type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] };
}

function call(id: string, name: string): object {
  return { id, type: "function_call", call_id: `call_${id}`, name, arguments: "{}" };
}

describe("readRequest", () => {
  it("reads the model, the items, the names of the tools and the target", () => {
    const body = request({ tools: [READ, { type: "web_search" }, { type: "custom", name: "patch" }] });
    const read = responsesWire.readRequest(body);
    assert.equal(read?.body, body);
    assert.equal(read.model, "gpt-5");
    assert.deepEqual(read.messages, [ASK]);
    assert.deepEqual(read.tools, ["read", "patch"]);
    assert.deepEqual(read.target, { bindsThinking: false, prefill: true, thinking: "off" });
  });

  it("takes text for what the user says", () => {
    assert.deepEqual(responsesWire.readRequest(request({ input: "Do it." }))?.messages, [ASK]);
  });

  it("has a head that changes with the instructions, the tools and the schema of the answer", () => {
    const head = (fields: object): string | undefined => responsesWire.readRequest(request(fields))?.head;
    assert.equal(head({ instructions: "a", tools: [READ] }), head({ instructions: "a", tools: [READ], input: "b", text: { verbosity: "low" } }));
    const others = [{}, { instructions: "a" }, { tools: [READ] }, { prompt: { id: "p" } }, { text: { format: { type: "json_object" } } }];
    assert.equal(new Set(others.map(head)).size, others.length);
  });

  const unreadable: readonly unknown[] = [
    {},
    { model: "m" },
    { model: "m", input: [] },
    { model: "m", input: [{ type: "function_call" }] },
    { model: "m", input: [ASK], conversation: "conv_1" },
    { model: "m", input: [ASK], conversation: { id: "conv_1" } },
    { model: "m", input: [ASK], background: true },
    { model: "m", input: [ASK], tools: {} },
    { input: [ASK] },
  ];
  for (const body of unreadable)
    it(`does not read ${JSON.stringify(body)}`, () => {
      assert.equal(responsesWire.readRequest(body as object), undefined);
    });

  it("reads what is new where a request goes on from an answer, and can go on from another", () => {
    const body = request({ previous_response_id: "resp_1" });
    const read = responsesWire.readRequest(body);
    assert.deepEqual([read?.goesOnFrom, read?.isKept, read?.messages], ["resp_1", true, [ASK]]);
    assert.equal(responsesWire.goOnFrom?.(body, "resp_1"), body);
    assert.deepEqual(responsesWire.goOnFrom?.(body, "resp_2"), { ...body, previous_response_id: "resp_2" });
    assert.equal(responsesWire.readAnswer({ id: "resp_2", output: [] }).id, "resp_2");
  });

  it("reads a request that states the defaults", () => {
    assert.ok(responsesWire.readRequest(request({ previous_response_id: null, conversation: null, background: false })) !== undefined);
  });
});

describe("writeRequest", () => {
  it("puts functions before the tools of the client", () => {
    const body = request({ tools: [READ], stream: true });
    const read = responsesWire.readRequest(body);
    assert.ok(read !== undefined);
    const written = { type: "function", name: "recall", description: "Gives it back.", parameters: RECALL.input_schema, strict: false };
    assert.deepEqual(responsesWire.writeRequest(read, [ASK, ASK], [RECALL]), { ...body, input: [ASK, ASK], tools: [written, READ] });
    assert.equal(responsesWire.writeRequest(read, read.messages, []), body);
  });

  it("leaves text that is not changed", () => {
    const read = responsesWire.readRequest(request({ input: "Do it." }));
    assert.ok(read !== undefined);
    assert.equal((responsesWire.writeRequest(read, read.messages, [RECALL]) as { input: unknown }).input, "Do it.");
  });
});

describe("readAnswer", () => {
  it("gives the items of the provider back themselves", () => {
    const output = deepFreeze([{ id: "rs_1", type: "reasoning", summary: [] }, said("msg_1", "a"), call("fc_1", "read")]);
    const { message } = responsesWire.readAnswer({ output });
    assert.deepEqual(
      (message.content as readonly { type: string }[]).map(({ type }) => type),
      ["thinking", "text", "tool_use"],
    );
    responsesWire.codec.encode([message]).forEach((item, index) => assert.equal(item, output[index]));
  });

  it("is one message, even if the provider ran tools and answered them", () => {
    const shell = { id: "sh_1", type: "shell_call", call_id: "c1", action: { commands: ["ls"] }, status: "completed" };
    const printed = { id: "sho_1", type: "shell_call_output", call_id: "c1", output: [{ stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } }] };
    const output = deepFreeze([shell, printed, said("msg_1", "a"), call("fc_1", "read")]);
    const { message } = responsesWire.readAnswer({ output });
    assert.equal(message.role, "assistant");
    assert.deepEqual(
      (message.content as readonly { type: string }[]).map(({ type }) => type),
      ["shell_call", "shell_call_output", "text", "tool_use"],
    );
    assert.deepEqual(responsesWire.codec.encode([message]), output);
  });

  it("is a message without content where there are no items", () => {
    const { message } = responsesWire.readAnswer({ output: [] });
    assert.deepEqual(message.content, []);
    assert.deepEqual(responsesWire.codec.encode([message]), []);
  });

  it("counts what the cache had apart from the rest of the input", () => {
    const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 6, cache_write_tokens: 1 }, output_tokens: 2, total_tokens: 12 };
    assert.deepEqual(responsesWire.readAnswer({ output: [], usage }).usage, {
      inputTokens: 10,
      cacheReadTokens: 6,
      cacheWriteTokens: 1,
      outputTokens: 2,
    });
  });

  it("tells cache writes for twelve hours apart, which have another price", () => {
    const written = { cache_write_tokens: 5, cache_write_tokens_details: { ttl_12h_tokens: 3, ttl_30m_tokens: 2 } };
    const { usage } = responsesWire.readAnswer({ output: [], usage: { input_tokens: 10, input_tokens_details: written, output_tokens: 2 } });
    assert.deepEqual(usage, { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 5, outputTokens: 2, longCacheWriteTokens: 3 });
  });

  it("refuses what is no answer", () => {
    assert.throws(() => responsesWire.readAnswer({ error: {} }), { code: "INVALID_INPUT" });
  });
});

describe("mergeAnswers", () => {
  it("has the items of all, the usage of all and the rest of the last", () => {
    const first = {
      id: "resp_1",
      output: [said("msg_1", "a"), call("fc_1", HIDDEN_TOOL)],
      usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      output_text: "a",
    };
    const last = {
      id: "resp_2",
      output: [said("msg_2", "b"), call("fc_2", "read")],
      usage: { input_tokens: 4, output_tokens: 5, total_tokens: 9 },
      output_text: "b",
    };
    assert.deepEqual(responsesWire.mergeAnswers(deepFreeze([first, last]), isHidden), {
      id: "resp_2",
      output: [said("msg_1", "a"), said("msg_2", "b"), call("fc_2", "read")],
      usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 },
      output_text: "ab",
    });
  });

  it("gives no id twice, whatever the server does", () => {
    const first = { output: [said("msg_0", "a"), call("fc_1", HIDDEN_TOOL)] };
    const second = { output: [said("msg_0", "b"), call("fc_1", HIDDEN_TOOL)] };
    const third = { output: [said("msg_0", "c"), call("fc_1", "read")] };
    assert.deepEqual(responsesWire.mergeAnswers(deepFreeze([first, second, third]), isHidden), {
      output: [said("msg_0", "a"), said("msg_0_2", "b"), said("msg_0_3", "c"), call("fc_1", "read")],
    });
  });

  it("does not name the hidden tools among those of the request", () => {
    const hidden = { type: "function", name: HIDDEN_TOOL };
    assert.deepEqual(responsesWire.mergeAnswers([{ output: [], tools: [hidden, READ, { type: "web_search" }] }], isHidden), {
      output: [],
      tools: [READ, { type: "web_search" }],
    });
  });

  it("is the answer itself where there is one and nothing is hidden", () => {
    const only = { output: [said("msg_1", "a")], tools: [READ] };
    assert.equal(responsesWire.mergeAnswers([only], isHidden), only);
  });
});

describe("relay", () => {
  const created = { type: "response.created", response: { id: "resp_1", output: [] }, sequence_number: 0 };

  it("lets text through at once, as it came", () => {
    const relay = responsesWire.createRelay(isHidden);
    const events = [
      created,
      { type: "response.output_item.added", output_index: 0, item: said("msg_1", ""), sequence_number: 1 },
      { type: "response.output_text.delta", output_index: 0, item_id: "msg_1", delta: "a", sequence_number: 2 },
    ];
    for (const event of events) assert.equal(relay.relay(event)[0], event);
    assert.equal(relay.answer(), undefined);
  });

  it("passes on unknown events, in order", () => {
    const relay = responsesWire.createRelay(isHidden);
    const odd = { type: "response.event_of_tomorrow", sequence_number: 1 };
    assert.deepEqual(
      [created, odd, { type: "keepalive" }].flatMap((event) => relay.relay(event)),
      [created, odd, { type: "keepalive" }],
    );
  });

  it("knows a hidden item by its id where its place is not told", () => {
    const relay = responsesWire.createRelay(isHidden);
    relay.relay({ type: "response.output_item.added", output_index: 0, item: call("fc_1", HIDDEN_TOOL) });
    const odd = { type: "response.event_of_tomorrow", item_id: "msg_1" };
    assert.deepEqual(relay.relay({ ...odd, item_id: "fc_1" }), []);
    assert.deepEqual(relay.relay(odd), [odd]);
  });

  it("passes on a failure with what the client has seen, and has no answer", () => {
    const relay = responsesWire.createRelay(isHidden);
    const item = said("msg_1", "a");
    for (const event of [created, { type: "response.output_item.done", output_index: 0, item }, { type: "response.completed", response: { output: [item] } }])
      relay.relay(event);
    relay.continue();
    const failed = { type: "response.failed", response: { id: "resp_2", status: "failed", output: [call("fc_1", HIDDEN_TOOL)] } };
    assert.deepEqual(relay.relay(deepFreeze(failed)), [{ type: "response.failed", response: { id: "resp_1", status: "failed", output: [item] } }]);
    assert.equal(relay.answer(), undefined);
    assert.deepEqual(relay.end(), []);
  });

  it("has no answer after an error", () => {
    const relay = responsesWire.createRelay(isHidden);
    const error = { type: "error", message: "overloaded" };
    assert.deepEqual(relay.relay(error), [error]);
    relay.relay({ type: "response.completed", response: { output: [] } });
    assert.equal(relay.answer(), undefined);
  });

  it("takes the items from the events where the end has none", () => {
    const item = said("msg_1", "a");
    const { events, answers: told } = relayAll(responsesWire, [
      [created, { type: "response.output_item.done", output_index: 0, item }, { type: "response.completed", response: { id: "resp_1", output: [] } }],
    ]);
    assert.deepEqual(responsesWire.codec.encode([told[0]?.message ?? assert.fail()]), [item]);
    assert.deepEqual(events.at(-1), { type: "response.completed", response: { id: "resp_1", output: [item] } });
  });

  it("reads from each streamed answer what it reads from the whole one", () => {
    checkProperty("relay.answer is readAnswer", [answers], (given) => {
      const { answers: told } = relayAll(
        responsesWire,
        deepFreeze(given).map(({ events }) => events),
      );
      assert.deepEqual(
        told.map((answer) => plainAnswer(responsesWire, answer)),
        given.map(({ raw }) => plainAnswer(responsesWire, responsesWire.readAnswer(raw))),
      );
    });
  });

  it("lets no hidden call through, begins once, and numbers events and items without a hole", () => {
    checkProperty("no leak", [answers], (given) => {
      const relayed = relayAll(
        responsesWire,
        deepFreeze(given).map((answer) => answer.events),
      );
      const events = relayed.events as readonly { type: string; sequence_number: number; output_index: number }[];
      assert.ok(!JSON.stringify(events).includes(HIDDEN_TOOL));
      assert.equal(events.filter(({ type }) => type === "response.created").length, 1);
      events.forEach((event, number) => assert.equal(event.sequence_number, number));
      events.filter(({ type }) => type === "response.output_item.added").forEach((event, number) => assert.equal(event.output_index, number));
    });
  });

  it("gives the client's SDK the response that it would get without streaming", async () => {
    await checkAsyncProperty("the SDK reads what was relayed", [answers], async (given) => {
      const { events } = relayAll(
        responsesWire,
        deepFreeze(given).map((answer) => answer.events),
      );
      const streamed = await ResponseStream.fromReadableStream(asLines(events)).finalResponse();
      const merged = responsesWire.mergeAnswers(
        given.map(({ raw }) => raw),
        isHidden,
      );
      assert.ok(!JSON.stringify(merged).includes(HIDDEN_TOOL));
      // The first event has the id of the first answer, because others may follow.
      assert.deepEqual(comparable(streamed), { ...merged, id: "resp_0" });
    });
  });
});

/** The SDK adds fields of its own. */
function comparable(response: object): unknown {
  const own = new Set(["parsed", "parsed_arguments", "output_text", "output_parsed"]);
  return JSON.parse(JSON.stringify(response, (key, value: unknown) => (own.has(key) ? undefined : value)));
}
