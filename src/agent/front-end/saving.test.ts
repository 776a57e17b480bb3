/** What is written, and where, after the store was unavailable. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { assistant, res, text, use, user } from "../../../test/support/build.ts";
import type { Message } from "../../messages/message.ts";
import { openStore } from "../../store/open-store.ts";
import type { Note, Store } from "../../store/store.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { ConversationAbout } from "../calls/conversation-about.ts";
import { HEAD, HEAD_PART } from "../calls/head-parts.ts";
import { anthropicWire } from "../wires/anthropic/anthropic-wire.ts";
import type { FrontEndEvent } from "./front-end-event.ts";
import { createFrontEnd, type FrontEnd } from "./front-end.ts";

const KINDS = ["call", "about", "session", "aligned", "head"];
const TOOL = { name: "read", input_schema: { type: "object" } };

/** Asks as a client that gets this text as its answer. */
async function ask(frontEnd: FrontEnd, messages: readonly Message[], answer: string): Promise<void> {
  const body = { model: "claude-opus-5", max_tokens: 10, system: `For ${answer.split(" ", 1)[0] ?? ""}.`, tools: [TOOL], messages };
  const raw = { id: "msg", type: "message", role: "assistant", content: [text(answer)], usage: { input_tokens: 1, output_tokens: 1 } };
  await frontEnd.send(anthropicWire, body, { send: () => Promise.resolve({ answer: raw }), stream: () => Promise.reject(new Error("no stream")) });
}

/** Two calls of a conversation that begins like all others in this file. */
async function converse(frontEnd: FrontEnd, name: string): Promise<Message[]> {
  const messages: Message[] = [user("question")];
  await ask(frontEnd, messages, `${name} one`);
  messages.push(assistant(text(`${name} one`)), user("and then?"));
  await ask(frontEnd, messages, `${name} two`);
  return [...messages, assistant(text(`${name} two`))];
}

async function notesOf(store: Store): Promise<Note[]> {
  return (await Promise.all(KINDS.map((kind) => store.notes({ kind })))).flat();
}

/** The store, while it is available. */
function mayBeAway(real: Store): { readonly store: Store; readonly setAway: (isAway: boolean) => void } {
  let isAway = true;
  const store = new Proxy(real, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name === "close") return () => Promise.resolve();
      return (...given: unknown[]): unknown =>
        isAway ? Promise.reject(new Error("the store is away")) : (value as (...all: unknown[]) => unknown).apply(target, given);
    },
  });
  return { store, setAway: (away) => (isAway = away) };
}

describe("a conversation that begins like one of the store's, while the store is away", () => {
  for (const how of ["it fails", "it cannot be opened"] as const)
    test(`${how}: what waited replaces nothing, and has a branch of its own`, async () => {
      const real = await openStore("memory");
      const first = createFrontEnd({ store: real });
      const said = await converse(first, "A");
      await first.close();
      const before = await notesOf(real);
      assert.equal(before.filter(({ kind }) => kind === "call").length, 2);

      const { store, setAway } = mayBeAway(real);
      let isOpen = how === "it fails";
      const open = (): Promise<Store> => (isOpen ? Promise.resolve(store) : Promise.reject(new Error("no such store")));
      const second = createFrontEnd({ store: isOpen ? store : "sqlite:elsewhere.db" }, open);
      await converse(second, "B");
      setAway(false);
      isOpen = true;
      await second.saved();

      const after = await notesOf(real);
      const find = (notes: readonly Note[], { thread, kind, key }: Note): Note | undefined =>
        notes.find((note) => note.thread === thread && note.kind === kind && note.key === key);
      for (const note of before) assert.deepEqual(find(after, note), note);
      const added = after.filter((note) => find(before, note) === undefined);
      const ofKind = (kind: string): Note[] => added.filter((note) => note.kind === kind);
      const abouts = ofKind("about").map(({ key, value }) => [key, JSON.parse(value) as ConversationAbout] as const);
      assert.deepEqual(
        abouts.map(([key, { branch, calls, messages }]) => [key, branch, calls, messages]),
        [["b2", "b2", 2, 4]],
      );
      const records = ofKind("call").map(({ key, value }) => [key, JSON.parse(value) as CallRecord] as const);
      assert.deepEqual(
        records.map(([key, { branch, end }]) => [key, branch, end]),
        [
          ["b2/00000001", "b2", 2],
          ["b2/00000002", "b2", 4],
        ],
      );
      const heads = ofKind("head").map(({ key }) => key);
      assert.ok(records.every(([, { head }]) => heads.includes(head.hash)));
      const [thread] = await real.threads();
      assert.deepEqual(
        (await real.branches(thread?.id ?? "")).map(({ name, length }) => [name, length]),
        [
          ["main", 4],
          ["b2", 4],
        ],
      );
      await second.close();

      const third = createFrontEnd({ store: real });
      await ask(third, [...said, user("and A?")], "A three");
      await third.close();
      const calls = (await real.notes({ kind: "about" })).map(({ key, value }) => [key, (JSON.parse(value) as ConversationAbout).calls]);
      assert.deepEqual(Object.fromEntries(calls), { main: 3, b2: 2 });
    });
});

