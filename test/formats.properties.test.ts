import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { forFormat } from "../src/formats/for-format.ts";
import { PalimpsestError } from "../src/errors/palimpsest-error.ts";
import type { Edit } from "../src/edits/edit.ts";
import { arbitraryEdits } from "./support/arbitrary-edits.ts";
import { aiSdkFormat } from "./support/formats/ai-sdk-format.ts";
import { chatFormat } from "./support/formats/chat-format.ts";
import { addedNativeFaults, type NativeFormat } from "./support/formats/native-format.ts";
import { responsesFormat } from "./support/formats/responses-format.ts";
import { anyTranscript, checkAsyncProperty, checkProperty, deepFreeze, pendingTranscript, sameBytes, validTranscript } from "./support/transcripts.ts";

/** What one random call was asked to do: its meaning depends on the function. */
interface Wish {
  readonly a: number;
  readonly b: number;
  readonly flag: boolean;
  readonly style: number;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  a: fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 700 })),
  b: fc.nat({ max: 60 }),
  flag: fc.boolean(),
  style: fc.nat({ max: 29 }),
});

type Run<N> = (messages: readonly N[], wish: Wish) => N[];

/** Every function that gives messages back, on one format. One that refuses gives the messages themselves. */
function runsOf<N extends object, R extends object>({ codec }: NativeFormat<N, R>): Readonly<Record<string, Run<N>>> {
  const functions = forFormat(codec);
  return {
    "decode and encode": (messages) => codec.encode(codec.decode(messages)),
    collapseToolChains: (messages, { a, b, flag }) =>
      functions.collapseToolChains(messages, { collapseAfterTurns: a % 8, collapseMultiToolTurns: flag, collapseGistChars: b }),
    "pruneMessages sliding-window": (messages, { a }) => functions.pruneMessages(messages, { strategy: "sliding-window", maxTurns: a % 20 }),
    "pruneMessages summarize": (messages, { a }) => functions.pruneMessages(messages, { strategy: "summarize", maxTurns: a % 20 }),
    "pruneMessages importance": (messages, { a }) => functions.pruneMessages(messages, { strategy: "importance", maxTurns: a % 20 }),
    "pruneMessages for a target that binds thinking": (messages, { a }) =>
      functions.pruneMessages(messages, { strategy: "importance", maxTurns: a % 20 }, { bindsThinking: true }),
    compactOldToolResults: (messages, { a }) =>
      functions.compactOldToolResults(messages, { inputTokens: 50_000, toolResultRetentionChars: a, onCompact: () => undefined }).messages,
    compactThread: (messages, { a, b, flag }) => {
      const ids = functions.checkpointsIn(messages).map(({ id }) => id);
      const from = ids[a % (ids.length + 1)];
      const to = ids[b % (ids.length + 1)];
      try {
        return functions.compactThread(messages, [
          { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), summary: flag ? "Done so far." : "" },
        ]);
      } catch (error) {
        if (PalimpsestError.isInstance(error)) return [...messages];
        throw error;
      }
    },
  };
}

const endsOpen = (name: string): boolean => name === "compactThread";

function describeFormat<N extends object, R extends object>(format: NativeFormat<N, R>): void {
  const { codec } = format;
  const functions = forFormat(codec);
  for (const [name, run] of Object.entries(runsOf(format))) {
    describe(`${codec.name}: ${name}`, () => {
      it("keeps a valid history valid", () => {
        checkProperty(`${codec.name} ${name}: valid in, valid out`, [validTranscript(), wish], (transcript, choice) => {
          const log = format.write(transcript, choice.style);
          assert.deepEqual(format.faults(log, { history: false }), [], "the log itself");
          assert.deepEqual(codec.check(log), [], "the log itself, by our check");
          const view = run(log, choice);
          assert.deepEqual(format.faults(view, { history: endsOpen(name) }), []);
          assert.deepEqual(codec.check(view, { history: endsOpen(name) }), []);
        });
      });

      it("adds no fault to a pending or faulty history, leaves it alone, and gives the same bytes each time", () => {
        checkProperty(`${codec.name} ${name}: no new fault`, [fc.oneof(pendingTranscript(), anyTranscript()), wish], (transcript, choice) => {
          const log = deepFreeze(format.write(transcript, choice.style));
          const view = run(log, choice);
          assert.deepEqual(addedNativeFaults(format, log, view, endsOpen(name)), []);
          assert.ok(sameBytes(view, run(log, choice)));
        });
      });
    });
  }

  describe(`${codec.name}: what a format promises`, () => {
    it("gives the same objects back", () => {
      checkProperty(`${codec.name}: round trip`, [anyTranscript(), wish], (transcript, { style }) => {
        const log = format.write(transcript, style);
        const back = codec.encode(codec.decode(log));
        assert.equal(back.length, log.length);
        back.forEach((message, position) => assert.equal(message, log[position]));
      });
    });

    it("renders any edits without a new fault, and undoes them exactly", () => {
      checkProperty(`${codec.name}: render`, [anyTranscript(), wish, fc.gen()], (transcript, { style }, gen) => {
        const log = format.write(transcript, style);
        const decoded = codec.decode(log);
        const edits: Edit[] = gen(() => arbitraryEdits(decoded));
        let view: readonly N[];
        try {
          view = functions.render(log, edits);
        } catch (error) {
          if (PalimpsestError.isInstance(error)) return;
          throw error;
        }
        assert.deepEqual(addedNativeFaults(format, log, view, true), []);
        const undone = functions.render(
          log,
          edits.map((edit) => ({ ...edit, undoneAt: edit.madeAt })),
        );
        undone.forEach((message, position) => assert.equal(message, log[position]));
      });
    });

    it("never makes a result longer, and does nothing the second time", () => {
      checkProperty(`${codec.name}: compress`, [anyTranscript(), wish], (transcript, { a, style }) => {
        for (const result of format.resultsOf(format.write(transcript, style))) {
          const once = functions.compressToolResult(result, { maxToolResultTokens: a });
          assert.ok(format.resultLength(once) <= format.resultLength(result));
          assert.equal(functions.compressToolResult(once, { maxToolResultTokens: a }), once);
        }
      });
    });

    it("puts a summary in the place of what was pruned", async () => {
      await checkAsyncProperty(`${codec.name}: summarizeAndPrune`, [validTranscript(), wish], async (transcript, { a, style }) => {
        const log = format.write(transcript, style);
        const view = await functions.summarizeAndPrune(log, { strategy: "summarize", maxTurns: a % 8 }, () => Promise.resolve("A real summary."));
        assert.deepEqual(format.faults(view, { history: false }), []);
        const isWhole = view.length === log.length && view.every((message, position) => message === log[position]);
        assert.equal(JSON.stringify(view).includes("A real summary."), !isWhole);
      });
    });

    it("keeps the system messages at the start", () => {
      checkProperty(`${codec.name}: head`, [validTranscript(), wish], (transcript, { style }) => {
        const log = format.write(transcript, style);
        const view = functions.pruneMessages(log, { strategy: "sliding-window", maxTurns: 0 });
        if (codec.decode(log)[0]?.role === "system") assert.equal(view[0], log[0]);
      });
    });
  });
}

describeFormat(chatFormat);
describeFormat(aiSdkFormat);
describeFormat(responsesFormat);
