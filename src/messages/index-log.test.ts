import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { indexLog, type LogIndex } from "./index-log.ts";
import type { Block, Message, OpenBlock } from "./message.ts";

const use = (id: string): OpenBlock => ({ type: "tool_use", id, name: "bash", input: {} });
const result = (id: string): OpenBlock => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const assistant = (...content: Block[]): Message => ({ role: "assistant", content });
const user = (...content: Block[]): Message => ({ role: "user", content });
const ids = Array.from({ length: 40 }, (_, number) => `call-${number}`);

/** The block of the result of every call, all of which lie in one message. */
const answers = ({ calls }: LogIndex): (number | undefined)[] => calls.map((call) => call.result?.block);

describe("which result belongs to which call", () => {
  it("finds the calls of a turn with more of them than are looked through one by one, in either order", () => {
    const inOrder = indexLog([assistant(...ids.map(use)), user(...ids.map(result))]);
    assert.deepEqual(
      answers(inOrder),
      ids.map((_, number) => number),
    );
    const reversed = indexLog([assistant(...ids.map(use)), user(...ids.toReversed().map(result))]);
    assert.deepEqual(
      answers(reversed),
      ids.map((_, number) => ids.length - 1 - number),
    );
  });

  it("takes the nearest open call where an id repeats, however far away the others are", () => {
    const log = [assistant(use("a")), assistant(use("a"), use("b")), assistant(...ids.map(use)), user(result("a"), result("a"), result("a"))];
    assert.deepEqual(answers(indexLog(log)).slice(0, 3), [1, 0, undefined]);
  });

  it("does not give the client's result to a call of the provider with the same id", () => {
    const log = [assistant(use("a"), { type: "server_tool_use", id: "a" } as Block), user(result("a"))];
    assert.deepEqual(answers(indexLog(log)), [0, undefined]);
  });
});

describe("where things lie", () => {
  const log: Message[] = [
    { role: "user", content: "Hi" },
    assistant({ type: "thinking" }, use("a"), use("b")),
    user(result("a"), { type: "text", text: "Also this." } as Block, result("unknown")),
    { role: "system", content: "Be brief." },
    assistant({ type: "server_tool_use", id: "s" } as Block, { type: "web_search_tool_result", tool_use_id: "s" } as Block),
  ];
  const index = indexLog(log);

  it("counts calls and results for every length of the log", () => {
    assert.deepEqual(index.callsBefore, [0, 0, 2, 2, 2, 3]);
    assert.deepEqual(index.resultsBefore, [0, 0, 0, 2, 2, 2]);
  });

  it("tells results, with and without a call, from what else the user says", () => {
    assert.deepEqual(index.results, [
      { position: 2, block: 0 },
      { position: 2, block: 2 },
    ]);
    assert.deepEqual(index.userBlocks, [
      { position: 0, block: 0 },
      { position: 2, block: 1 },
    ]);
    assert.deepEqual(index.userTexts, ["Hi", "Also this."]);
  });

  it("keeps a place for a block of the user's that is no text", () => {
    const { userBlocks, userTexts } = indexLog([user({ type: "image" }, { type: "text", text: "Look." } as Block)]);
    assert.equal(userBlocks.length, 2);
    assert.deepEqual(userTexts, [undefined, "Look."]);
  });

  it("counts what the assistant says in text, and in nothing else", () => {
    const said = assistant({ type: "thinking", thinking: "Hm." } as Block, { type: "text", text: "abc" } as Block, use("a"), {
      type: "text",
      text: "de",
    } as Block);
    assert.deepEqual(indexLog([{ role: "user", content: "Hello" }, said, user(result("a")), { role: "assistant", content: "done" }]).spokenChars, [0, 5, 0, 4]);
  });

  it("knows the tool of a call, and who made it, whether that is in the log or not", () => {
    const made = { ...use("c"), caller: { type: "code_execution_20250825", tool_id: "elsewhere" } };
    const own = { ...use("d"), caller: { type: "direct" } };
    assert.deepEqual(
      indexLog([assistant(made, own)]).calls.map(({ name, caller, owner }) => ({ name, caller, owner })),
      [
        { name: "bash", caller: "elsewhere", owner: undefined },
        { name: "bash", caller: undefined, owner: undefined },
      ],
    );
  });

  it("knows thinking, system messages and the tools that the provider runs", () => {
    assert.deepEqual(index.thinking, [{ position: 1, block: 0 }]);
    assert.deepEqual(index.systemAt, [3]);
    assert.deepEqual([...new Set(index.providerRunAt)], [4]);
  });
});
