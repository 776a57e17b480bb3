import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, use, user } from "../../test/support/build.ts";
import type { Trajectory } from "../formats/transcripts/load-transcript.ts";
import type { MessageEntry } from "../formats/transcripts/transcript-format.ts";
import type { Message } from "../messages/message.ts";
import { addedFaults } from "./added-faults.ts";
import { ReplayMeter, totalOf, type ReplayMeasures } from "./measure-replay.ts";
import { policyNamed } from "./policies/policies.ts";
import { replayHead } from "./replay-head.ts";
import type { ReplayPolicy, ReplayStep } from "./replay-policy.ts";
import { replayTrajectory, type ReplayedCall, type ReplayOptions } from "./replay-trajectory.ts";
import { WireMessages } from "./wire-messages.ts";

type Said = Message & Partial<Pick<MessageEntry, "model" | "atMs">>;

function trajectoryOf(said: readonly Said[], more: Partial<Trajectory> = {}): Trajectory {
  const entries = said.map(({ model, atMs, ...message }): MessageEntry => ({
    kind: "message",
    message,
    nativeMessages: 1,
    ...(model === undefined ? {} : { model }),
    ...(atMs === undefined ? {} : { atMs }),
  }));
  return { id: "t", log: entries.map(({ message }) => message), entries, ...more };
}

const asks = (content: string, more: Partial<Said> = {}): Said => ({ ...user(content), ...more });
const says = (content: string, more: Partial<Said> = {}): Said => ({ ...assistant(content), ...more });
const reads = (id: string): Said => assistant(use(id, "read", { path: id }));
const contents = (id: string, content = `content of ${id} `.repeat(300)): Said => user(res(id, content));

/** A policy that says what it is asked, and shows what it is told. */
function policyOf(next: (log: readonly Message[]) => readonly Message[], asked: ReplayStep[] = []): ReplayPolicy {
  return {
    name: "test",
    start: () => ({
      next(log, step) {
        asked.push(step);
        return { messages: next(log), recoverable: [] };
      },
    }),
  };
}

function played(trajectory: Trajectory, policy: ReplayPolicy = policyNamed("none"), options: ReplayOptions = {}): ReplayedCall[] {
  return [...replayTrajectory(trajectory, policy, options)];
}

describe("which calls there are", () => {
  test("a response of several messages is one call, and all of it is the action", () => {
    const calls = played(trajectoryOf([asks("a"), says("b"), says("c"), asks("d"), says("e")]));
    assert.deepEqual(
      calls.map(({ step, position, action, log }) => [step, position, action.length, log.length]),
      [
        [0, 1, 2, 1],
        [1, 4, 1, 4],
      ],
    );
  });
  test("what the agent says before anyone spoke to it is none", () =>
    assert.deepEqual(
      played(trajectoryOf([{ role: "system", content: "s" }, says("Hello."), asks("a"), says("b")])).map(({ position, log }) => [position, log.length]),
      [[3, 2]],
    ));
  test("without a response there is none", () => assert.deepEqual(played(trajectoryOf([asks("a")])), []));
});

describe("what a policy is told", () => {
  const SAID = [
    { role: "system", content: "be brief" } as const,
    asks("a", { atMs: 1_000 }),
    says("b", { model: "gpt-5.4", atMs: 2_000 }),
    asks("c", { atMs: 3_000 }),
    says("d", { atMs: 4_000 }),
    asks("e"),
    says("f", { model: "gpt-5.5", atMs: 5_000 }),
  ];
  const told = (trajectory: Trajectory, options?: ReplayOptions): ReplayStep[] => {
    const asked: ReplayStep[] = [];
    played(
      trajectory,
      policyOf((log) => log, asked),
      options,
    );
    return asked;
  };

  test("the model of each response, and when the request was ready", () =>
    assert.deepEqual(
      told(trajectoryOf(SAID)).map((step) => [step.model, step.atMs]),
      [
        ["gpt-5.4", 1_000],
        ["gpt-5.4", 3_000],
        ["gpt-5.5", 5_000],
      ],
    ));
  test("another model, if it is asked for", () =>
    assert.deepEqual(new Set(told(trajectoryOf(SAID), { model: "claude-opus-5" }).map((step) => step.model)), new Set(["claude-opus-5"])));
  test("one that is taken where the file names none", () => assert.equal(told(trajectoryOf([asks("a"), says("b")]))[0]?.model, "claude-sonnet-5"));
  test("a hash of the head, which no message of the log changes", () => {
    const [hash] = told(trajectoryOf(SAID)).map((step) => step.headHash);
    assert.match(hash ?? "", /^[0-9a-f]{16}$/);
    assert.deepEqual(new Set(told(trajectoryOf(SAID)).map((step) => step.headHash)), new Set([hash]));
    assert.notEqual(told(trajectoryOf(SAID, { tools: [{ name: "read" }] }))[0]?.headHash, hash);
    assert.notEqual(told(trajectoryOf(SAID.slice(1)))[0]?.headHash, hash);
  });
  test("the system's first messages are the head, together with what the file says", () =>
    assert.deepEqual(replayHead(trajectoryOf(SAID, { system: "be kind" })), {
      id: replayHead(trajectoryOf(SAID.slice(1), { system: "be kind\n\nbe brief" })).id,
      messages: 1,
      system: "be kind\n\nbe brief",
      tools: [],
    }));
});

