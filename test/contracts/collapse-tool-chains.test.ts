import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collapseToolChains, type Block, type CompressorConfig, type Message, type Target } from "../../src/index.ts";
import { assistant, block, res, text, think, use, user } from "../support/build.ts";

const greps = (id: string, name = "grep"): Block => use(id, name, { pattern: id });
const finds = (id: string, content: string | Block[] = `found ${id}`): Block => res(id, content);
const q = user("q");
const done = assistant("done");
const next = user("next");
const system: Message = { role: "system", content: "be brief" };

const line = (turns: number, name = "grep"): string => `[Tool: ${name} | Result summarized — called ${turns} turns ago]`;
const note = (turns: number, name?: string): Message => ({ role: "assistant", content: line(turns, name) });

type Row = readonly [what: string, messages: readonly Message[], config: CompressorConfig, expected: readonly Message[], target?: Partial<Target>];

function check(rows: readonly Row[]): void {
  for (const [what, messages, config, expected, target] of rows) {
    test(what, () => assert.deepEqual(collapseToolChains(messages, config, target), expected));
  }
}

const pair = [q, assistant(greps("a")), user(finds("a")), done, next];
const after = (collapseAfterTurns: number, more: CompressorConfig = {}): CompressorConfig => ({ collapseAfterTurns, ...more });

describe("collapseToolChains: which pairs", () => {
  check([
    ["none, if collapseAfterTurns is unset", pair, {}, pair],
    ["two messages after the result are not more than 2", pair, after(2), pair],
    ["two messages after the result are more than 1", pair, after(1), [q, note(2), done, next]],
    [
      "each with its own distance",
      [q, assistant(greps("a")), user(finds("a")), assistant(greps("b", "read")), user(finds("b")), done, next],
      after(1),
      [q, note(4), note(2, "read"), done, next],
    ],
    [
      "only those that are old enough",
      [q, assistant(greps("a")), user(finds("a")), assistant(greps("b", "read")), user(finds("b")), done, next],
      after(2),
      [q, note(4), assistant(greps("b", "read")), user(finds("b")), done, next],
    ],
    [
      "a call whose result is not in the next message stays",
      [q, assistant(greps("a")), done, user(finds("a")), done, next],
      after(0),
      [q, assistant(greps("a")), done, user(finds("a")), done, next],
    ],
    [
      "an orphan behind the pair is left alone",
      [q, assistant(greps("a")), user(finds("a")), user(finds("b")), done, next],
      after(0),
      [q, note(3), user(finds("b")), done, next],
    ],
    [
      "a result message with another result stays",
      [q, assistant(greps("a")), user(finds("a"), finds("b")), done, next],
      after(0),
      [q, assistant(greps("a")), user(finds("a"), finds("b")), done, next],
    ],
    [
      "a result of another call stays",
      [q, assistant(greps("a")), user(finds("b")), done, next],
      after(0),
      [q, assistant(greps("a")), user(finds("b")), done, next],
    ],
    [
      "a pair followed by a system message stays",
      [q, assistant(greps("a")), user(finds("a")), system, done, next],
      after(0),
      [q, assistant(greps("a")), user(finds("a")), system, done, next],
    ],
    [
      "the newest round is not answered yet and stays",
      [q, assistant(greps("a")), user(finds("a")), next],
      after(0),
      [q, assistant(greps("a")), user(finds("a")), next],
    ],
    [
      "in manual mode nothing before the last thinking of an open loop",
      [q, assistant(think("1"), greps("a")), user(finds("a")), assistant(think("2"), greps("b")), user(finds("b"))],
      after(0),
      [q, assistant(think("1"), greps("a")), user(finds("a")), assistant(think("2"), greps("b")), user(finds("b"))],
      { thinking: "manual" },
    ],
  ]);

  const search = block("server_tool_use", { id: "s", name: "web_search", input: {} });
  const hits = block("web_search_tool_result", { tool_use_id: "s", content: [] });
  const serverTurn = [q, assistant(search, hits, greps("a")), user(finds("a")), done, next];
  const pendingTurn = [q, assistant(search, greps("a")), user(finds("a")), assistant(hits, text("so")), next];
  const apart = [q, assistant(search), assistant(greps("a")), user(finds("a")), assistant(hits, text("so")), next];
  const program = [
    q,
    assistant(search, { ...greps("a"), caller: { type: "code_execution", tool_id: "s" } }),
    user(finds("a")),
    assistant(hits, text("so")),
    next,
  ];
  check([
    ["a turn with a server tool stays", serverTurn, after(0), serverTurn],
    ["a turn with a server tool that is still running stays", pendingTurn, after(0), pendingTurn],
    ["so does one after it, in a message of its own", apart, after(0), apart],
    ["one before it does not", [...pair, ...apart.slice(1)], after(0), [q, note(7), done, next, ...apart.slice(1)]],
    [
      "nor one behind its result",
      [...apart.slice(0, 5), assistant(greps("b")), user(finds("b")), done, next],
      after(0),
      [...apart.slice(0, 5), note(2), done, next],
    ],
    ["a call that a program made stays", program, after(0), program],
  ]);
});

