import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkProperty } from "../../../test/support/transcripts.ts";
import type { Protocol, ProtocolOptions } from "../protocol.ts";
import { createChatProtocol } from "./chat-protocol.ts";
import type { Json } from "./json-values.ts";
import { createResponsesProtocol } from "./responses-protocol.ts";

const CHAT: Json = {
  model: "gpt-5",
  stream_options: { include_usage: true },
  tools: [{ type: "function", function: { name: "read", parameters: {} } }],
  messages: [
    { role: "system", content: "You are an agent." },
    { role: "user", content: [{ type: "text", text: "Read." }] },
    { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: { name: "read", arguments: "{}" } }] },
    { role: "tool", tool_call_id: "c", content: "ok" },
  ],
};

const RESPONSES: Json = {
  model: "gpt-5",
  instructions: "You are an agent.",
  include: ["reasoning.encrypted_content"],
  tools: [{ type: "function", name: "read", parameters: {} }],
  input: [
    { role: "user", content: [{ type: "input_text", text: "Read." }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "I do." }] },
    { type: "function_call", call_id: "c", name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output: "ok" },
    { type: "shell_call", call_id: "d", action: { commands: ["ls"] } },
    { type: "shell_call_output", call_id: "d", output: [{ stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } }] },
  ],
};

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]))];
}

/** A copy with another value at the path. */
function withValue(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) return value.map((inner: unknown, at) => (at === key ? withValue(inner, rest, other) : inner));
  const record = value as Json;
  return { ...record, [key]: withValue(record[key], rest, other) };
}

const PROTOCOLS: readonly (readonly [(options: ProtocolOptions) => Protocol, Json])[] = [
  [createChatProtocol, CHAT],
  [createResponsesProtocol, RESPONSES],
];

describe("a field with any other value in it", () => {
  for (const [create, body] of PROTOCOLS) {
    const paths = pathsIn(body).slice(1);
    it(`is refused in the provider's form or answered: ${create.name}`, () => {
      let made = 0;
      const protocol = create({ tokensOf: () => 1, windowTokens: 1000, newId: (prefix) => `${prefix}${++made}` });
      assert.equal(protocol.check(body, {}), undefined);
      checkProperty(`odd requests: ${create.name}`, [fc.constantFrom(...paths), fc.jsonValue()], (path, other) => {
        assertAnswered(protocol, withValue(body, path, other) as Json);
      });
    });

    it(`is refused where it cannot be made text: ${create.name}`, () => {
      const protocol = create({ tokensOf: () => 1, windowTokens: 1000, newId: (prefix) => prefix });
      for (const path of paths) assertAnswered(protocol, withValue(body, path, { toString: 0 }) as Json);
    });
  }
});

function assertAnswered(protocol: Protocol, odd: Json): void {
  const rejection = protocol.check(odd, {});
  if (rejection !== undefined) assert.equal(typeof (rejection.body["error"] as Json)["message"], "string");
  else {
    assert.ok(protocol.read(odd, 0).messages.length > 0);
    assert.ok(protocol.answer(odd, { text: "ok" }, 0).events.length > 0);
  }
}
