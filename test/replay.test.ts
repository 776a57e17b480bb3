/** Every policy on the fixtures of every transcript format and on the bundled session, and what is written of their views. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { EXPECTED_FILE, FIXTURE_FOLDER } from "../scripts/fixtures/all-fixtures.ts";
import { codecOf } from "../src/formats/codecs.ts";
import type { FormatName } from "../src/formats/index.ts";
import { loadTranscript, type Transcript } from "../src/formats/transcripts/load-transcript.ts";
import { ReplayMeter } from "../src/replay/measure-replay.ts";
import { policyNamed } from "../src/replay/policies/policies.ts";
import { replayHead } from "../src/replay/replay-head.ts";
import { replayTrajectory } from "../src/replay/replay-trajectory.ts";
import { ViewLines } from "../src/replay/view-lines.ts";
import { WireMessages } from "../src/replay/wire-messages.ts";

const fixtures = Object.keys(JSON.parse(readFileSync(new URL(EXPECTED_FILE, FIXTURE_FOLDER), "utf8")) as object);
const FILES = [...fixtures.map((file) => fileURLToPath(new URL(file, FIXTURE_FOLDER))), fileURLToPath(new URL("../assets/trajectory.json", import.meta.url))];

/** Small enough that each has something to do. */
const POLICIES = [
  "none",
  "gentle",
  "balanced",
  "tight",
  "budget:500",
  "truncate:12",
  "collapse:4",
  "sliding-window:5",
  "summarize:5",
  "importance:5",
  "token-budget:200",
  "keep-last:2",
  "keep-last:1:3",
  "clear_tool_uses_20250919:200:1:20",
];

interface CallLine {
  readonly file: string;
  readonly trajectory: string;
  readonly step: number;
  readonly format: FormatName;
  readonly model: string;
  readonly head: string;
  readonly view: readonly string[];
  readonly action: string | readonly string[];
  readonly recoverable: readonly { readonly handle: string; readonly id: string }[];
}

interface Definition {
  readonly id: string;
  readonly message?: object;
  readonly text?: string;
}

interface Views {
  readonly calls: readonly CallLine[];
  readonly messages: ReadonlyMap<string, object>;
  readonly texts: ReadonlyMap<string, string>;
}

function viewsOf({ format, trajectories }: Transcript, file: string, policy: string): string {
  const lines = new ViewLines();
  return trajectories
    .flatMap((trajectory) => {
      const [head, wire] = [replayHead(trajectory), new WireMessages(format.wire, trajectory.log)];
      const calls = [...replayTrajectory(trajectory, policyNamed(policy))];
      return calls.flatMap((call) => [...lines.of(call, { file, trajectory: trajectory.id, head, wire })]);
    })
    .join("");
}

/** As anyone would read them; what is not defined before it is used is refused. */
function readViews(lines: string): Views {
  const [messages, texts, calls] = [new Map<string, object>(), new Map<string, string>(), [] as CallLine[]];
  for (const line of lines.split("\n").filter((text) => text !== "")) {
    const value = JSON.parse(line) as Definition | CallLine;
    if ("id" in value) {
      assert.match(value.id, /^[0-9a-f]{16}$/);
      assert.ok(!messages.has(value.id) && !texts.has(value.id), `${value.id} is defined twice`);
      if (value.message !== undefined) messages.set(value.id, value.message);
      else texts.set(value.id, value.text ?? assert.fail(line));
      continue;
    }
    assert.deepEqual(Object.keys(value), ["file", "trajectory", "step", "format", "model", "head", "view", "action", "recoverable"]);
    for (const id of [value.head, ...value.view, ...[value.action].flat()]) assert.ok(messages.has(id), `${id} is not defined yet`);
    for (const { id } of value.recoverable) assert.ok(texts.has(id), `${id} is not defined yet`);
    calls.push(value);
  }
  return { calls, messages, texts };
}

function sent({ messages }: Views, ids: readonly string[]): object[] {
  return ids.map((id) => messages.get(id) ?? assert.fail(id));
}

function rulesBroken(views: Views, call: CallLine): string[] {
  return codecOf(call.format)
    .check(sent(views, call.view))
    .map(({ rule }) => rule)
    .sort();
}

