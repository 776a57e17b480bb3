/** Files that are read again, as a whole and in parts: what is cut because it is shown elsewhere is shown there. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Edit, Message } from "../src/index.ts";
import { blocksOf, isToolResult, resultText } from "../src/messages/message.ts";
import { createCompactor, type CallStep, type PolicyOptions } from "../src/conversation/index.ts";
import { assistant, res, use, user } from "./support/build.ts";
import { cases, checkProperty } from "./support/transcripts.ts";

const LINES = 130;

/** A line of a file: worth showing the first time, and not again. */
const lineOf = (file: number, line: number): string => `  const value${file}_${line} = compute(input, ${line}); // step ${line} of the calculation`;

interface Read {
  readonly file: number;
  /** A part, or all of it. */
  readonly from: number;
  readonly count: number;
  /** Something else that is said or read before. */
  readonly filler: number;
  /** Nothing is cached when it comes. */
  readonly isCold: boolean;
  /** Beside the result, which no digest takes then. */
  readonly words: boolean;
}

const reads: fc.Arbitrary<Read[]> = fc.array(
  fc.record({
    file: fc.nat({ max: 2 }),
    from: fc.constantFrom(0, 0, 0, 30, 60),
    count: fc.constantFrom(LINES, LINES, LINES, 60),
    filler: fc.constantFrom(0, 0, 40, 120),
    isCold: fc.boolean(),
    words: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
  }),
  { minLength: 2, maxLength: 9 },
);

const options: fc.Arbitrary<PolicyOptions> = fc.record(
  {
    preset: fc.constantFrom("gentle", "balanced", "tight"),
    model: fc.constant("claude-opus-5"),
    firstSightTokens: fc.constantFrom(400, 4_000),
    firstSightFileTokens: fc.constantFrom(400, 4_000),
    tailTokens: fc.constantFrom(0, 500, 3_000),
    tailTurns: fc.constantFrom(0, 2),
    usedTurns: fc.constantFrom(0, 1),
    stubTokens: fc.constantFrom(0, 2_000),
    minBatchTokens: fc.constantFrom(0, 200),
    digestTokens: fc.constantFrom(0, 1_500, 6_000),
    digestTailTokens: fc.constantFrom(0, 800),
    digestTailTurns: fc.constantFrom(0, 2),
    horizonPercent: fc.constantFrom(10, 1_000),
    budget: fc.constantFrom(2_500, 8_000),
  },
  { requiredKeys: ["preset", "model", "digestTailTokens"] },
);

function roundOf(read: Read, number: number): Message[] {
  const { file, from, count, filler, words } = read;
  const isWhole = from === 0 && count === LINES;
  const input = { file_path: `src/file${file}.ts`, ...(isWhole ? {} : { offset: from, limit: count }) };
  const body = Array.from({ length: Math.min(count, LINES - from) }, (_, line) => lineOf(file, from + line)).join("\n");
  const noise = Array.from({ length: filler }, (_, line) => `12:00:0${line % 10} INFO request_${number}_${line} took ${line} ms`).join("\n");
  return [
    ...(filler === 0 ? [] : [assistant(use(`n${number}`, "Bash", { command: `serve ${number}` })), user(res(`n${number}`, noise))]),
    assistant(use(`r${number}`, "Read", input)),
    user(res(`r${number}`, body), ...(words ? ["Look at this."] : [])),
  ];
}

function emptiedResults(message: Message): Message {
  return { ...message, content: blocksOf(message).map((block) => (isToolResult(block) ? { ...block, content: "ok" } : block)) };
}

/** The results of a view by the call that they answer. */
function resultsIn(view: readonly Message[]): Map<string, string> {
  return new Map(
    view.flatMap((message) => blocksOf(message).flatMap((block) => (isToolResult(block) ? [[block.tool_use_id, resultText(block)] as const] : []))),
  );
}

function* callsOf(list: readonly Read[], given: PolicyOptions): Generator<{ log: readonly Message[]; view: Map<string, string>; edits: readonly Edit[] }> {
  const compactor = createCompactor(given);
  const log: Message[] = [user("Go.")];
  for (const [number, read] of [...list, ...Array.from({ length: 3 }, () => NOTHING)].entries()) {
    log.push(...roundOf(read, number));
    const step: CallStep = { headHash: read.isCold ? `${number}` : "same" };
    const { messages, edits } = compactor.next([...log], step);
    yield { log: [...log], view: resultsIn(messages), edits };
  }
}

/** More of the session, so that what lies before it gets old. */
const NOTHING: Read = { file: 9, from: 0, count: 30, filler: 120, isCold: true, words: false };

const DUPLICATE = "[Read again later.";

describe("what was read again", () => {
  it("is a duplicate only where what it points to is shown in full, call after call", () => {
    let duplicates = 0;
    checkProperty("duplicates", [reads, options], (list, given) => {
      for (const { log, view } of callsOf(list, given)) {
        const said = resultsIn(log);
        for (const [id, shown] of view) {
          if (!shown.startsWith(DUPLICATE)) continue;
          duplicates++;
          const lines = (said.get(id) ?? "").split("\n");
          const others = [...view].filter(([other]) => other !== id).map(([, text]) => new Set(text.split("\n")));
          assert.ok(
            others.some((other) => lines.every((line) => other.has(line))),
            `${id} points to something that is not all there`,
          );
        }
      }
    });
    assert.ok(duplicates > cases() / 10, `only ${duplicates} duplicates`);
  });

  it("shows every line at least once while nothing is old enough to be shortened or digested", () => {
    let repeated = 0;
    checkProperty("read twice", [reads, options], (list, { budget: _, ...given }) => {
      const young = { ...given, firstSightTokens: 4_000, firstSightFileTokens: 4_000, tailTokens: 0, tailTurns: 1_000, digestTokens: 0 };
      for (const { log, view } of callsOf(list, young)) {
        const shown = new Set([...view.values()].flatMap((text) => text.split("\n")));
        repeated += [...view.values()].filter((text) => text.startsWith(DUPLICATE)).length;
        // What one read shows of its lines alone, all of them show together.
        for (const [id, text] of resultsIn(log)) {
          if (!id.startsWith("r")) continue;
          const missing = text.split("\n").filter((line) => !shown.has(line));
          assert.deepEqual(missing.slice(0, 3), [], id);
        }
      }
    });
    assert.ok(repeated > 0);
  });

  it("shows at first sight what it would show if no other result had any of its lines", () => {
    let cut = 0;
    checkProperty("first sight alone", [reads, options], (list, { budget: _, ...given }) => {
      const young = { ...given, firstSightTokens: 400, firstSightFileTokens: 400, tailTurns: 1_000, digestTokens: 0 };
      const log: Message[] = [user("Go."), ...list.flatMap(roundOf)];
      for (let length = 3; length <= log.length; length++) {
        const result = log[length - 1];
        if (result?.role !== "user") continue;
        const together = createCompactor(young);
        const alone = createCompactor(young);
        const emptied = log
          .slice(0, length - 1)
          .map((message) => (message.role === "user" && Array.isArray(message.content) ? emptiedResults(message) : message));
        const [shown] = [...resultsIn(together.next(log.slice(0, length)).messages.slice(-1)).values()];
        const [expected] = [...resultsIn(alone.next([...emptied, result]).messages.slice(-1)).values()];
        assert.equal(shown, expected);
        if (shown?.includes("[recall handle") === true) cut++;
      }
    });
    assert.ok(cut > cases(), `only ${cut} results were cut`);
  });
});
