import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Turn } from "../protocol.ts";
import { createAnthropicProtocol, type AnthropicOptions } from "./anthropic-protocol.ts";

type Json = Readonly<Record<string, unknown>>;
interface Message {
  readonly role: string;
  readonly content: string | readonly Json[];
}

const BETA = { "anthropic-beta": "thinking-binding-controls-2026-08-01" };
const DROPS = { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } } };
const TOOLS = [{ name: "look", input_schema: { type: "object" } }];

/** A conversation with a double that signs and verifies: two rounds of one tool loop, each with thinking, and their results. */
class Loop {
  readonly #protocol;
  readonly #head: Json = { model: "claude-fable-5-2", max_tokens: 100, system: "Look around.", tools: TOOLS, thinking: { type: "adaptive" } };
  messages: Message[] = [{ role: "user", content: "What is here?" }];

  constructor(rules: Partial<AnthropicOptions> = {}) {
    let given = 0;
    this.#protocol = createAnthropicProtocol({
      tokensOf: (piece) => JSON.stringify(piece).length,
      windowTokens: 1_000_000,
      newId: (prefix) => `${prefix}${(given += 1)}`,
      bindsThinking: true,
      prefill: false,
      minimumCacheTokens: 1024,
      verifiesSignatures: true,
      ...rules,
    });
    this.round("first", "I should look.").round("second", "I should look again.");
  }

  round(id: string, thinking: string, more: Turn = {}): this {
    this.answer({ thinking, calls: [{ name: "look", input: { id }, id }], ...more });
    this.messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: `saw ${id}` }] });
    return this;
  }

  answer(turn: Turn, head: Json = {}): Json {
    assert.equal(this.rule(this.messages, head), undefined);
    const { json } = this.#protocol.answer({ ...this.#head, ...head, messages: this.messages }, turn, 0);
    this.messages.push({ role: "assistant", content: json["content"] as Json[] });
    return json;
  }

  rejection(messages: readonly Message[], head: Json = {}): { rule: string | undefined; message: string | undefined } {
    const found = this.#protocol.check({ ...this.#head, ...head, messages: structuredClone(messages) }, BETA);
    return { rule: found?.rule, message: (found?.body["error"] as Json | undefined)?.["message"] as string | undefined };
  }

  rule(messages: readonly Message[], head: Json = {}): string | undefined {
    return this.rejection(messages, head).rule;
  }
}

const changed = (messages: readonly Message[], position: number, content: Message["content"]): Message[] =>
  messages.map((message, index) => (index === position ? { ...message, content } : message));

/** Thinking of the message at a position changed, or taken out. */
const rethought = (messages: readonly Message[], position: number, change: (block: Json) => Json[]): Message[] =>
  changed(
    messages,
    position,
    (messages[position]?.content as Json[]).flatMap((block) => (String(block["type"]).includes("thinking") ? change(block) : [block])),
  );

