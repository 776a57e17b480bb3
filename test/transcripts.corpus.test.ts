/**
 * Real transcripts of every format: read completely, written back as they were, and with shorter views.
 * They are no part of this repository: see `support/corpus.ts`.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { judgeSession } from "../src/cli/check/judge-log.ts";
import { slimMessage } from "../src/cli/slim-message.ts";
import { compactTrajectory, type CompactionSteps } from "../src/cli/compact/compact-trajectory.ts";
import { loadTranscript, type Transcript } from "../src/formats/transcripts/load-transcript.ts";
import { collapseToolChains, compactOldToolResults, pruneMessages, type Message } from "../src/index.ts";
import { blocksOf, isText, isToolResult, isToolUse, resultText, type Block } from "../src/messages/message.ts";
import { targetFor } from "../src/pricing/target-for.ts";
import { CORPUS_OPEN, HOW_TO_GET_IT, openIndex, type IndexRow } from "./support/corpus.ts";
import { addedFindings } from "./support/formats/wire-findings.ts";

const folder = CORPUS_OPEN;

const index = openIndex();

const FORMATS: Readonly<Record<string, string>> = {
  "claude-code-jsonl": "claude-code",
  "codex-rollout-jsonl": "codex",
  "copilot-cli-events-jsonl": "copilot-cli",
  "gemini-cli-session-json": "gemini-cli",
  "inspect-eval-log": "inspect",
  "langgraph-thread-state-json": "langgraph",
  "livemcpbench-openai-chat": "livemcpbench",
  "mini-swe-agent-traj-json": "mini-swe-agent",
  "opencode-export-json": "opencode",
  "openhands-events": "openhands-events",
  "openhands-llm-completion-json": "openhands-llm",
  "pi-session-jsonl": "pi",
  "swe-agent-traj": "swe-agent",
  "tau-bench-json": "tau-bench",
  "tau2-results-json": "tau2-bench",
};

/** Where the index counts something else than we do, and why we are right. */
const EXCEPTIONS: Readonly<Record<string, Partial<IndexRow> & { readonly because: string }>> = {
  "openhands-events/multi_swe_bench_first2.jsonl.gz": {
    tool_calls: [23, 28, 33],
    because: "each run opens with a recall, which the harness makes for the user's words: the model called nothing",
  },
  "gemini-cli/entirecli_ab-2b9748b105-0.json": {
    messages: [12, 12, 12],
    because: "one is a note to the person at the terminal, which the model is not sent",
  },
  "opencode/nimbus_10-7e846f866c-5.json.gz": {
    native_compactions: 3,
    because: "OpenCode cleared old results three times, and marked each with the time: the index does not look for that",
  },
};

/** Shorter views of a conversation, as this package makes them. */
const VIEWS: Readonly<Record<string, (log: readonly Message[]) => readonly Message[]>> = {
  "collapsed rounds": (log) =>
    collapseToolChains(log, { collapseAfterTurns: 6, collapseMultiToolTurns: true, collapseGistChars: 40 }, { bindsThinking: false }),
  "the last messages": (log) => pruneMessages(log, { strategy: "sliding-window", maxTurns: 9 }, { bindsThinking: false }),
  "the last messages after a note": (log) => pruneMessages(log, { strategy: "summarize", maxTurns: 9 }, { bindsThinking: false }),
  "the most important": (log) => pruneMessages(log, { strategy: "importance", maxTurns: 12 }, { bindsThinking: false }),
  "cut results": (log) => compactOldToolResults(log, { inputTokens: 1_000_000, toolResultRetentionChars: 40, onCompact: () => undefined }).messages,
};

/** Every function, from nearly everything to nearly nothing. */
const STEPS: Readonly<Record<string, Partial<CompactionSteps>>> = {
  ...Object.fromEntries([0, 9, 60].map((after) => [`collapse after ${after}`, { collapseAfter: after }])),
  ...Object.fromEntries(
    (["sliding-window", "summarize", "importance"] as const).flatMap((strategy) =>
      [0, 7, 50].map((maxTurns) => [`${strategy} ${maxTurns}`, { strategy, maxTurns }]),
    ),
  ),
  "old results": { budget: 1, retainChars: 0 },
  "long results": { maxResultTokens: 50 },
  everything: { maxResultTokens: 500, collapseAfter: 20, budget: 1_000, strategy: "importance", maxTurns: 30 },
};

/** Trajectories that a provider would refuse as they are, with the rules: the harness repairs them before it sends them. */
const BROKEN: readonly string[] = ["pi/pimono_large-session.jsonl.gz: A1.4, A2.1"];
const broken: string[] = [];

if (index.length === 0) {
  test("the corpus of transcripts is not there: nothing was checked", (t) => {
    t.diagnostic(HOW_TO_GET_IT);
  });
}

