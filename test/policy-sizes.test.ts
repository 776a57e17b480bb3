/** No input makes the policy quadratic, and a long session costs it no more per call than a short one. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Block, Message } from "../src/index.ts";
import { compact, createCompactor } from "../src/policy/index.ts";

const round = (id: string, content: string, input: object = {}): Message[] => [
  { role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
];
const session = (...rounds: readonly (readonly Message[])[]): Message[] => [{ role: "user", content: "Go." }, ...rounds.flat()];

/** Each makes something of a size; four times the size may take four times as long, and not sixteen times. */
const SHAPES: Readonly<Record<string, (size: number) => Message[]>> = {
  "one line": (size) => session(round("a", "x1".repeat(size * 50))),
  "one line of words": (size) => session(round("a", "foo_bar1 ".repeat(size * 10))),
  "many lines": (size) => session(round("a", Array.from({ length: size * 5 }, (_, line) => `value_${line}: ${line}`).join("\n"))),
  "the same line": (size) => session(round("a", "again and again\n".repeat(size * 5))),
  "blank lines": (size) => session(round("a", "\n".repeat(size * 50))),
  "escape codes": (size) => session(round("a", "\u001b[31mred\u001b[0m ".repeat(size * 10))),
  "deep JSON": (size) => session(round("a", `${'{"a":['.repeat(size)}1${"]}".repeat(size)}`)),
  "wide JSON": (size) => session(round("a", JSON.stringify(Array.from({ length: size * 2 }, (_, id) => ({ id, name: `name_${id}` }))))),
  "brackets that never close": (size) => session(round("a", "[{(<".repeat(size * 20))),
  "HTML that never closes": (size) => session(round("a", "<div><p title='a".repeat(size * 10))),
  "indents that grow": (size) =>
    session(round("a", Array.from({ length: Math.ceil(Math.sqrt(size)) * 10 }, (_, line) => `${" ".repeat(line)}if (a_${line}) {`).join("\n"))),
  "many small results": (size) => session(...Array.from({ length: size }, (_, n) => round(`c${n}`, `ok ${n}`))),
  "many results that say the same": (size) =>
    session(...Array.from({ length: size }, () => round("c", "the very same text again ".repeat(4), { command: "ls" }))),
  "many calls of one turn": (size) =>
    session([
      { role: "assistant", content: Array.from({ length: size }, (_, n) => ({ type: "tool_use", id: `c${n}`, name: "Bash", input: {} }) as Block) },
      { role: "user", content: Array.from({ length: size }, (_, n) => ({ type: "tool_result", tool_use_id: `c${n}`, content: `ok ${n}` }) as Block) },
    ]),
  "a long input": (size) => session(round("a", "ok", { content: "foo_bar1 = 2;\n".repeat(size * 5) }), round("b", "ok")),
};

/** Far more than it takes on a slow machine, and far less than it would if its time grew with the square of the size. */
const LIMIT_MS = 60_000;

describe("time grows with what there is, for", () => {
  for (const [name, make] of Object.entries(SHAPES))
    it(name, { timeout: LIMIT_MS }, () => {
      const messages = make(30_000);
      const { messages: view } = compact(messages, { preset: "tight", minBatchTokens: 0, tailTokens: 0, tailTurns: 2 });
      assert.ok(JSON.stringify(view).length <= JSON.stringify(messages).length);
    });
  it("100,000 small results", { timeout: LIMIT_MS }, () => {
    const { messages } = compact(SHAPES["many small results"]?.(100_000) ?? []);
    assert.ok(messages.length < 10_000, `${messages.length} messages`);
    assert.ok(JSON.stringify(messages).length < 1_000_000);
  });
  it("a line of 50 MB", { timeout: LIMIT_MS }, () => {
    const { messages } = compact(session(round("a", "foo_bar1 ".repeat(5_600_000))));
    assert.ok(JSON.stringify(messages).length < 100_000);
  });
});

describe("a session of 2,000 steps", () => {
  it("keeps to its limit, with few edits", () => {
    const compactor = createCompactor({ preset: "tight", model: "claude-opus-5", budget: 8_000, minBatchTokens: 2_000 });
    let most = 0;
    let edits = 0;
    for (let step = 0; step < 2_000; step++) {
      const compacted = compactor.append([
        ...(step === 0 ? [{ role: "user" as const, content: "Go." }] : []),
        ...round(`c${step}`, `line ${step} of it: value_${step}`),
      ]);
      edits = compacted.edits.length;
      if (step % 50 === 0) most = Math.max(most, compacted.report.tokensAfter);
    }
    assert.ok(most <= 8_000, `${most} tokens shown`);
    assert.ok(edits < 100, `${edits} edits`);
  });
});
