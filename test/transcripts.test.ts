/**
 * Fixtures of every transcript format: read as they were written, written back as they were, and with shorter views. They are
 * the scripted agent's run, written down by scripts/write-fixtures.ts without help of the formats.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { EXPECTED_FILE, FIXTURE_FOLDER, staleFixtures } from "../scripts/fixtures/all-fixtures.ts";
import type { ExpectedFile } from "../scripts/fixtures/fixture.ts";
import { compactionLine, messageLine } from "../scripts/fixtures/message-facts.ts";
import { compactTrajectory, type CompactedTrajectory, type CompactionSteps } from "../src/cli/compact/compact-trajectory.ts";
import { loadTranscript, type Trajectory, type Transcript } from "../src/formats/transcripts/load-transcript.ts";
import type { Entry, TranscriptFormat } from "../src/formats/transcripts/transcript-format.ts";
import { TRANSCRIPT_FORMATS } from "../src/formats/transcripts/transcript-formats.ts";
import { blocksOf, isText, isThinking, isToolResult, isToolUse, resultText, type Message } from "../src/messages/message.ts";
import type { Target } from "../src/messages/target.ts";
import { targetFor } from "../src/pricing/target-for.ts";
import { addedFindings, findingsIn } from "./support/formats/wire-findings.ts";

const fixtures = Object.entries(JSON.parse(readFileSync(new URL(EXPECTED_FILE, FIXTURE_FOLDER), "utf8")) as Readonly<Record<string, ExpectedFile>>);

test("the fixtures are what scripts/write-fixtures.ts writes", () => {
  assert.deepEqual(staleFixtures(), [], "run node scripts/write-fixtures.ts");
});

test("every format has a fixture, and every fixture a format", () => {
  assert.deepEqual(new Set(fixtures.map(([, { format }]) => format)), new Set(TRANSCRIPT_FORMATS.map(({ name }) => name)));
});

const NOTHING: CompactionSteps = {
  maxResultTokens: undefined,
  collapseAfter: undefined,
  budget: undefined,
  retainChars: undefined,
  strategy: undefined,
  maxTurns: undefined,
};

/** Every function that shortens, small enough that it has something to do. */
const VIEWS: Readonly<Record<string, Partial<CompactionSteps>>> = {
  collapseToolChains: { collapseAfter: 4 },
  "pruneMessages, sliding-window": { strategy: "sliding-window", maxTurns: 5 },
  "pruneMessages, summarize": { strategy: "summarize", maxTurns: 5 },
  "pruneMessages, importance": { strategy: "importance", maxTurns: 5 },
  compactOldToolResults: { budget: 1, retainChars: 20 },
  compressToolResult: { maxResultTokens: 12 },
};

for (const [file, expected] of fixtures) {
  describe(file, async () => {
    const path = fileURLToPath(new URL(file, FIXTURE_FOLDER));
    const transcript = await loadTranscript(path);
    const { trajectories, format } = transcript;

    test("is known by its content, and by its name", async () => {
      assert.equal(format.name, expected.format);
      assert.equal((await loadTranscript(path, { format: expected.format })).format, format);
    });

    test("says what was written into it", () => {
      assert.deepEqual(trajectories.map(factsOf), expected.trajectories);
      assert.deepEqual(
        transcript.damaged.map(({ line }) => line),
        expected.damagedLines,
      );
    });

    test("is written back as it was", () => {
      assert.ok(unpacked(readFileSync(path)).equals(Buffer.from(transcript.encode(trajectories.map(({ log }) => log)))));
    });

    test("is refused only for what was put in", () => {
      const found = trajectories.flatMap(({ log }) => findingsIn(format, log));
      assert.deepEqual(
        found.map(({ rule }) => rule),
        expected.findings.map(({ rule }) => rule),
      );
      expected.findings.forEach(({ about }, number) => assert.match(found[number]?.message ?? "", new RegExp(about)));
    });

    for (const [name, steps] of Object.entries(VIEWS)) {
      const viewsFor = (targetOf: (model: string) => Partial<Target>): readonly CompactedTrajectory[] =>
        trajectories.map(({ model = "", ...trajectory }) =>
          compactTrajectory(trajectory, { ...NOTHING, ...steps }, { wire: format.wire, target: targetOf(model), tokenFactor: 1 }),
        );

      test(`holds a view: ${name}`, async () => {
        const compacted = viewsFor(() => ({}));
        const isShorter = compacted.some((each) => each.steps.some(({ tokensBefore, tokensAfter }) => tokensAfter < tokensBefore));
        assert.equal(isShorter, name !== "compactOldToolResults" || trajectories.some(hasTextResults), "something is shorter");
        await assertHeld(transcript, compacted);
      });

      test(`holds a view for its model: ${name}`, async () => {
        await assertHeld(
          transcript,
          viewsFor((model) => (model === "" ? {} : targetFor(model))),
        );
      });
    }
  });
}

