/** Inputs that could make the policy slow, and sessions without end. How its time grows with them: `npm run bench:growth`. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compact, createCompactor } from "../src/conversation/index.ts";
import { round } from "./support/build.ts";
import { LARGE_SESSIONS, session } from "./support/large-sessions.ts";

/** Far more than it takes on a slow machine, and far less than it would if its time grew with the square of the size. */
const LIMIT_MS = 60_000;

describe("time grows with what there is, for", () => {
  for (const [name, make] of Object.entries(LARGE_SESSIONS))
    it(name, { timeout: LIMIT_MS }, () => {
      const messages = make(30_000);
      const { messages: view } = compact(messages, { preset: "tight", minBatchTokens: 0, tailTokens: 0, tailTurns: 2 });
      assert.ok(JSON.stringify(view).length <= JSON.stringify(messages).length);
    });
  it("100,000 small results", { timeout: LIMIT_MS }, () => {
    const { messages } = compact(LARGE_SESSIONS["many small results"]?.(100_000) ?? []);
    assert.ok(messages.length < 10_000, `${messages.length} messages`);
    assert.ok(JSON.stringify(messages).length < 1_000_000);
  });
  it("a line of 50 MB", { timeout: LIMIT_MS }, () => {
    const { messages } = compact(session(round("a", "foo_bar1 ".repeat(5_600_000), "Bash")));
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
        ...round(`c${step}`, `line ${step} of it: value_${step}`, "Bash"),
      ]);
      edits = compacted.edits.length;
      if (step % 50 === 0) most = Math.max(most, compacted.report.tokensAfter);
    }
    assert.ok(most <= 8_000, `${most} tokens shown`);
    assert.ok(edits < 100, `${edits} edits`);
  });
});
