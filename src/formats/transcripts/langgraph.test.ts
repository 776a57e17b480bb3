import assert from "node:assert/strict";
import { test } from "node:test";
import { comparable, documentWith, logOf, messagesOf, recordsWith } from "../../../test/support/formats/document-transcript.ts";
import { blocksOf, isThinking, isToolUse } from "../../messages/message.ts";
import { langgraph } from "./langgraph.ts";

function thread(...messages: readonly object[]): object {
  return { values: { messages }, metadata: { thread_id: "t", model_name: "m" } };
}

const CALL = { id: "c", name: "look", args: { at: "fern" }, type: "tool_call" };

test("calls that the parts name too are calls once, and thinking among the parts stays there", () => {
  const thinking = { type: "thinking", thinking: "Hm.", signature: "s" };
  const content = [thinking, { type: "text", text: "I look." }, { type: "tool_use", id: "c", name: "look", input: { at: "fern" } }];
  const document = thread({ type: "ai", id: "m", content, tool_calls: [CALL] });
  assert.deepEqual(comparable(logOf(langgraph, document)), [
    { role: "assistant", shown: [thinking, { type: "text", text: "I look." }, { call: 0, name: "look", input: { at: "fern" } }] },
  ]);
  const written = recordsWith(langgraph, document, (log) =>
    log.map((message) => ({ ...message, content: blocksOf(message).filter((block) => !isToolUse(block)) })),
  );
  assert.deepEqual(written, [{ type: "ai", id: "m", content: content.slice(0, 2), additional_kwargs: {}, tool_calls: [] }]);
});

test("a changed answer names no call and no thought that is gone", () => {
  const more = { reasoning_content: "Hm.", tool_calls: [{ id: "c" }], refusal: null };
  const document = thread({ type: "ai", id: "m", content: "I look.", additional_kwargs: more, tool_calls: [CALL] });
  const without = (isGone: (block: { readonly type: string }) => boolean): unknown =>
    recordsWith(langgraph, document, (log) => log.map((message) => ({ ...message, content: blocksOf(message).filter((block) => !isGone(block)) })))[0];
  const shared = { type: "ai", id: "m", content: "I look." };
  assert.deepEqual(without(isThinking), { ...shared, additional_kwargs: { refusal: null }, tool_calls: [CALL] });
  assert.deepEqual(without(isToolUse), { ...shared, additional_kwargs: { refusal: null, reasoning_content: "Hm." }, tool_calls: [] });
});

test("a message that is shown in two parts becomes two, with ids of their own", () => {
  const [a, b] = ["One.", "Two."].map((text) => ({ type: "text", text }));
  const document = thread({ type: "human", id: "m", content: [a, b], additional_kwargs: { k: 1 } });
  const [message] = logOf(langgraph, document);
  assert.ok(message !== undefined && a !== undefined && b !== undefined);
  const view = [
    { ...message, content: [a] },
    { role: "assistant" as const, content: "So far." },
    { ...message, content: [b] },
  ];
  const written = recordsWith(langgraph, document, () => view) as { readonly id: string }[];
  assert.deepEqual(comparable(logOf(langgraph, documentWith(langgraph, document, written))), comparable(view));
  assert.equal(new Set(written.map(({ id }) => id)).size, 3);
});

test("models and usage are those of the message", () => {
  const usage = { input_tokens: 50, output_tokens: 4, input_token_details: { cache_read: 40, cache_creation: 5 } };
  const document = thread({ type: "ai", content: "Hi.", response_metadata: { model_name: "m-1" }, usage_metadata: usage });
  const [entry] = messagesOf(langgraph, document);
  assert.equal(entry?.model, "m-1");
  assert.deepEqual(entry?.usage, { inputTokens: 50, cacheReadTokens: 40, cacheWriteTokens: 5, outputTokens: 4 });
});

test("messages that are new and say the same have ids of their own: those of one id are one message", () => {
  const again = { role: "assistant" as const, content: "Again." };
  const written = recordsWith(langgraph, thread({ type: "human", id: "m", content: "Hi." }), (log) => [...log, again, again]) as { readonly id: string }[];
  assert.equal(new Set(written.map(({ id }) => id)).size, 3);
});