const bound = (place: string): string =>
  `${place}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;

describe("thinking is bound to what stands before it (A4.8)", () => {
  const EDITS: Readonly<Record<string, (loop: Loop) => readonly [messages: readonly Message[], head?: Json]>> = {
    "an earlier message edited": ({ messages }) => [changed(messages, 0, "What was here?")],
    "a word more in an earlier user turn": ({ messages }) => [
      changed(messages, 0, [
        { type: "text", text: "What is here?" },
        { type: "text", text: "Tell me." },
      ]),
    ],
    "system changed": ({ messages }) => [messages, { system: "Look away." }],
    "a tool added": ({ messages }) => [messages, { tools: [...TOOLS, { name: "recall", input_schema: { type: "object" } }] }],
  };
  for (const [name, edit] of Object.entries(EDITS)) {
    it(`refuses: ${name}`, () => {
      const loop = new Loop();
      const [messages, head] = edit(loop);
      assert.deepEqual(loop.rejection(messages, head), { rule: "A4.8", message: bound("messages.1.content.0") });
      assert.equal(loop.rule(messages, { ...head, ...DROPS }), undefined);
    });
  }

  it("refuses a result shortened before the last thinking, and names the block after it", () => {
    const loop = new Loop();
    const messages = changed(loop.messages, 2, [{ type: "tool_result", tool_use_id: "first", content: "[cut]" }]);
    assert.deepEqual(loop.rejection(messages), { rule: "A4.8", message: bound("messages.3.content.0") });
  });

  const FREE: Readonly<Record<string, (loop: Loop) => readonly [messages: readonly Message[], head?: Json]>> = {
    "nothing changed": ({ messages }) => [messages],
    "the newest result shortened, which no thinking follows": ({ messages }) => [
      changed(messages, 4, [{ type: "tool_result", tool_use_id: "second", content: "[cut]" }]),
    ],
    "cache markers put on tools, system and messages": ({ messages }) => [
      changed(messages, 0, [{ type: "text", text: "What is here?", cache_control: { type: "ephemeral" } }]),
      {
        tools: TOOLS.map((tool) => ({ ...tool, cache_control: { type: "ephemeral" } })),
        system: [{ type: "text", text: "Look around.", cache_control: { type: "ephemeral" } }],
      },
    ],
    "a tool added that is loaded later": ({ messages }) => [
      messages,
      { tools: [...TOOLS, { name: "later", input_schema: { type: "object" }, defer_loading: true }] },
    ],
    "other settings": ({ messages }) => [messages, { max_tokens: 5, temperature: 0, metadata: { user_id: "u" } }],
    "all thinking taken out, and all else edited": ({ messages }) => [
      changed(
        rethought(
          rethought(messages, 1, () => []),
          3,
          () => [],
        ),
        0,
        "Edited.",
      ),
    ],
    "fields in another order": ({ messages }) => [changed(messages, 2, [{ content: "saw first", tool_use_id: "first", type: "tool_result" }])],
  };
  for (const [name, edit] of Object.entries(FREE)) {
    it(`accepts: ${name}`, () => {
      const loop = new Loop();
      assert.equal(loop.rule(...edit(loop)), undefined);
    });
  }

  it("accepts thinking of earlier loops missing from the front, and refuses what is missing from the middle", () => {
    const loop = new Loop();
    loop.answer({ thinking: "Done.", text: "A room." });
    loop.messages.push({ role: "user", content: "And now?" });
    const withoutFirst = rethought(loop.messages, 1, () => []);
    assert.equal(loop.rule(withoutFirst), undefined);
    assert.equal(loop.rule(rethought(withoutFirst, 3, () => [])), undefined);
    assert.equal(loop.rule(rethought(loop.messages, 3, () => [])), "A4.8");
  });

  it("says what it dropped, counts it no more, and binds what comes next to what was left", () => {
    const loop = new Loop();
    loop.messages = changed(loop.messages, 0, "Edited.");
    const json = loop.answer({ thinking: "Next.", text: "So." }, DROPS);
    assert.deepEqual(json["input_transformations"], [
      { type: "thinking_dropped", path: "messages.1.content.0", reason: "prefix_binding_mismatch" },
      { type: "thinking_dropped", path: "messages.3.content.0", reason: "prefix_binding_mismatch" },
    ]);
    const bare = [1, 3].reduce<readonly Message[]>((messages, position) => rethought(messages, position, () => []), loop.messages);
    const pieces = [...bare.slice(0, 5).flatMap(({ content }) => (typeof content === "string" ? [{ type: "text", text: content }] : content)), ...TOOLS];
    const tokens = [...pieces, { type: "text", text: "Look around." }].reduce((sum, piece) => sum + JSON.stringify(piece).length, 0);
    assert.equal((json["usage"] as Json)["input_tokens"], tokens);
    assert.equal(loop.rule([...loop.messages, { role: "user", content: "Go on." }], DROPS), undefined);
    assert.equal(loop.rule([...bare, { role: "user", content: "Go on." }]), undefined);
  });

  it("checks only that thinking is genuine where the model does not bind it", () => {
    const loop = new Loop({ bindsThinking: false });
    assert.equal(loop.rule(changed(loop.messages, 0, "Edited.")), undefined);
    assert.equal(loop.rule(rethought(loop.messages, 1, (block) => [{ ...block, signature: "forged" }])), "A4.7");
  });

  it("drops another model's thinking silently (A4.10)", () => {
    const loop = new Loop();
    const other = { model: "claude-opus-5" };
    assert.equal(loop.rule(changed(loop.messages, 0, "Edited."), other), undefined);
    const half = rethought(loop.messages, 1, () => []);
    assert.deepEqual([loop.rule(half, other), loop.rule(half)], [undefined, "A4.1"]);
  });
});

describe("the thinking of an open tool loop is whole, or not there (A4.1)", () => {
  const modified = (place: string): string =>
    `${place}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;

  it("refuses a loop with thinking missing from its front or its end", () => {
    const loop = new Loop();
    const withoutFirst = rethought(loop.messages, 1, () => []);
    assert.deepEqual(loop.rejection(withoutFirst), { rule: "A4.1", message: modified("messages.3.content.0") });
    const withoutLast = rethought(loop.messages, 3, () => []);
    assert.deepEqual(loop.rejection(withoutLast), { rule: "A4.1", message: modified("messages.1.content.0") });
  });

  it("refuses half of one response's thinking", () => {
    const loop = new Loop().round("third", "I see.", { redactedThinking: "secret" });
    assert.equal(loop.rule(rethought(loop.messages, 5, (block) => (block["type"] === "thinking" ? [] : [block]))), "A4.1");
  });

  it("refuses changed words, in the open loop with A4.1 and before it with A4.7", () => {
    const loop = new Loop();
    const reworded = rethought(loop.messages, 3, (block) => [{ ...block, thinking: "I should not." }]);
    assert.deepEqual(loop.rejection(reworded), { rule: "A4.1", message: modified("messages.3.content.0") });
    const later: Message[] = [...reworded, { role: "assistant", content: "A room." }, { role: "user", content: "Thanks." }];
    assert.deepEqual(loop.rejection(later), { rule: "A4.7", message: "messages.3.content.0: Invalid `signature` in `thinking` block" });
  });

  it("takes thinking that was stripped while the loop went on as gone: the rest of it is whole", () => {
    const loop = new Loop();
    loop.messages = [1, 3].reduce<Message[]>((messages, position) => rethought(messages, position, () => []), loop.messages);
    loop.round("third", "Once more.");
    assert.equal(loop.rule(loop.messages), undefined);
  });

  it("ends a loop where the user speaks beside a result, not where a client adds a reminder", () => {
    const loop = new Loop();
    const beside = (text: string): Message[] =>
      rethought(changed(loop.messages, 4, [...(loop.messages[4]?.content as Json[]), { type: "text", text }]), 1, () => []);
    assert.equal(loop.rule(beside("Look at the door.")), undefined);
    assert.equal(loop.rule(beside("<system-reminder>\nbe brief\n</system-reminder>")), "A4.1");
  });
});

describe("thinking comes as the request asks for it", () => {
  const types = (json: Json): unknown[] => (json["content"] as Json[]).map((block) => block["type"]);

  it("leaves thinking out where the request does not ask for it", () => {
    const turn: Turn = { thinking: "Hm.", redactedThinking: "x", text: "Yes." };
    const loop = new Loop();
    loop.messages = [{ role: "user", content: "Hello" }];
    assert.deepEqual(types(loop.answer(turn, { thinking: { type: "disabled" } })), ["text"]);
    loop.messages = [{ role: "user", content: "Hello" }];
    assert.deepEqual(types(loop.answer(turn)), ["thinking", "redacted_thinking", "text"]);
  });

  it("sends a signature without text for display omitted, and then ignores what stands there", () => {
    const loop = new Loop();
    loop.messages = [{ role: "user", content: "Hello" }];
    const json = loop.answer({ thinking: "Hm.", text: "Yes." }, { thinking: { type: "adaptive", display: "omitted" } });
    assert.equal((json["content"] as Json[])[0]?.["thinking"], "");
    loop.messages.push({ role: "user", content: "And?" });
    assert.equal(loop.rule(rethought(loop.messages, 1, (block) => [{ ...block, thinking: "put there" }])), undefined);
  });
});