/** In the format it is read back message by message, and nothing is refused in it that is not refused in the log. */
async function assertHeld({ format, trajectories, encode }: Transcript, compacted: readonly CompactedTrajectory[]): Promise<void> {
  const again = await loadTranscript(Readable.from([Buffer.from(encode(compacted.map(({ view }) => view)))]));
  assert.equal(again.format, format);
  assert.equal(again.trajectories.length, trajectories.length);
  compacted.forEach(({ view }, number) => {
    const { log = [] } = trajectories[number] ?? {};
    const { log: read = [] } = again.trajectories[number] ?? {};
    assert.deepEqual(turnsOf(format, read), turnsOf(format, view));
    assert.deepEqual(addedFindings(format, log, view), []);
    assert.deepEqual(addedFindings(format, log, read), []);
  });
}

function factsOf({ id, model, system, tools, entries }: Trajectory): ExpectedFile["trajectories"][number] {
  return {
    id,
    ...(model === undefined ? {} : { model }),
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools: tools.length }),
    entries: entries.flatMap(lineOf),
  };
}

function lineOf(entry: Entry): readonly string[] {
  if (entry.kind === "compaction") return [compactionLine(entry)];
  if (entry.kind !== "message") return [];
  const { message, nativeMessages: native, atMs, model, usage } = entry;
  const read = usage && { input: usage.inputTokens, cacheRead: usage.cacheReadTokens, cacheWrite: usage.cacheWriteTokens, output: usage.outputTokens };
  return [messageLine({ role: message.role, native, ...contentOf(message), atMs, model, usage: read })];
}

function contentOf(message: Message): { thinks: string; says: string; calls: readonly Called[]; results: readonly Answered[] } {
  const blocks = blocksOf(message);
  return {
    thinks: blocks.flatMap((block) => (isThinking(block) && "thinking" in block ? [String(block.thinking)] : [])).join("\n"),
    says: blocks.filter(isText).map(({ text }) => text).join("\n\n"), // prettier-ignore
    calls: blocks.filter(isToolUse).map(({ id, name, input }) => ({ id, name, input })),
    results: blocks.filter(isToolResult).map((block) => ({ id: block.tool_use_id, text: resultText(block), failed: block.is_error === true })),
  };
}

interface Called {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

interface Answered {
  readonly id: string;
  readonly text: string;
  readonly failed: boolean;
}

/** Results in parts are not cut by their age. */
function hasTextResults({ log }: Trajectory): boolean {
  return log.flatMap(blocksOf).some((block) => isToolResult(block) && typeof block.content === "string");
}

interface Turn extends ReturnType<typeof contentOf> {
  readonly role: Message["role"];
}

/** Message by message. Items of the Responses API do not say where one message of the assistant ends: there, neighbours are one. */
function turnsOf(format: TranscriptFormat, log: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const turn of numbered(log)) {
    const before = turns.at(-1);
    if (format.wire === "openai-responses" && turn.role === "assistant" && before?.role === "assistant") turns.splice(-1, 1, joined(before, turn));
    else turns.push(turn);
  }
  return turns;
}

function joined(first: Turn, second: Turn): Turn {
  return {
    role: first.role,
    thinks: [first.thinks, second.thinks].filter((text) => text !== "").join("\n"),
    says: [first.says, second.says].filter((text) => text !== "").join("\n\n"),
    calls: [...first.calls, ...second.calls],
    results: [],
  };
}

/** Where a file has no ids, those of calls follow from their place: what matters is which call a result answers. */
function numbered(log: readonly Message[]): readonly Turn[] {
  const numbers = new Map<string, string>();
  let count = 0;
  return log.map((message) => {
    const content = contentOf(message);
    for (const { id } of content.calls) numbers.set(id, `call ${++count}`);
    const number = <T extends { readonly id: string }>(item: T): T => ({ ...item, id: numbers.get(item.id) ?? item.id });
    return { role: message.role, ...content, calls: content.calls.map(number), results: content.results.map(number) };
  });
}

function unpacked(bytes: Buffer): Buffer {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}
