import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { BindingWorld, type JudgedMessage } from "../../../test/support/provider-judge.ts";
import { cases, seed } from "../../../test/support/transcripts.ts";
import { createAnthropicProtocol } from "./anthropic-protocol.ts";

/** One exchange: what the model says (with thinking or not, with calls or not), and what of earlier messages the client changes before it asks again. */
interface Step {
  readonly thinks: boolean;
  readonly redacts: boolean;
  readonly calls: boolean;
  /** Positions, modulo the length of the log, whose thinking is not sent. */
  readonly stripped: readonly number[];
  /** Positions from which on no thinking is sent. */
  readonly strippedFrom: number;
  /** Positions whose words are changed. */
  readonly cut: readonly number[];
  /** Keep to the changes of the step before, as a client does that does not want to be refused. */
  readonly isSteady: boolean;
}

const positions = fc.oneof({ weight: 3, arbitrary: fc.constant<number[]>([]) }, { weight: 1, arbitrary: fc.array(fc.nat({ max: 30 }), { maxLength: 2 }) });
const step: fc.Arbitrary<Step> = fc.record({
  thinks: fc.boolean(),
  redacts: fc.nat({ max: 4 }).map((number) => number === 0),
  calls: fc.nat({ max: 3 }).map((number) => number > 0),
  stripped: positions,
  strippedFrom: fc.constantFrom(0, 99, 99, 99),
  cut: positions,
  isSteady: fc.boolean(),
});

it("the double binds thinking as the judge of the properties does", () => {
  const seen = { accepted: 0, "A4.1": 0, "A4.7": 0, "A4.8": 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 9 }), (steps) => {
      for (const rule of play(steps)) seen[rule] += 1;
    }),
    { numRuns: 3 * cases(), seed: seed(), endOnFailure: true },
  );
  assert.ok(seen.accepted > 300 && seen["A4.1"] > 30 && seen["A4.8"] > 30, JSON.stringify(seen));
});

function play(steps: readonly Step[]): ("accepted" | "A4.1" | "A4.7" | "A4.8")[] {
  let given = 0;
  const protocol = createAnthropicProtocol({
    tokensOf: () => 1,
    windowTokens: 1_000_000,
    newId: (prefix) => `${prefix}${(given += 1)}`,
    bindsThinking: true,
    prefill: false,
    minimumCacheTokens: 1024,
    verifiesSignatures: true,
  });
  const bodyOf = (messages: readonly JudgedMessage[]): Readonly<Record<string, unknown>> => ({
    model: "m",
    max_tokens: 1,
    thinking: { type: "adaptive" },
    messages,
  });
  const log: JudgedMessage[] = [{ role: "user", content: "begin" }];
  const world = new BindingWorld(log);
  const outcomes: ReturnType<typeof play> = [];
  let change: Pick<Step, "stripped" | "strippedFrom" | "cut"> = { stripped: [], strippedFrom: 99, cut: [] };
  for (const now of steps) {
    if (!now.isSteady) change = now;
    let view = viewOf(log, change);
    const found = protocol.check(bodyOf(view), {});
    const judged = world.faults(view);
    assert.equal(found === undefined, judged.length === 0, `judge: ${judged.join(", ")}; double: ${JSON.stringify(found)}; ${JSON.stringify(view)}`);
    outcomes.push(found === undefined ? "accepted" : (found.rule as "A4.8"));
    if (found !== undefined) view = viewOf(log, { ...change, strippedFrom: 0 });
    const { json } = protocol.answer(
      bodyOf(view),
      {
        ...(now.thinks ? { thinking: `thought ${log.length}` } : {}),
        ...(now.redacts ? { redactedThinking: "hidden" } : {}),
        text: `words ${log.length}`,
        calls: now.calls ? [{ name: "look", input: {}, id: `call${log.length}` }] : [],
      },
      0,
    );
    log.push({ role: "assistant", content: json["content"] as JudgedMessage["content"] });
    world.produced(log.length - 1, view);
    const result = { type: "tool_result", tool_use_id: `call${log.length - 1}`, content: `seen ${log.length}` };
    log.push({ role: "user", content: now.calls ? [result] : `go on ${log.length}` });
  }
  return outcomes;
}

function viewOf(log: readonly JudgedMessage[], { stripped, strippedFrom, cut }: Pick<Step, "stripped" | "strippedFrom" | "cut">): JudgedMessage[] {
  return log.map((message, position) => {
    const isBare = position >= strippedFrom || stripped.some((number) => number % log.length === position);
    const isCut = cut.some((number) => number % log.length === position);
    if (typeof message.content === "string") return isCut ? { ...message, content: "changed" } : message;
    const content = message.content
      .filter(({ type }) => !isBare || !type.includes("thinking"))
      .map((block) => (isCut && block.type === "tool_result" ? { ...block, content: "changed" } : block));
    return { ...message, content };
  });
}
