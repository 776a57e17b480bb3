import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { reader, readerKey, readerPage } from "../index.ts";
import { startDouble } from "../../../test/support/agents/start-double.ts";

type Json = Readonly<Record<string, unknown>>;

/** How an agent speaks one of the protocols, and nothing more. */
interface Dialect {
  readonly path: string;
  readonly body: (history: readonly Json[]) => Json;
  readonly said: (answer: Json) => readonly Json[];
  readonly call: (item: Json) => { readonly id: string; readonly name: string; readonly input: string } | undefined;
  readonly result: (id: string, text: string) => Json;
  readonly text: (item: Json) => string;
}

const PAGES = 3;
const NAMES = ["read_page", "open_vault"];

const DIALECTS: Readonly<Record<string, Dialect>> = {
  "Chat Completions": {
    path: "/v1/chat/completions",
    body: (messages) => ({ messages, tools: NAMES.map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } })) }),
    said: (answer) => (answer["choices"] as Json[]).map((choice) => choice["message"] as Json),
    call: (message) => {
      const [call] = (message["tool_calls"] ?? []) as { id: string; function: { name: string; arguments: string } }[];
      return call === undefined ? undefined : { id: call.id, name: call.function.name, input: call.function.arguments };
    },
    result: (id, content) => ({ role: "tool", tool_call_id: id, content }),
    text: (message) => String(message["content"]),
  },
  Responses: {
    path: "/v1/responses",
    body: (input) => ({ input, tools: NAMES.map((name) => ({ type: "function", name, parameters: { type: "object" }, strict: false })) }),
    said: (answer) => answer["output"] as Json[],
    call: (item) =>
      item["type"] === "function_call" ? { id: item["call_id"] as string, name: item["name"] as string, input: item["arguments"] as string } : undefined,
    result: (id, output) => ({ type: "function_call_output", call_id: id, output }),
    text: (item) => (item["type"] === "message" ? (item["content"] as { text: string }[]).map(({ text }) => text).join("") : ""),
  },
};

describe("the reader plays for every protocol", () => {
  for (const [name, dialect] of Object.entries(DIALECTS)) {
    it(name, async () => {
      const double = await startDouble({ script: reader({ pages: PAGES, thinks: true }) });
      const history: Json[] = [{ role: "user", content: "Open all vaults." }];
      let final = "";
      while (final === "" && double.requests.length < 20) {
        const body = JSON.stringify({ model: "gpt-6", ...dialect.body(history) });
        const response = await fetch(`${double.url}${dialect.path}`, { method: "POST", body });
        const answer = (await response.json()) as Json;
        assert.equal(response.status, 200, JSON.stringify(answer));
        for (const item of dialect.said(answer)) {
          history.push(item);
          const call = dialect.call(item);
          if (call === undefined) final += dialect.text(item);
          else history.push(dialect.result(call.id, call.name === "read_page" ? readerPage((JSON.parse(call.input) as { page: number }).page) : "opened"));
        }
      }
      assert.equal(final, `FINAL: ${[1, 2, 3].map(readerKey).join(", ")}`);
      assert.equal(double.requests.length, 2 * PAGES + 1);
    });
  }
});