for (const file of FILES) {
  describe(file.slice(file.lastIndexOf("/") + 1), async () => {
    const transcript = await loadTranscript(file);
    const full = readViews(viewsOf(transcript, file, "none"));

    test("what was answered is a response in the same format", () => {
      for (const call of full.calls) {
        const response = codecOf(call.format).decode(sent(full, [call.action].flat()));
        assert.ok(response.every(({ role }) => role === "assistant"));
      }
    });

    for (const policy of POLICIES) {
      test(`${policy}: no view has a fault that its log lacks, and two runs write the same`, () => {
        const lines = viewsOf(transcript, file, policy);
        const views = readViews(lines);
        assert.equal(views.calls.length, full.calls.length);
        views.calls.forEach((call, number) => {
          const before = full.calls[number] ?? assert.fail();
          const left = rulesBroken(full, before);
          for (const rule of rulesBroken(views, call)) assert.notEqual(left.splice(left.indexOf(rule), left.includes(rule) ? 1 : 0).length, 0, rule);
          assert.deepEqual([call.action, call.head, call.model, call.step], [before.action, before.head, before.model, before.step]);
          const shown = JSON.stringify(sent(views, call.view));
          // A digest names the parts of its original as one range.
          for (const { handle } of call.recoverable) assert.ok(shown.includes(handle) || shown.includes(`${handle.replace(/-\d+$/, "")}-1…-`), handle);
        });
        assert.equal(viewsOf(transcript, file, policy), lines);
      });
    }

    test("everything that a policy does is measured without a fault", () => {
      for (const trajectory of transcript.trajectories) {
        const meter = new ReplayMeter(replayHead(trajectory), new WireMessages(transcript.format.wire, trajectory.log), { onWarning: () => undefined });
        for (const call of replayTrajectory(trajectory, policyNamed("keep-last:2"))) meter.add(call);
        const { faults, calls, batches, edits } = meter.finish();
        assert.equal(faults, 0);
        assert.ok(calls > 0 && batches <= calls && edits >= batches);
      }
    });
  });
}

describe("views are in the format of the provider", () => {
  const FIELDS: Readonly<Record<string, "messages" | "input">> = {
    "anthropic.json": "messages",
    "openai-chat.json": "messages",
    "openai-responses.json": "input",
  };
  for (const [name, field] of Object.entries(FIELDS)) {
    test(`${name}: what was recorded is there as it was, and only the head is apart`, async () => {
      const path = fileURLToPath(new URL(name, FIXTURE_FOLDER));
      const body = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, readonly { readonly role?: string }[]>>;
      const recorded = (body[field] ?? []).filter((message, number) => number > 0 || message.role !== "system");
      const views = readViews(viewsOf(await loadTranscript(path), path, "none"));
      assert.ok(views.calls.length > 5);
      for (const call of views.calls) {
        assert.deepEqual([...sent(views, call.view), ...sent(views, [call.action].flat())], recorded.slice(0, call.view.length + [call.action].flat().length));
        const head = views.messages.get(call.head) as { readonly system: string; readonly tools: readonly unknown[] };
        assert.ok(head.system.length > 0);
        assert.deepEqual(head.tools, body["tools"]);
      }
    });
  }

  test("records of an agent become messages of its provider", async () => {
    const path = fileURLToPath(new URL("opencode.json", FIXTURE_FOLDER));
    const views = readViews(viewsOf(await loadTranscript(path), path, "tight"));
    assert.deepEqual(new Set(views.calls.map(({ format }) => format)), new Set(["openai-chat"]));
    for (const call of views.calls) for (const message of sent(views, call.view)) assert.ok("role" in message && "content" in message);
  });
});

test("an original that can be recalled is written once, and named where it is shortened", async () => {
  const path = fileURLToPath(new URL("../assets/trajectory.json", import.meta.url));
  const views = readViews(viewsOf(await loadTranscript(path), path, "budget:20000"));
  const named = views.calls.flatMap(({ recoverable }) => recoverable);
  assert.ok(views.texts.size > 0 && named.length > views.texts.size);
  assert.deepEqual(new Set(named.map(({ id }) => id)), new Set(views.texts.keys()));
});
