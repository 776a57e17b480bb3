import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { faults, type JudgedMessage } from "../../../test/support/provider-judge.ts";
import { anyTranscript, cases, seed, validTranscript } from "../../../test/support/transcripts.ts";
import { createAnthropicProtocol } from "./anthropic-protocol.ts";

/**
 * The judge of the properties (test/support) and the double know the same table of rules, and share no code. Where they differ,
 * the table decides; what only one of them looks at is taken out of the request, or put into it.
 */
const { check } = createAnthropicProtocol({
  tokensOf: () => 1,
  windowTokens: 1_000_000,
  newId: (prefix) => prefix,
  bindsThinking: true,
  prefill: false,
  minimumCacheTokens: 1024,
  verifiesSignatures: false,
});
const MODES = { adaptive: { type: "adaptive" }, manual: { type: "enabled", budget_tokens: 1024 }, off: { type: "disabled" } } as const;
const RUNS = { numRuns: 3 * cases(), seed: seed(), endOnFailure: true };

for (const mode of ["adaptive", "manual", "off"] as const) {
  describe(`the double and the judge of the properties, thinking ${mode}`, () => {
    const refused = (messages: readonly JudgedMessage[]): string | undefined => {
      const rejection = check(bodyOf(messages, MODES[mode]), { "anthropic-beta": "compact-2026-09-04" });
      return rejection === undefined ? undefined : `${rejection.rule}: ${JSON.stringify(rejection.body)}`;
    };

    it("accept the same valid transcripts", () => {
      fc.assert(
        fc.property(validTranscript({ thinking: mode }), (messages) => {
          assert.deepEqual(faults(messages, { thinking: mode }), []);
          assert.equal(refused(messages), undefined);
        }),
        RUNS,
      );
    });

    it("refuse the same broken transcripts, and see many of both kinds", () => {
      const seen = { accepted: 0, refused: 0 };
      fc.assert(
        fc.property(anyTranscript({ thinking: mode }), (messages) => {
          const judged = faults(messages, { thinking: mode });
          const found = refused(messages);
          seen[found === undefined ? "accepted" : "refused"] += 1;
          assert.equal(found === undefined, judged.length === 0, `judge: ${judged.join(", ")}; double: ${found ?? "accepted"}`);
        }),
        RUNS,
      );
      assert.ok(seen.accepted > 30 && seen.refused > 30, JSON.stringify(seen));
    });
  });
}

function bodyOf(messages: readonly JudgedMessage[], thinking: object): Readonly<Record<string, unknown>> {
  const blocks = messages.flatMap((message) => (typeof message.content === "string" ? [] : message.content));
  // A3.2: the judge does not see tools, so those that a request waits for are all there.
  const names = new Set(blocks.filter(({ type }) => type === "server_tool_use").map((block) => ("name" in block ? block.name : "")));
  const tools = [...names].map((name) => ({ type: "server_20260101", name }));
  return { model: "claude-opus-5", max_tokens: 1000, thinking, tools, messages: messages.map(withoutExtras) };
}

/** A1.12: the judge lets pass what clients add; see `decorate`. */
function withoutExtras(message: JudgedMessage): JudgedMessage {
  if (typeof message.content === "string") return message;
  const content = message.content.map((block) => Object.fromEntries(Object.entries(block).filter(([name]) => !EXTRA.has(name))) as unknown as typeof block);
  return { ...message, content };
}

const EXTRA: ReadonlySet<string> = new Set(["x-trace", "parsed", "timestamp", "citations"]);
