/**
 * Real trajectories of Claude Code: no function adds a fault to any of them.
 * They are no part of this repository: see `support/corpus.ts`.
 */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import {
  checkMessages,
  checkpointsIn,
  collapseToolChains,
  compactOldToolResults,
  compactThread,
  compressToolResult,
  pruneMessages,
  render,
  summarizeAndPrune,
  type Block,
  type Finding,
  type Message,
  type Target,
  type ToolResultBlock,
} from "../src/index.ts";
import { CORPUS_OPEN, HOW_TO_GET_IT } from "./support/corpus.ts";
import { addedFaults, BindingWorld, signThinking } from "./support/provider-judge.ts";
import { deepFreeze } from "./support/transcripts.ts";
import { checkpointId } from "./support/ids.ts";

const folder = `${CORPUS_OPEN}/claude-code`;
const files = existsSync(folder) ? globSync(`${folder}/*.{jsonl,jsonl.gz}`).sort() : [];

type Run = (messages: readonly Message[], target: Partial<Target>) => readonly Message[] | Promise<readonly Message[]>;

const quiet = { inputTokens: 1_000_000, onCompact: () => undefined };

const RUNS: Readonly<Record<string, Run>> = {
  "render without edits": (messages, target) => render(messages, [], target),
  ...perSetting([0, 50, 1000], (max) => [`compressToolResult ${max}`, (messages) => messages.map((message) => compressed(message, max))]),
  ...perSetting([0, 7, 40], (after) => [
    `collapseToolChains ${after}`,
    (messages, target) => collapseToolChains(messages, { collapseAfterTurns: after }, target),
  ]),
  "collapseToolChains, several calls, with a gist": (messages, target) =>
    collapseToolChains(messages, { collapseAfterTurns: 3, collapseMultiToolTurns: true, collapseGistChars: 80 }, target),
  ...perSetting([0, 5, 51, 200], (maxTurns) => [
    `sliding-window ${maxTurns}`,
    (messages, target) => pruneMessages(messages, { strategy: "sliding-window", maxTurns }, target),
  ]),
  ...perSetting([0, 6, 50], (maxTurns) => [
    `summarize ${maxTurns}`,
    (messages, target) => pruneMessages(messages, { strategy: "summarize", maxTurns }, target),
  ]),
  ...perSetting([0, 9, 60], (maxTurns) => [
    `importance ${maxTurns}`,
    (messages, target) => pruneMessages(messages, { strategy: "importance", maxTurns }, target),
  ]),
  "summarizeAndPrune 30": (messages, target) =>
    summarizeAndPrune(messages, { strategy: "summarize", maxTurns: 30 }, () => Promise.resolve("What came before."), target),
  ...perSetting([0, 500], (chars) => [
    `compactOldToolResults ${chars}`,
    (messages, target) => compactOldToolResults(messages, { ...quiet, toolResultRetentionChars: chars }, target).messages,
  ]),
  "compactThread, the first half": (messages, target) => compacted(messages, 0, 0.5, { target }),
  "compactThread, the middle, strip after-edit": (messages, target) => compacted(messages, 0.3, 0.7, { target, strip: "after-edit" }),
  "compactThread, deleted": (messages, target) => compacted(messages, 0.2, 0.4, { target }, ""),
};

const TARGETS: Readonly<Record<string, Partial<Target>>> = {
  "binds thinking": {},
  "does not bind": { bindsThinking: false },
  "manual mode": { thinking: "manual" },
};

if (files.length === 0) {
  test("the corpus of Claude Code trajectories is not there: nothing was checked", (t) => {
    t.diagnostic(HOW_TO_GET_IT);
  });
}

for (const file of files) {
  describe(basename(file), () => {
    const whole = signThinking(withCheckpoints(readTrajectory(file)));
    const { world } = BindingWorld.grow(whole, (length) => whole.slice(0, length));

    test("was read", () => {
      assert.ok(whole.length > 10, `${whole.length} messages`);
      assert.ok(checkpointsIn(whole).length > 5);
      const unpaired = checkMessages(whole, { history: true }).filter(({ rule }) => rule.startsWith("A2."));
      assert.ok(unpaired.length <= 2, `calls and results are joined as they were sent: ${JSON.stringify(unpaired)}`);
    });

    for (const length of [0.3, 0.6, 0.9, 1].map((part) => requestLength(whole, part))) {
      const messages = deepFreeze(whole.slice(0, length));
      for (const [what, target] of Object.entries(TARGETS)) {
        test(`no function adds a fault at length ${length}: ${what}`, async () => {
          const before = JSON.stringify(messages);
          for (const [name, run] of Object.entries(RUNS)) {
            const view = await run(messages, target);
            const judge = { thinking: target.thinking ?? "adaptive", history: name.startsWith("compactThread") } as const;
            assert.deepEqual(addedFaults(messages, view, judge), [], name);
            assert.deepEqual(addedFindings(checkMessages(messages, { thinking: judge.thinking }), checkMessages(view, judge)), [], name);
            if (target.bindsThinking !== false && !name.startsWith("compressToolResult")) assert.deepEqual(world.faults(view, length), [], name);
          }
          assert.equal(JSON.stringify(messages), before);
        });
      }
    }
  });
}