describe("what changes from view to view", () => {
  const SAID = [asks("a"), reads("1"), contents("1"), reads("2"), contents("2"), reads("3"), contents("3"), says("done")];

  test("a message that says the same is the same object, though the policy writes it anew", () => {
    const calls = played(
      trajectoryOf(SAID),
      policyOf((log) => structuredClone(log)),
    );
    calls.forEach(({ view, kept, isRewrite }, number) => {
      const before = calls[number - 1]?.view.messages ?? [];
      assert.deepEqual([kept, isRewrite], [before.length, false]);
      before.forEach((message, place) => assert.equal(view.messages[place], message));
    });
  });
  test("also where it has moved", () => {
    const calls = played(
      trajectoryOf(SAID),
      policyOf((log) => log.slice(-4).map((message) => ({ ...message, note: 1 }))),
    );
    assert.equal(calls[3]?.view.messages[0], calls[2]?.view.messages[2]);
    assert.deepEqual(calls.map(({ edits }) => edits), [1, 2, 2, 2]); // prettier-ignore
  });
  test("batches and edits are counted, and the frontier is where the last batch ended", () => {
    const calls = played(trajectoryOf(SAID), policyNamed("keep-last:1"));
    assert.deepEqual(
      calls.map(({ isRewrite, edits, kept, frontier }) => [isRewrite, edits, kept, frontier]),
      [
        [false, 0, 0, undefined],
        [false, 0, 1, undefined],
        [true, 1, 2, 2],
        [true, 1, 4, 4],
      ],
    );
  });
});

describe("measures", () => {
  const SAID = [asks("a"), ...Array.from({ length: 30 }, (_, number) => [reads(`c${number}`), contents(`c${number}`)]).flat(), says("done")];
  const measured = (trajectory: Trajectory, policy: ReplayPolicy, options?: ReplayOptions): ReplayMeasures => {
    const wire = new WireMessages("anthropic", trajectory.log);
    const meter = new ReplayMeter(replayHead(trajectory), wire, { onWarning: () => undefined });
    for (const each of replayTrajectory(trajectory, policy, options)) meter.add(each);
    return meter.finish();
  };

  for (const name of ["claude-opus-5", "gpt-5.5", "gpt-6-sol", "some-model-of-mine"])
    test(`the full context is what it is compared with: ${name}`, () => {
      const full = measured(trajectoryOf(SAID), policyNamed("none"), { model: name });
      assert.deepEqual([full.costRatio, full.batches, full.edits, full.faults, full.calls], [1, 0, 0, 0, 31]);
      const shorter = measured(trajectoryOf(SAID), policyNamed("truncate:50"), { model: name });
      assert.deepEqual(shorter.full, full.full);
      assert.ok((shorter.costRatio ?? 1) < 0.5 && shorter.tokensSent < full.tokensSent / 2 && shorter.peakTokens < full.peakTokens / 2);
      assert.deepEqual([shorter.batches, shorter.edits, shorter.faults], [0, 30, 0]);
    });
  test("a rewrite at every call costs more than the full context", () =>
    assert.ok((measured(trajectoryOf(SAID), policyNamed("collapse:20"), { model: "claude-opus-5" }).costRatio ?? 0) > 1));
  test("times that run backwards, and markers of the recording, are no matter", () => {
    const marker = { cache_control: { type: "ephemeral", ttl: "1h" } };
    const said = SAID.map((message, number) => ({
      ...message,
      content: typeof message.content === "string" ? message.content : message.content.map((block) => ({ ...block, ...marker })),
      atMs: 1_000_000 - number,
    }));
    const { id, log, entries } = trajectoryOf(said, { tools: [{ name: "read", ...marker }] });
    assert.equal(measured({ id, log, entries }, policyNamed("none")).costRatio, 1);
  });
  test("nothing was called: no ratio", () => assert.equal(measured(trajectoryOf([asks("a")]), policyNamed("none")).costRatio, undefined));
  test("what a policy breaks is counted, what was broken is not", () => {
    const drops = policyOf((log) => log.filter((message) => message !== log[2]));
    const { faults, faultsFound } = measured(trajectoryOf(SAID), drops);
    assert.ok(faults > 0 && faultsFound.length > 0);
    const broken = trajectoryOf([asks("a"), reads("1"), asks("b"), says("c"), asks("d"), says("e")]);
    const wire = new WireMessages("anthropic", broken.log);
    for (const each of replayTrajectory(broken, policyNamed("sliding-window:2"))) assert.deepEqual(addedFaults(each, wire), []);
  });
  test("in sum: one bill, the mean, the worst", () => {
    const [one, other] = [measured(trajectoryOf(SAID), policyNamed("truncate:50")), measured(trajectoryOf([asks("a")]), policyNamed("none"))];
    const total = totalOf([one, one, other]);
    assert.deepEqual(
      [total.trajectories, total.calls, total.tokensSent, total.peakTokens, total.costRatio, total.meanCostRatio, total.worstCostRatio],
      [3, 62, 2 * one.tokensSent, one.peakTokens, one.costRatio, one.costRatio, one.costRatio],
    );
    assert.deepEqual([totalOf([]).costRatio, totalOf([]).meanCostRatio], [undefined, undefined]);
  });
});