test("a clock in the system prompt does not store the tools again with every call", async () => {
  const store = await openStore("memory");
  const frontEnd = createFrontEnd({ store });
  const tools = Array.from({ length: 20 }, (_, number) => ({
    ...TOOL,
    name: `tool_${number}`,
    description: `Does ${number}. ${"It is used often. ".repeat(110)}`,
  }));
  const messages: Message[] = [];
  for (let call = 0; call < 50; call++) {
    messages.push(user(`question ${call}`));
    const raw = { id: "msg", type: "message", role: "assistant", content: [text(`answer ${call}`)], usage: { input_tokens: 1, output_tokens: 1 } };
    const body = { model: "claude-opus-5", max_tokens: 10, system: [{ type: "text", text: `It is ${call} o'clock.` }], tools, messages: [...messages] };
    await frontEnd.send(anthropicWire, body, { send: () => Promise.resolve({ answer: raw }), stream: () => Promise.reject(new Error("no stream")) });
    messages.push(assistant(text(`answer ${call}`)));
  }
  await frontEnd.close();
  const notes = (await Promise.all([HEAD, HEAD_PART].map((kind) => store.notes({ kind })))).flat();
  const bytes = notes.reduce((sum, { value }) => sum + value.length, 0);
  const once = JSON.stringify(tools).length;
  assert.ok(once > 40_000 && bytes < once + 50 * 600, `${bytes} bytes for ${once} bytes of tools`);
  assert.equal(notes.filter(({ kind }) => kind === HEAD).length, 50);
});

describe("close() with a store that hangs", () => {
  const CONVERSE = `
    import { createFrontEnd } from ${JSON.stringify(new URL("front-end.ts", import.meta.url).href)};
    import { anthropicWire } from ${JSON.stringify(new URL("../wires/anthropic/anthropic-wire.ts", import.meta.url).href)};
    import { createMemoryStore } from ${JSON.stringify(new URL("../../store/memory-store.ts", import.meta.url).href)};
    const never = () => new Promise(() => undefined);
    const real = createMemoryStore();
    const store = { ...real, name: real.name, putNotes: never, append: never, close: never };
    const frontEnd = createFrontEnd({ store: "sqlite:x.db" }, () => Promise.resolve(store));
    const raw = { id: "msg", type: "message", role: "assistant", content: [{ type: "text", text: "ok" }], usage: { input_tokens: 1, output_tokens: 1 } };
    const ask = (content) =>
      frontEnd.send(
        anthropicWire,
        { model: "claude-opus-5", max_tokens: 10, tools: [{ name: "read" }], messages: [{ role: "user", content }] },
        { send: () => Promise.resolve({ answer: raw }), stream: never },
      );
    await Promise.all([ask("one"), ask("two"), ask("three")]);
    const began = performance.now();
    await frontEnd.close(300).catch((error) => console.log(error.code, error.message));
    console.log(performance.now() - began < 2_000);
  `;
  test("returns soon, says what is lost, and lets the process end", () => {
    const { stdout, stderr, signal } = spawnSync(process.execPath, ["--input-type=module", "--eval", CONVERSE], { encoding: "utf8", timeout: 20_000 });
    assert.deepEqual(
      [signal, stderr, stdout.split("\n").slice(0, 2)],
      [null, "", ["STORE_FAILED sqlite: close failed: new messages or records of 3 conversations are lost (no answer within 0.3 s)", "true"]],
    );
  });
});

describe("before a request goes up", () => {
  /** Plays two calls, then one with a long result, and says what was done in which order. */
  async function orderOf(policy: "tight" | undefined): Promise<string[]> {
    const order: string[] = [];
    const real = await openStore("memory");
    const store = new Proxy(real, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...given: unknown[]): unknown => {
          if (name === "append") order.push("stored");
          return (value as (...all: unknown[]) => unknown).apply(target, given);
        };
      },
    });
    const onEvent = ({ type }: FrontEndEvent): unknown => type === "edited" && order.push("edited");
    const frontEnd = createFrontEnd({ store, onEvent, ...(policy === undefined ? {} : { policy }) });
    const messages: Message[] = [user("question")];
    const answers: Message[] = [assistant(text("One moment.")), assistant(use("a", "read")), assistant(text("Done."))];
    for (const answer of answers) {
      order.push("asked");
      const body = { model: "claude-opus-5", max_tokens: 10, tools: [TOOL], messages: [...messages] };
      const raw = { id: "msg", type: "message", role: "assistant", content: answer.content, usage: { input_tokens: 1, output_tokens: 1 } };
      const send = (): Promise<{ answer: object }> => {
        order.push("sent");
        return Promise.resolve({ answer: raw });
      };
      await frontEnd.send(anthropicWire, body, { send, stream: () => Promise.reject(new Error("no stream")) });
      messages.push(answer, user(answer === answers[1] ? res("a", longLog(2_000)) : "Go on."));
    }
    await frontEnd.close();
    return order
      .join(" ")
      .split("asked ")
      .slice(1)
      .map((call) => call.trim());
  }

  test("what the client sends again anyway is stored with the answer", async () => {
    const [first, ...later] = await orderOf(undefined);
    assert.equal(first, "stored sent stored");
    assert.deepEqual(later, ["sent stored", "sent stored"]);
  });

  test("an edit is stored first", async () => {
    const calls = await orderOf("tight");
    assert.equal(calls.at(-1), "edited stored sent stored");
  });
});

function longLog(lines: number): string {
  return Array.from({ length: lines }, (_, line) => `line ${line} of a log that nobody needs as a whole, ${line * 7919}`).join("\n");
}
