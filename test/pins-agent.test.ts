/** The surface of the agent's part, in literals. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as agent from "../src/agent/index.ts";
import * as aiSdk from "../src/agent/clients/ai-sdk.ts";
import * as anthropic from "../src/agent/clients/anthropic.ts";
import * as openai from "../src/agent/clients/openai.ts";
import * as policy from "../src/conversation/index.ts";
import * as testing from "../src/testing/index.ts";
import { aiSdkWire } from "../src/agent/wires/ai-sdk/ai-sdk-wire.ts";
import { anthropicWire } from "../src/agent/wires/anthropic/anthropic-wire.ts";
import { chatWire } from "../src/agent/wires/openai-chat/chat-wire.ts";
import { responsesWire } from "../src/agent/wires/openai-responses/responses-wire.ts";
import type { Wire } from "../src/agent/front-end/wire.ts";
import { use } from "./support/build.ts";

test("exports", () => {
  assert.deepEqual(Object.keys(agent).sort(), ["compactTool", "createThread", "openThread", "recallTool", "runRecall"]);
  assert.deepEqual(Object.keys(policy).sort(), ["PRESETS", "compact", "createCompactor", "plan", "policyFor", "recallTool", "runRecall"]);
  assert.equal(policy.recallTool, agent.recallTool);
  assert.deepEqual(Object.keys(anthropic), ["wrapAnthropic"]);
  assert.deepEqual(Object.keys(openai), ["wrapOpenAI"]);
  assert.deepEqual(Object.keys(aiSdk).sort(), ["palimpsestMiddleware", "palimpsestPrepareStep"]);
  assert.deepEqual(Object.keys(testing).sort(), ["playTrajectory", "reader", "readerKey", "readerPage", "startProviderDouble"]);
});

test("what a thread can do", () => {
  const thread = agent.createThread();
  const methods = [
    "user",
    "assistant",
    "toolResults",
    "request",
    "observe",
    "compact",
    "recall",
    "checkpoints",
    "edits",
    "undo",
    "pin",
    "truncate",
    "on",
    "toJSON",
  ];
  for (const method of methods) assert.equal(typeof thread[method as keyof typeof thread], "function", method);
});

describe("texts that a model sees", () => {
  const threadWith = (input: object): ReturnType<typeof agent.createThread> => {
    const thread = agent.createThread({ reminder: "Be brief.", compress: { maxToolResultTokens: 50 } });
    thread.user("Go.");
    thread.assistant({ content: [use("a")] });
    thread.toolResults([{ type: "tool_result", tool_use_id: "a", content: "0123456789".repeat(30) }]);
    thread.assistant({ content: [use("k", "compact", { replacements: [input] })] });
    return thread;
  };
  const shown = (thread: ReturnType<typeof agent.createThread>): string =>
    JSON.stringify(thread.request().messages)
      .replaceAll(/checkpoint:[a-z0-9]{6}/g, "checkpoint:xxxxxx")
      .replaceAll(/handle: [a-z0-9]+/g, "handle: h");

  test("a call of compact that was done, a reminder, a checkpoint, a handle", () => {
    const text = shown(threadWith({ to: "nosuch", summary: "S." }));
    assert.match(text, /6789\\n\[truncated\]\\n\[recall handle: h\]/);
    assert.match(text, /\{"type":"text","text":"<system-reminder>\\nBe brief\.\\n<\/system-reminder>"\},\{"type":"text","text":"<checkpoint:xxxxxx>"\}\]/);
    assert.match(text, /CHECKPOINT_UNKNOWN: There is no checkpoint \\"nosuch\\"\. Use one of: /);
  });
  test("what the thread goes on with", () => {
    const thread = agent.createThread();
    thread.user("Go.");
    const [first] = thread.checkpoints();
    thread.assistant({ content: [use("k", "compact", { replacements: [{ to: first?.id, summary: "S." }] })] as never });
    assert.deepEqual(
      thread.request().messages.map(({ content }) => content),
      [
        "[Earlier conversation omitted]",
        "S.",
        [{ type: "text", text: "I compacted the thread" }],
        [
          { type: "text", text: "The thread was compacted. Continue with the task." },
          { type: "text", text: `<checkpoint:${thread.checkpoints().at(-1)?.id ?? ""}>` },
        ],
      ],
    );
  });
  test("the overview of stretches", () => {
    const thread = agent.createThread({ overview: true, target: { bindsThinking: false } });
    thread.user("Go.");
    thread.assistant({ content: [use("a")] });
    thread.toolResults([{ type: "tool_result", tool_use_id: "a", content: "some words of a file\n".repeat(60) }]);
    thread.assistant({ content: [{ type: "thinking", thinking: "Hm.", signature: "s" }, use("b")] as never });
    thread.toolResults([{ type: "tool_result", tool_use_id: "b", content: "done" }]);
    const [start, read] = thread.checkpoints();
    assert.match(
      JSON.stringify(thread.request().messages.at(-1)),
      new RegExp(
        `<system-reminder>\\\\nWhat compact could replace \\(stretch between checkpoints \\| tokens \\| messages ago \\| later turns that used something of it \\| tokens behind it that would leave the cache, \\* and thinking that would be lost\\):\\\\n${start?.id ?? ""} to ${read?.id ?? ""} \\| 3\\d\\d \\| 2 \\| 0 \\| \\d\\d\\*\\\\n</system-reminder>`,
      ),
    );
  });
  test("the tools", () => {
    const { name, input_schema } = agent.compactTool;
    assert.deepEqual([name, Object.keys(input_schema.properties), input_schema.required], ["compact", ["replacements"], ["replacements"]]);
    for (const word of ["<checkpoint:", "from", "to", "summary", "deletes", "paths", "decisions", "still open"])
      assert.ok(agent.compactTool.description.includes(word), word);
    assert.deepEqual(agent.recallTool, {
      name: "recall",
      description:
        "Gives back the original of what was shortened, named by [recall handle: 7f3kq20x] (7f3kq20x-3…-7: parts 3 to 7), or, if compacted, by the checkpoint before the summary, or start. Use it, do not guess or run a command again.",
      input_schema: {
        type: "object",
        properties: {
          handle: { type: "string" },
          lines: { type: "string", description: "120-180" },
          records: { type: "string", description: "of JSON, tables: 3-80" },
          grep: { type: "string", description: "regex or text" },
          maxTokens: { type: "integer" },
        },
        required: ["handle"],
      },
    });
  });

  const wires: Readonly<Record<string, readonly [wire: Wire<object, object, object>, body: object]>> = {
    Anthropic: [anthropicWire, { model: "claude-opus-5-5", messages: [{ role: "user", content: "q" }], tools: [] }],
    "OpenAI Chat": [chatWire, { model: "gpt-5", messages: [{ role: "user", content: "q" }], tools: [] }],
    "OpenAI Responses": [responsesWire, { model: "gpt-5", input: [{ role: "user", content: "q" }], tools: [] }],
    "AI SDK": [aiSdkWire("m"), { prompt: [{ role: "user", content: [{ type: "text", text: "q" }] }], tools: [] }],
  };
  for (const [api, [wire, body]] of Object.entries(wires))
    test(`recall takes less than 600 bytes of a request: ${api}`, () => {
      const request = wire.readRequest(body) ?? assert.fail("read");
      const sent = wire.writeRequest(request, request.messages, [agent.recallTool]);
      const added = Buffer.byteLength(JSON.stringify(sent)) - Buffer.byteLength(JSON.stringify(body));
      assert.ok(added > 100 && added < 600, `${added} bytes`);
    });
});