/** One line is one block or more of a message; lines of the assistant with one id are one message. What else is written there is no conversation. */
function readTrajectory(file: string): Message[] {
  const bytes = readFileSync(file);
  const lines = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").split("\n");
  const messages: { role: Message["role"]; content: string | Block[] }[] = [];
  const byId = new Map<string, Block[]>();
  for (const line of lines) {
    if (line.trim() === "") continue;
    const entry = JSON.parse(line) as {
      type: string;
      isSidechain?: boolean;
      isMeta?: boolean;
      message?: { id?: string; role: "user" | "assistant"; content: string | Block[] };
    };
    const { message } = entry;
    if ((entry.type !== "user" && entry.type !== "assistant") || entry.isSidechain === true || entry.isMeta === true || message === undefined) continue;
    const started = message.id === undefined ? undefined : byId.get(message.id);
    if (started !== undefined && typeof message.content !== "string") {
      started.push(...message.content);
      continue;
    }
    const content = typeof message.content === "string" ? message.content : [...message.content];
    if (message.id !== undefined && typeof content !== "string") byId.set(message.id, content);
    messages.push({ role: message.role, content });
  }
  return messages;
}

/** A checkpoint at the end of every user turn, as an agent with a `compact` tool would send it. */
function withCheckpoints(messages: readonly Message[]): Message[] {
  return messages.map((message, position) => {
    // Results of parallel calls come in several messages: text between them would be a fault (A2.3).
    if (message.role !== "user" || messages[position + 1]?.role === "user") return message;
    const blocks = typeof message.content === "string" ? [textBlock(message.content)] : message.content;
    return { ...message, content: [...blocks, textBlock(`<checkpoint:${checkpointId(position + 1)}>`)] };
  });
}

function textBlock(text: string): Block {
  const block = { type: "text", text };
  return block;
}

/** At most that part of the messages, up to where a request was sent. */
function requestLength(messages: readonly Message[], part: number): number {
  const most = Math.floor(messages.length * part);
  return messages.findLastIndex((message, position) => position < most && message.role === "user" && messages[position + 1]?.role !== "user") + 1;
}

function compressed(message: Message, maxToolResultTokens: number): Message {
  if (message.role !== "user" || typeof message.content === "string") return message;
  return {
    ...message,
    content: message.content.map((block) => (block.type === "tool_result" ? compressToolResult(block as ToolResultBlock, { maxToolResultTokens }) : block)),
  };
}

/** The thread with a stretch between two of its checkpoints replaced; unchanged where a manual loop forbids it. */
function compacted(
  messages: readonly Message[],
  from: number,
  to: number,
  options: { target: Partial<Target>; strip?: "after-edit" },
  summary = "What came before.",
): readonly Message[] {
  const ids = checkpointsIn(messages).map((checkpoint) => checkpoint.id);
  const [first, last] = [ids[Math.floor(ids.length * from)], ids[Math.max(1, Math.floor(ids.length * to))]];
  try {
    return compactThread(
      messages,
      [{ ...(from === 0 || first === undefined ? {} : { from: first }), ...(last === undefined ? {} : { to: last }), summary }],
      options,
    );
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "LOOP_OPEN" && options.target.thinking === "manual") return messages;
    throw error;
  }
}

/** Findings of the view, by rule, beyond those of the log. */
function addedFindings(log: readonly Finding[], view: readonly Finding[]): Finding[] {
  const allowed = new Map<string, number>();
  for (const { rule } of log) allowed.set(rule, (allowed.get(rule) ?? 0) + 1);
  return view.filter(({ rule }) => {
    const left = allowed.get(rule) ?? 0;
    allowed.set(rule, left - 1);
    return left <= 0;
  });
}

function perSetting(settings: readonly number[], entry: (setting: number) => readonly [string, Run]): Record<string, Run> {
  return Object.fromEntries(settings.map(entry));
}
