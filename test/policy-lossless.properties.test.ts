/** Where nobody can recall, a preset does only what loses nothing: it tidies, and drops what a later result shows whole. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Conversation } from "../src/conversation/conversation.ts";
import { PolicyRunner } from "../src/conversation/policy-runner.ts";
import type { Edit, Message } from "../src/index.ts";
import { blockAt, blocksOf, isToolResult, resultText, type ToolResultBlock } from "../src/messages/message.ts";
import { DEFAULT_TARGET } from "../src/messages/target.ts";
import { parseCompaction } from "../src/policy/shortening-options.ts";
import type { PolicyOptions } from "../src/policy/policy-options.ts";
import { assistant, res, use, user } from "./support/build.ts";
import { image } from "./support/threads/speak.ts";
import { cases, checkProperty, validTranscript } from "./support/transcripts.ts";

const LINES = 60;

/** Of a file that changes: what an old version says is superseded by the newest reading. */
const fileText = (file: number, version: number): string =>
  Array.from({ length: LINES }, (_, line) => `  const value${file}_${line} = compute(input, ${line % 7 === 0 ? version : line}); // step ${line}`).join("\n");

const OUTPUTS: Readonly<Record<string, (seed: number) => string>> = {
  json: (seed) => JSON.stringify(Array.from({ length: 40 }, (_, id) => ({ id, name: `user ${id * seed}` })), null, 2), // prettier-ignore
  log: (seed) => Array.from({ length: 120 }, (_, line) => `\u001b[32m12:00:0${line % 10} INFO\u001b[0m request ${seed} took ${line} ms   `).join("\n"),
  repeats: (seed) => `${"waiting for the server\n".repeat(30)}\n\n\n\n\ndone ${seed}\n`,
  progress: (seed) => `start ${seed}\n${Array.from({ length: 30 }, (_, step) => `fetch ${step} %`).join("\r")}\ndone after ${"work ".repeat(100)}\n`,
  long: (seed) => Array.from({ length: 2_000 }, (_, line) => `entry ${line} of ${seed}: ${(line * 7919 * (seed + 1)) % 100_003}`).join("\n"),
  prose: (seed) => `The answer is ${seed}. ${"It was a long way there. ".repeat(40)}`,
};

interface Turn {
  /** "read", "image", "error", or one of OUTPUTS. */
  readonly kind: string;
  readonly number: number;
  readonly isCold: boolean;
}

const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({
    kind: fc.constantFrom("read", "read", "read", "image", "error", ...Object.keys(OUTPUTS)),
    number: fc.nat({ max: 3 }),
    isCold: fc.boolean(),
  }),
  { minLength: 3, maxLength: 16 },
);

const options: fc.Arbitrary<PolicyOptions> = fc.record(
  {
    preset: fc.constantFrom("gentle", "balanced", "tight"),
    model: fc.constant("claude-opus-5"),
    firstSightTokens: fc.constantFrom(50, 4_000),
    tailTokens: fc.constantFrom(0, 500),
    tailTurns: fc.constantFrom(0, 2),
    usedTurns: fc.constantFrom(0, 1),
    stubTokens: fc.constantFrom(0, 2_000),
    minBatchTokens: fc.constantFrom(0, 200),
    inputTokens: fc.constantFrom(1, 200),
    digestTokens: fc.constantFrom(0, 1_500),
    digestTailTokens: fc.constantFrom(0),
    horizonPercent: fc.constantFrom(10, 1_000),
    budget: fc.constantFrom(500, 8_000),
    tools: fc.constantFrom({}, { bash: { limit: 20, keep: "head" as const } }, { Read: { protect: true } }),
  },
  { requiredKeys: ["preset", "model", "digestTailTokens"] },
);

function roundOf({ kind, number }: Turn, turn: number): Message[] {
  const id = `c${turn}`;
  if (kind === "read") return [assistant(use(id, "Read", { file_path: `src/file${number % 2}.ts` })), user(res(id, fileText(number % 2, number)))];
  if (kind === "image") return [assistant(use(id, "shot")), user(res(id, [image]))];
  if (kind === "error") return [assistant(use(id, "bash", { command: `make ${number}` })), user(res(id, `failed: ${"why ".repeat(300)}`, { is_error: true }))];
  return [assistant(use(id, "bash", { command: `run ${number} ${"--flag ".repeat(100)}` })), user(res(id, OUTPUTS[kind]?.(number)))];
}

