import type { ReplayPolicy } from "../../../src/replay/replay-policy.ts";
import { resultText } from "../../../src/messages/message.ts";
import { valuesInText } from "../measure/extract-values.ts";
import type { PreparedTrajectory } from "../measure/prepare.ts";
import { createRandom, seedOf } from "../measure/random.ts";
import { unescaped } from "../measure/segments.ts";
import { ValueFinder } from "../measure/value-finder.ts";
import { stubOf } from "./keep-last.ts";
import { lastAssistant, Rewriter, type ResultPlace } from "./results.ts";

export const fullContext: ReplayPolicy = { name: "full context", start: () => ({ next: (log) => ({ messages: log, recoverable: [] }) }) };

/** Rewrites all results except those of the newest round. */
function rewriteOld(name: string, textOf: (place: ResultPlace) => string): ReplayPolicy {
  return {
    name,
    start() {
      const rewriter = new Rewriter();
      const made = new Map<unknown, string>();
      return {
        next(log) {
          const newest = lastAssistant(log);
          const messages = rewriter.apply(log, (place) => {
            if (place.position > newest) return undefined;
            let text = made.get(place.result);
            if (text === undefined) made.set(place.result, (text = textOf(place)));
            return text;
          });
          return { messages, recoverable: [] };
        },
      };
    },
  };
}

export const stubEverything: ReplayPolicy = rewriteOld("stub everything", ({ result }) => stubOf(resultText(result)));

/** Keeps this share of the lines of each old result, drawn with a fixed seed. */
export function randomLines(share: number): ReplayPolicy {
  return rewriteOld(`random lines, ${Math.round(100 * share)} %`, ({ result }) => {
    const text = resultText(result);
    const random = createRandom(seedOf(text));
    return text.split("\n").filter(() => random() < share).join("\n") || stubOf(text); // prettier-ignore
  });
}

const DUMP_CHARS = 1_200;

/** The values that an extractor finds in each old result, one after the other, without context. */
export const bareTokenDump: ReplayPolicy = rewriteOld("bare-token dump", ({ result }) => {
  const text = resultText(result);
  const tokens = [...valuesInText(unescaped(text))]
    .filter((value) => !/\s/.test(value))
    .toSorted()
    .join(" ");
  return tokens.length >= text.length ? text : tokens.slice(0, DUMP_CHARS) || stubOf(text);
});

/** Knows the future: keeps exactly the lines of each result whose values are used while nothing else shows them. */
export function oracleLines({ steps }: PreparedTrajectory): ReplayPolicy {
  const needed = [...new Set(steps.flatMap(({ needs }) => needs.filter(({ atRisk, usedIn }) => atRisk && usedIn === "call").map(({ value }) => value)))];
  const finder = new ValueFinder(needed);
  return {
    name: "oracle lines, at ingest",
    start() {
      const rewriter = new Rewriter();
      const made = new Map<string, string>();
      return {
        next: (log) => ({
          messages: rewriter.apply(log, ({ result }) => {
            const text = resultText(result);
            let kept = made.get(text);
            if (kept === undefined) made.set(text, (kept = linesWith(text, needed, finder)));
            return kept;
          }),
          recoverable: [],
        }),
      };
    },
  };
}

/** The context around a value that binding requires. */
const REACH_BEFORE = 60;
const REACH_AFTER = 40;

function linesWith(raw: string, values: readonly string[], finder: ValueFinder): string {
  const text = unescaped(raw);
  const kept: (readonly [from: number, to: number])[] = [];
  for (const [number, starts] of finder.find(text)) {
    const start = starts.at(-1) ?? 0;
    const end = start + (values[number]?.length ?? 0);
    kept.push([Math.max(0, start - REACH_BEFORE), Math.min(text.length, end + REACH_AFTER)]);
  }
  if (kept.length === 0) return stubOf(raw);
  const pieces: string[] = [];
  let at = 0;
  for (const [from, to] of kept.toSorted((a, b) => a[0] - b[0])) {
    if (to <= at) continue;
    pieces.push(`${from > at && at > 0 ? "\n…\n" : ""}${text.slice(Math.max(from, at), to)}`);
    at = to;
  }
  return pieces.join("");
}