describe("collapseToolChains: what is shown instead", () => {
  check([
    [
      "the assistant's own text stays",
      [q, assistant(text("Let me look."), greps("a")), user(finds("a")), done, next],
      after(1),
      [q, assistant(text("Let me look."), text(line(2))), done, next],
    ],
    [
      "text behind the call stays, too",
      [q, assistant(greps("a"), text("Wait.")), user(finds("a")), done, next],
      after(1),
      [q, assistant(text("Wait."), text(line(2))), done, next],
    ],
    [
      "thinking goes",
      [q, assistant(think("1"), text("Look:"), greps("a")), user(finds("a")), done, next],
      after(1),
      [q, assistant(text("Look:"), text(line(2))), done, next],
    ],
    ["thinking alone beside the call goes", [q, assistant(think("1"), greps("a")), user(finds("a")), done, next], after(1), [q, note(2), done, next]],
    [
      "everything beside the result stays, as a user message after it",
      [q, assistant(greps("a")), user(finds("a"), text("Use tabs!"), block("image", { source: {} }), text("<checkpoint:abc123>")), done, next],
      after(1),
      [q, note(2), user(text("Use tabs!"), block("image", { source: {} }), text("<checkpoint:abc123>")), done, next],
    ],
    [
      "later thinking goes, because it is bound to what came before it",
      [q, assistant(greps("a")), user(finds("a")), assistant(think("2"), text("done")), next],
      after(1),
      [q, note(2), assistant(text("done")), next],
    ],
    [
      "later thinking stays where it is not bound",
      [q, assistant(greps("a")), user(finds("a")), assistant(think("2"), text("done")), next],
      after(1),
      [q, note(2), assistant(think("2"), text("done")), next],
      { bindsThinking: false },
    ],
    [
      "earlier thinking stays",
      [q, assistant(think("0"), text("first")), next, ...pair.slice(1)],
      after(1),
      [q, assistant(think("0"), text("first")), next, note(2), done, next],
    ],
  ]);
});

describe("collapseToolChains: several calls in a turn", () => {
  const several = [q, assistant(text("Both."), greps("a"), greps("b", "read")), user(finds("b"), finds("a")), done, next];
  const partly = [q, assistant(greps("a"), greps("b")), user(finds("a")), user(finds("b")), done, next];
  check([
    ["stay by default", several, after(1), several],
    [
      "one line per call, in the order of the calls",
      several,
      after(1, { collapseMultiToolTurns: true }),
      [q, assistant(text("Both."), text(`${line(2)}\n${line(2, "read")}`)), done, next],
    ],
    ["stay if not all are answered in the next message", partly, after(0, { collapseMultiToolTurns: true }), partly],
    [
      "each gist follows its own line",
      [q, assistant(greps("a"), greps("b", "read")), user(finds("b", "second"), finds("a", "first")), done, next],
      after(1, { collapseMultiToolTurns: true, collapseGistChars: 3 }),
      [q, assistant(`${line(2)}\nfir\n${line(2, "read")}\nsec`), done, next],
    ],
  ]);
});

describe("collapseToolChains: the gist", () => {
  const withResult = (content: string | Block[]): Message[] => [q, assistant(greps("a")), user(finds("a", content)), done, next];
  const gist = (collapseGistChars: number): CompressorConfig => after(1, { collapseGistChars });
  const shown = (rest: string): Message[] => [q, { role: "assistant", content: line(2) + rest }, done, next];
  check([
    ["0 characters: none", withResult("found it"), gist(0), shown("")],
    ["the first characters, on a new line", withResult("found it"), gist(5), shown("\nfound")],
    ["all of it, if it is short", withResult("found it"), gist(50), shown("\nfound it")],
    ["none of an empty result", withResult(""), gist(50), shown("")],
    ["the text of blocks", withResult([text("found"), block("image", {}), text("it")]), gist(50), shown("\nfound\nit")],
    ["no split surrogate", withResult("a\u{1f600}b"), gist(2), shown("\na")],
  ]);
});

test("untouched messages are the same objects, and the input is not changed", () => {
  const before = structuredClone(pair);
  const view = collapseToolChains(pair, after(1));
  assert.equal(view[0], q);
  assert.equal(view[2], done);
  assert.equal(view[3], next);
  assert.deepEqual(pair, before);
});