/** The conversation after each call. */
function* played(log: readonly Message[], given: PolicyOptions, coldAt: (position: number) => boolean, windowTokens = 3_000): Generator<Conversation> {
  const conversation = new Conversation({ ...DEFAULT_TARGET, windowTokens }, { id: "t", log: [], edits: [], pins: [], seenFrom: 0, steps: [] });
  const { policies } = parseCompaction({ policy: given });
  const runner = new PolicyRunner(conversation, policies({ thread: "t", named: false, lossless: true }), false);
  for (const [position, message] of log.entries()) {
    if (message.role === "assistant" && position > 0) {
      runner.beforeCall({ upTo: position, model: "claude-opus-5", headHash: coldAt(position) ? `${position}` : "" });
      yield conversation;
    }
    conversation.append(message);
    if (message.role === "user") runner.arrived(position);
    else runner.answered(1_000_000);
  }
}

/** What a terminal would show, with runs written out and without white space: the same for a text and for what it was tidied to. */
function inkOf(text: string): string {
  return text
    .replaceAll(/\u001b\[[0-9;]*m/g, "") // eslint-disable-line no-control-regex -- colours
    .split("\n")
    .map((line) => line.slice(line.trimEnd().lastIndexOf("\r") + 1))
    .reduce<string[]>((lines, line) => {
      const [, times] = /^\[… (\d+) more times\]$/.exec(line.trim()) ?? [];
      return times === undefined ? [...lines, line] : [...lines, ...new Array<string>(Number(times)).fill(lines.at(-1) ?? "")];
    }, [])
    .join("")
    .replaceAll(/\s/g, "");
}

interface Said {
  readonly tool: string;
  readonly path: unknown;
  readonly text: string;
}

/** Every result of the messages by its call. */
function resultsIn(messages: readonly Message[]): Map<string, Said> {
  const uses = new Map(messages.flatMap((message) => blocksOf(message).flatMap((block) => (block.type === "tool_use" ? [[String((block as never)["id"]), block]] : [])))); // prettier-ignore
  return new Map(
    messages.flatMap((message) =>
      blocksOf(message)
        .filter(isToolResult)
        .map((result) => {
          const call = uses.get(result.tool_use_id) as unknown as { name: string; input: Record<string, unknown> };
          return [result.tool_use_id, { tool: call.name, path: call.input["file_path"], text: resultText(result) }] as const;
        }),
    ),
  );
}

let tidied = 0;
let dropped = 0;

function checkEdit(edit: Edit, { log, ...conversation }: { readonly log: readonly Message[]; readonly view: readonly Message[] }): void {
  assert.ok(edit.kind === "replace-result", `${edit.kind} by ${edit.pass}`);
  const original = blockAt(log, edit.at) as ToolResultBlock;
  const text = resultText(original);
  const shown = typeof edit.content === "string" ? edit.content : assert.fail("more than text");
  assert.equal(edit.handle, undefined);
  assert.doesNotMatch(shown, /recall handle/);
  if (edit.form === "custom") {
    assert.equal(inkOf(shown), inkOf(text), "tidied");
    tidied++;
    return;
  }
  assert.equal(edit.form, "duplicate");
  const said = resultsIn(log);
  const own = said.get(edit.callId);
  // A later reading of the same, which is shown whole.
  const ids = [...said.keys()];
  const later = [...resultsIn(conversation.view)].filter(([id, { text: now }]) => ids.indexOf(id) > ids.indexOf(edit.callId) && inkOf(now) === inkOf(said.get(id)?.text ?? "")); // prettier-ignore
  assert.ok(later.some(([, other]) => inkOf(other.text) === inkOf(text) || (other.tool === own?.tool && other.path !== undefined && other.path === own.path)), "shown elsewhere"); // prettier-ignore
  dropped++;
}

describe("a preset that loses nothing", () => {
  it("only tidies, and drops what a later result shows whole, call after call", () => {
    checkProperty("sessions", [turns, options], (list, given) => {
      const log = [user("Go."), ...list.flatMap(roundOf), assistant("Done.")];
      for (const conversation of played(log, given, (position) => list[position >> 1]?.isCold === true)) {
        const { messages: view } = conversation.view();
        for (const edit of conversation.inForce) checkEdit(edit, { log: conversation.log, view });
      }
    });
    assert.ok(tidied > cases() / 4 && dropped > cases() / 10, `${tidied} tidied, ${dropped} dropped`);
  });

  it("leaves the words of everybody else alone, and all that was called", () => {
    checkProperty("any transcript", [validTranscript({ thinking: "adaptive" }), options], (log, given) => {
      for (const conversation of played(log, given, () => true, 50))
        for (const edit of conversation.inForce) {
          assert.ok(edit.kind === "replace-result", edit.kind);
          assert.ok(["custom", "duplicate"].includes(edit.form), edit.form);
        }
    });
  });
});
