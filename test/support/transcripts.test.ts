import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { blocksOf, type Message } from "../../src/messages/message.ts";
import { BREAKAGE_KINDS, breakTranscript } from "./break-transcript.ts";
import { faults, type JudgeTarget } from "./provider-judge.ts";
import { FEATURES } from "./transcript-features.ts";
import { anyTranscript, checkProperty, pendingTranscript, sameBytes, validTranscript } from "./transcripts.ts";

const SEED = 20261115;

const KINDS: readonly [name: string, transcript: fc.Arbitrary<Message[]>, target: JudgeTarget][] = [
  ["valid", validTranscript(), {}],
  ["valid, a system message last", validTranscript({ end: "system" }), {}],
  ["valid in manual mode", validTranscript({ thinking: "manual" }), { thinking: "manual" }],
  ["valid without thinking", validTranscript({ thinking: "off" }), { thinking: "off" }],
  ["valid with checkpoints", validTranscript({ checkpoints: "text" }), {}],
  ["pending", pendingTranscript(), { history: true }],
  ["pending in manual mode", pendingTranscript({ thinking: "manual" }), { thinking: "manual", history: true }],
];

for (const [name, transcript, target] of KINDS) {
  test(`${name}: the provider has nothing against it`, () => {
    checkProperty(name, [transcript], (messages) => {
      assert.deepEqual(faults(messages, target), []);
    });
  });
}

test("a valid transcript ends in a user message", () => {
  checkProperty("ends in user", [validTranscript()], (messages) => messages.at(-1)?.role === "user");
});

test("a pending transcript is no request yet", () => {
  checkProperty("pending", [pendingTranscript()], (messages) => {
    const last = messages.at(-1);
    const paused = last?.role === "assistant" && blocksOf(last).some((block) => block.type === "server_tool_use");
    return paused || faults(messages).length > 0;
  });
});

test("checkpoint ids are unique, and each is the last block of a user message", () => {
  checkProperty("checkpoints", [validTranscript({ checkpoints: "mixed" })], (messages) => {
    const ids = messages.flatMap((message) =>
      blocksOf(message).flatMap((block, index, all) => {
        const text = "text" in block && typeof block.text === "string" ? block.text : "";
        const id = block.type === "checkpoint" && "id" in block ? block.id : /^<checkpoint:([a-z0-9]{6})>$/.exec(text)?.[1];
        if (message.role !== "user" || id === undefined) return [];
        assert.equal(index, all.length - 1);
        return [id];
      }),
    );
    assert.equal(new Set(ids).size, ids.length);
  });
});

test("every feature occurs in 2,000 valid transcripts", () => {
  const sample = fc.sample(validTranscript(), { numRuns: 2000, seed: SEED });
  const missing = Object.entries(FEATURES).filter(([, has]) => !sample.some(has));
  assert.deepEqual(
    missing.map(([name]) => name),
    [],
  );
});

const FAULTS_IN_THE_INPUT = [
  "A1.2",
  "A1.4",
  "A1.5",
  "A1.6",
  "A1.8",
  "A1.10",
  "A1.11",
  "A2.1",
  "A2.2|A2.6",
  "A2.3",
  "A2.5",
  "A2.7",
  "A2.9",
  "A2.12",
  "A2.13",
  "A3.1",
  "A3.2",
  "A3.3",
  "A4.4",
  "A4.5",
  "A6.max",
];

test("every fault occurs in 2,000 arbitrary transcripts, and so does none", () => {
  const found = fc.sample(anyTranscript(), { numRuns: 2000, seed: SEED }).map((messages) => faults(messages));
  const rules = new Set(found.flat().map((fault) => fault.slice(0, fault.indexOf(":"))));
  assert.deepEqual(
    FAULTS_IN_THE_INPUT.filter((rule) => !rules.has(rule)),
    [],
  );
  assert.ok(found.filter((list) => list.length === 0).length > 200);
});

test("arbitrary transcripts have the shape that a parser accepts", () => {
  checkProperty("shape", [anyTranscript()], (messages) => {
    assert.ok(messages.length > 0);
    for (const message of messages) {
      assert.ok(["user", "assistant", "system"].includes(message.role));
      for (const block of blocksOf(message)) {
        assert.equal(typeof block.type, "string");
        if (block.type === "tool_result") assert.ok("tool_use_id" in block && typeof block.tool_use_id === "string");
        if (block.type === "tool_use") assert.ok("id" in block && typeof block.id === "string");
      }
    }
  });
});

for (const kind of BREAKAGE_KINDS) {
  test(`${kind} breaks some valid transcript and leaves its input alone`, () => {
    const place = fc.nat({ max: 9999 });
    const sample = fc.sample(fc.tuple(validTranscript({ maxExchanges: 3 }), place, place), { numRuns: 200, seed: SEED });
    const broken = sample.filter(([messages, pick, other]) => {
      const before = JSON.stringify(messages);
      const after = breakTranscript(messages, [{ kind, pick, other }]);
      assert.equal(JSON.stringify(messages), before);
      return faults(after).length > 0;
    });
    assert.ok(broken.length > 0);
  });
}

test("one seed gives one sequence of transcripts", () => {
  const take = (): Message[][] => fc.sample(anyTranscript(), { numRuns: 50, seed: SEED });
  assert.ok(sameBytes(take(), take()));
});