for (const row of index) {
  describe(row.file, async () => {
    const path = `${folder}/${row.file}`;
    const transcript = await loadTranscript(path);
    const { trajectories, format } = transcript;
    const expected = { ...row, ...EXCEPTIONS[row.file] };

    test("is read completely", () => {
      assert.equal(format.name, FORMATS[row.format]);
      assert.deepEqual(transcript.damaged, []);
      assert.equal(trajectories.length, row.trajectories);
      assert.deepEqual(spread(trajectories.map(nativeMessages)), expected.messages, "messages");
      assert.deepEqual(spread(trajectories.map(({ log }) => log.flatMap(callsIn).length)), expected.tool_calls, "calls");
      const compactions = trajectories.flatMap(({ entries }) => entries).filter(({ kind }) => kind === "compaction");
      assert.equal(compactions.length, expected.native_compactions, "compactions");
      assert.equal(new Set(trajectories.map(({ id }) => id)).size, trajectories.length, "every trajectory has an id of its own");
    });

    test("is checked", () => {
      for (const { log, entries } of trajectories) {
        const wires = entries.flatMap((entry) => (entry.kind === "message" ? [entry.wire] : []));
        const rules = new Set(judgeSession({ log: log.map(slimMessage), wires }, format.wire, true).findings.map(({ rule }) => rule));
        if (rules.size > 0) broken.push(`${row.file}: ${[...rules].sort().join(", ")}`);
      }
    });

    test("is written as it was", () => {
      const written = transcript.encode(trajectories.map(({ log }) => log));
      assert.ok(Buffer.from(written).equals(contentOf(path)));
    });

    for (const [name, shorten] of Object.entries(VIEWS)) {
      test(`holds a view that can be read again: ${name}`, async () => {
        const views = trajectories.map(({ log }) => shortened(log, shorten));
        const again = await loadTranscript(Readable.from([Buffer.from(transcript.encode(views))]));
        assert.equal(again.format.name, format.name);
        assert.deepEqual(again.damaged, []);
        assert.equal(again.trajectories.length, trajectories.length);
        views.forEach((view, number) => assert.deepEqual(turnsOf(again.trajectories[number]?.log ?? []), turnsOf(view), trajectories[number]?.id));
        assert.ok(sizeOf(again) <= sizeOf(transcript), "what is not shown is not there");
      });
    }

    test("no function adds a fault to it", () => {
      for (const [name, steps] of Object.entries(STEPS)) {
        for (const { id, log, model } of trajectories) {
          const target = model === undefined ? {} : targetFor(model, { onWarning: () => undefined });
          const { view } = compactTrajectory({ id, log }, { ...NO_STEPS, ...steps }, { wire: format.wire, target, tokenFactor: 1 });
          assert.deepEqual(addedFindings(format, log, view), [], `${name} on ${id}`);
        }
      }
    });
  });
}

test("few of them break a rule of their provider", (t) => {
  t.diagnostic(`${broken.length} of ${index.reduce((sum, row) => sum + row.trajectories, 0)} trajectories: ${broken.join("; ")}`);
  // Of a corpus that was fetched in part, what is there.
  const expected = BROKEN.filter((known) => index.some(({ file }) => known.startsWith(`${file}: `)));
  if (index.length > 0) assert.deepEqual(broken.toSorted(), expected);
});

const NO_STEPS: CompactionSteps = {
  maxResultTokens: undefined,
  collapseAfter: undefined,
  budget: undefined,
  retainChars: undefined,
  strategy: undefined,
  maxTurns: undefined,
};

/** System messages at the start are the head of the request. */
function shortened(log: readonly Message[], shorten: (log: readonly Message[]) => readonly Message[]): readonly Message[] {
  const start = log.findIndex((message) => message.role !== "system");
  return [...log.slice(0, start), ...shorten(log.slice(start))];
}

function nativeMessages({ entries }: Transcript["trajectories"][number]): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === "message" ? entry.nativeMessages : 0), 0);
}

/** The provider's own calls are among them. */
function callsIn(message: Message): readonly Block[] {
  return blocksOf(message).filter((block) => isToolUse(block) || block.type === "server_tool_use" || block.type === "web_search_call");
}

/** As the index has them: the least, the median, of two the lower one's side, and the most. */
function spread(counts: readonly number[]): readonly (number | undefined)[] {
  const sorted = counts.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return [sorted[0], Math.floor(middle.reduce((sum, count) => sum + count, 0) / middle.length), sorted.at(-1)];
}

function contentOf(path: string): Buffer {
  const bytes = readFileSync(path);
  return path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

/**
 * What is said, called and answered. Formats differ in what they make one message of where two of one role meet, and a
 * view has such neighbours where something between them was taken out. Where the file has no ids, those of calls count up.
 */
function turnsOf(log: readonly Message[]): unknown[] {
  const numbers = new Map<string, number>();
  const turns: { role: string; said: string[]; calls: unknown[]; results: unknown[] }[] = [];
  for (const message of log) {
    const blocks = blocksOf(message);
    if (turns.at(-1)?.role !== message.role) turns.push({ role: message.role, said: [], calls: [], results: [] });
    const turn = turns.at(-1);
    turn?.said.push(...blocks.filter(isText).flatMap(({ text }) => (text === "" ? [] : [text])));
    for (const { id, name, input } of blocks.filter(isToolUse)) {
      turn?.calls.push({ name, input });
      numbers.set(id, numbers.size);
    }
    turn?.results.push(...blocks.filter(isToolResult).map((block) => ({ answers: numbers.get(block.tool_use_id), text: resultText(block) })));
  }
  return turns.map((turn) => ({ ...turn, said: turn.said.join("\n\n") }));
}

function sizeOf({ trajectories }: Transcript): number {
  return JSON.stringify(trajectories.map(({ log }) => log)).length;
}
