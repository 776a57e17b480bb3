import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assistant, res, text, use, user } from "../../test/support/build.ts";
import { indexLog, type LogIndex } from "./index-log.ts";
import type { Message } from "./message.ts";

const ids = Array.from({ length: 40 }, (_, number) => `call-${number}`);

/** The block of the result of every call, all of which lie in one message. */
const answers = ({ calls }: LogIndex): (number | undefined)[] => calls.map((call) => call.result?.block);

describe("which result belongs to which call", () => {
  it("finds the calls of a turn with more of them than are looked through one by one, in either order", () => {
    const inOrder = indexLog([assistant(...ids.map((id) => use(id))), user(...ids.map((id) => res(id)))]);
    assert.deepEqual(
      answers(inOrder),
      ids.map((_, number) => number),
    );
    const reversed = indexLog([assistant(...ids.map((id) => use(id))), user(...ids.toReversed().map((id) => res(id)))]);
    assert.deepEqual(
      answers(reversed),
      ids.map((_, number) => ids.length - 1 - number),
    );
  });

  it("takes the nearest open call where an id repeats, however far away the others are", () => {
    const log = [assistant(use("a")), assistant(use("a"), use("b")), assistant(...ids.map((id) => use(id))), user(res("a"), res("a"), res("a"))];
    assert.deepEqual(answers(indexLog(log)).slice(0, 3), [1, 0, undefined]);
  });

  it("names the call of every result, in either order, and none for an orphan", () => {
    const log = [assistant(...ids.map((id) => use(id))), user(...ids.toReversed().map((id) => res(id)), res("orphan"))];
    assert.deepEqual(
      indexLog(log).answered.map((call) => call?.id),
      [...ids.toReversed(), undefined],
    );
  });

  it("does not give the client's result to a call of the provider with the same id", () => {
    const log = [assistant(use("a"), { type: "server_tool_use", id: "a" }), user(res("a"))];
    assert.deepEqual(answers(indexLog(log)), [0, undefined]);
  });
});

describe("where things lie", () => {
  const log: Message[] = [
    user("Hi"),
    assistant({ type: "thinking" }, use("a"), use("b")),
    user(res("a"), text("Also this."), res("unknown")),
    { role: "system", content: "Be brief." },
    assistant({ type: "server_tool_use", id: "s" }, { type: "web_search_tool_result", tool_use_id: "s" }),
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
    const { userBlocks, userTexts } = indexLog([user({ type: "image" }, text("Look."))]);
    assert.equal(userBlocks.length, 2);
    assert.deepEqual(userTexts, [undefined, "Look."]);
  });

  it("counts what the assistant says in text, and in nothing else", () => {
    const said = assistant({ type: "thinking", thinking: "Hm." }, text("abc"), use("a"), text("de"));
    assert.deepEqual(indexLog([user("Hello"), said, user(res("a")), assistant("done")]).spokenChars, [0, 5, 0, 4]);
  });

  it("knows the tool of a call, and who made it, whether that is in the log or not", () => {
    const made = { ...use("c", "bash"), caller: { type: "code_execution_20250825", tool_id: "elsewhere" } };
    const own = { ...use("d", "bash"), caller: { type: "direct" } };
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
