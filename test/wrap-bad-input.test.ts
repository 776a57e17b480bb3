/** What a wrapped client, a thread or a compactor is given and cannot use: an error with its code and path, and nothing is changed. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { createThread, openThread } from "../src/agent/index.ts";
import { wrapAnthropic, type FrontEndEvent } from "../src/agent/clients/anthropic.ts";
import { wrapOpenAI } from "../src/agent/clients/openai.ts";
import { openCompactor } from "../src/history/open-compactor.ts";
import { PalimpsestError } from "../src/index.ts";
import { openStore } from "../src/store/open-store.ts";
import type { SeenRequest, Turn } from "../src/testing/index.ts";
import { res, use } from "./support/build.ts";
import { startDouble } from "./support/agents/start-double.ts";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-bad-input-"));
after(() => rmSync(folder, { recursive: true }));

const LONG = (name: string): string => Array.from({ length: 300 }, (_, line) => `${name} ${line + 1}: ${line * 7919}`).join("\n");
const POLICY = { policy: { preset: "tight", firstSightTokens: 200, firstSightFileTokens: 200 } } as const;
const tools: Anthropic.Tool[] = [{ name: "read", input_schema: { type: "object" } }];
const refusal =
  (code: string, path?: string) =>
  (error: unknown): boolean =>
    PalimpsestError.isInstance(error) && error.code === code && (path === undefined || error.data["path"] === path);

for (const [name, lossy] of Object.entries({ text: "yes", number: 1, null: null, object: {} }))
  test(`a lossy that is no boolean is refused with its path: ${name}`, () => {
    const options = { ...POLICY, lossy: lossy as never };
    assert.throws(() => wrapAnthropic(new Anthropic({ apiKey: "test" }), options), refusal("INVALID_OPTION", "options.lossy"));
    assert.throws(() => wrapOpenAI(new OpenAI({ apiKey: "test" }), options), refusal("INVALID_OPTION", "options.lossy"));
  });

describe("a store that a newer version has written", () => {
  const newerStore = async (name: string): Promise<{ path: string; address: string; bytes: Buffer }> => {
    const path = join(folder, `${name}.db`);
    await (await openStore(`sqlite:${path}`)).close();
    const db = new DatabaseSync(path);
    db.exec("UPDATE palimpsest_schema SET version = 99");
    db.close();
    return { path, address: `sqlite:${path}`, bytes: readFileSync(path) };
  };

  test("is reported by a wrapped client, whose calls continue from memory, and nothing is written to it", async () => {
    const { path, address, bytes } = await newerStore("client");
    const double = await startDouble({ script: (request) => (request.turn === 0 ? { calls: [{ name: "read", input: {} }] } : { text: "ok" }) });
    const events: FrontEndEvent[] = [];
    const onEvent = (event: FrontEndEvent): unknown => (event.type === "failed" ? events.push(event) : 0);
    const client = wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }), { ...POLICY, store: address, onEvent });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Go." }];
    const ask = (): Promise<Anthropic.Message> => client.messages.create({ model: "claude-opus-5-5", max_tokens: 100, messages, tools });
    const first = await ask();
    const [call] = first.content.filter((block) => block.type === "tool_use");
    messages.push({ role: "assistant", content: first.content }, { role: "user", content: [{ type: "tool_result", tool_use_id: call?.id ?? "", content: LONG("line") }] }); // prettier-ignore
    assert.equal((await ask()).stop_reason, "end_turn");
    assert.deepEqual(double.rejected, []);
    assert.match(JSON.stringify(double.requests.at(-1)?.body["messages"]), /recall handle/);
    assert.ok(events.length > 0 && events.every((event) => event.type === "failed" && event.stage === "store" && refusal("SCHEMA_NEWER")(event.error)));
    await assert.rejects(client.palimpsest.saved(), { code: "SCHEMA_NEWER", data: { store: address, found: 99, known: 3 } });
    await assert.rejects(client.palimpsest.close(), { code: "STORE_FAILED", message: /newer palimpsest/i });
    assert.deepEqual(readFileSync(path), bytes);
  });

  test("is refused by a thread and a compactor", async () => {
    const { path, address, bytes } = await newerStore("thread");
    await assert.rejects(openThread({ store: address, thread: "t" }), { code: "SCHEMA_NEWER", data: { store: address, found: 99, known: 3 } });
    await assert.rejects(openCompactor({ store: address, thread: "t" }), { code: "SCHEMA_NEWER" });
    assert.deepEqual(readFileSync(path), bytes);
  });
});

describe("a handle of another conversation", () => {
  test("is unknown to a thread, which stays as it is", () => {
    const [thread, other] = [1, 2].map((number) => {
      const made = createThread(POLICY);
      made.user("Go.");
      made.assistant({ content: [use("a", "read")] });
      made.toolResults([res("a", LONG(`line of ${number}`))]);
      made.request();
      return made;
    });
    assert.ok(thread !== undefined && other !== undefined);
    const handle = other.edits()[0]?.handle ?? "";
    const before = JSON.stringify(thread);
    assert.throws(() => thread.recall({ handle }), { code: "HANDLE_UNKNOWN" });
    assert.equal(JSON.stringify(thread), before);
    assert.equal(other.recall({ handle, lines: "1" }).content, "[lines 1-1 of 300]\n1: line of 2 1: 0");
  });

  test("is unknown to a wrapped client's conversation: its model is told so, and the caller", async () => {
    const foreign: { handle: string } = { handle: "" };
    const script = (request: SeenRequest): Turn => {
      const results = request.messages.flatMap((message) => message.results);
      if (results.length === 0) return { calls: [{ name: "read", input: {} }] };
      const isSecond = (request.messages[0]?.text ?? "").includes("second");
      if (isSecond && results.length === 1) return { calls: [{ name: "recall", input: { handle: foreign.handle } }] };
      return { text: results.at(-1)?.text.slice(0, 60) ?? "" };
    };
    const double = await startDouble({ script });
    const client = wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }), POLICY);
    const converse = async (task: string): Promise<string> => {
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: task }];
      const ask = (): Promise<Anthropic.Message> => client.messages.create({ model: "claude-opus-5-5", max_tokens: 100, messages, tools });
      const first = await ask();
      const [call] = first.content.filter((block) => block.type === "tool_use");
      messages.push({ role: "assistant", content: first.content }, { role: "user", content: [{ type: "tool_result", tool_use_id: call?.id ?? "", content: LONG(task) }] }); // prettier-ignore
      return (await ask()).content.map((block) => (block.type === "text" ? block.text : "")).join("");
    };
    await converse("first");
    const [first] = client.palimpsest.conversations();
    foreign.handle = first?.edits()[0]?.handle ?? assert.fail("nothing was cut");
    assert.match(await converse("second"), /^HANDLE_UNKNOWN: There is no handle /);
    const [second] = client.palimpsest.conversations();
    assert.ok(first !== undefined && second !== undefined && second.id !== first.id);
    const before = JSON.stringify([second.messages, second.edits(), second.tokens]);
    assert.throws(() => second.recall(foreign.handle), { code: "HANDLE_UNKNOWN" });
    assert.throws(() => second.recall({ handle: second.edits()[0]?.handle ?? "", lines: "x" }), refusal("INVALID_INPUT", "input.lines"));
    assert.equal(JSON.stringify([second.messages, second.edits(), second.tokens]), before);
    assert.equal(first.recall(foreign.handle).content, LONG("first"));
  });
});
