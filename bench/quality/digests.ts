/** Measures how much the digests of a preset retain of the digested rounds: `node bench/quality/digests.ts [--preset balanced] [--show N] [--each]`. */
import { parseArgs } from "node:util";
import type { Message } from "../../src/messages/message.ts";
import { createCompactor } from "../../src/conversation/compactor.ts";
import type { PresetName } from "../../src/policy/policy-options.ts";
import { estimateTokens } from "../../src/tokens/estimate-tokens.ts";
import { CORPUS_MORE, CORPUS_OPEN } from "../../test/support/corpus.ts";
import { formatTable } from "../table.ts";
import { loadCorpus } from "./load-corpus.ts";
import { addUp, measureDigest, type DigestScore } from "./measure/digest-score.ts";
import { countToolCalls, type Recording } from "./measure/recording.ts";
import { createProgress } from "./progress.ts";

const MIN_CALLS = 15;
/** Shorter sessions are not digested. */
const MIN_TOKENS = 50_000;

interface MeasuredDigest extends DigestScore {
  readonly session: string;
  readonly text: string;
}

const { values } = parseArgs({
  options: {
    preset: { type: "string", default: "balanced" },
    corpus: { type: "string", multiple: true, default: [CORPUS_OPEN, CORPUS_MORE] },
    each: { type: "boolean", default: false },
    show: { type: "string" },
  },
});
const progress = createProgress();
const found: MeasuredDigest[] = [];
const elapsed: number[] = [];
for (const folder of values.corpus) {
  const { recordings } = await loadCorpus(folder);
  const long = recordings.filter(({ log }) => countToolCalls(log) >= MIN_CALLS && estimateTokens(JSON.stringify(log)) >= MIN_TOKENS);
  for (const [number, recording] of long.entries()) {
    progress.stage(folder, { done: number, of: long.length });
    const start = performance.now();
    found.push(...digestsOf(recording, values.preset as PresetName));
    elapsed.push(performance.now() - start);
  }
}
progress.end();
const shown = found[Number(values.show ?? "-1")];
if (shown === undefined) printAll();
else console.log(`${shown.session}\n\n${shown.text}`);

/** Returns every digest made while the session is played, even those that later ones absorb. */
function digestsOf(recording: Recording, preset: PresetName): MeasuredDigest[] {
  const { log, times, models, id } = recording;
  const compactor = createCompactor({ preset, target: { bindsThinking: false } });
  const seen = new Set<string>();
  const measured: MeasuredDigest[] = [];
  for (const [position, message] of log.entries()) {
    if (message.role !== "assistant" || log[position - 1]?.role === "assistant" || position === 0) continue;
    const before: readonly Message[] = log.slice(0, position);
    const atMs = times[position];
    const { edits } = compactor.next(before, { model: models[position] ?? recording.model, headHash: "same", ...(atMs === undefined ? {} : { atMs }) });
    for (const edit of edits) {
      if (edit.pass !== "digest-rounds" || edit.kind !== "replace-range" || edit.summary === undefined || seen.has(edit.id)) continue;
      seen.add(edit.id);
      measured.push({ session: id, text: edit.summary, ...measureDigest(before, edit.from.position, edit.to.position, edit.summary) });
    }
  }
  return measured;
}

function printAll(): void {
  const rows = values.each ? found.map((score, number) => rowOf(`${number} ${score.session.slice(-50)}`, score)) : [];
  const sum = addUp(found);
  const header = ["digest", "turns", "tokens", "words kept", "files changed", "plan", "error", "of handles"];
  console.log(formatTable(header, [...rows, rowOf(`all ${found.length} digests of ${new Set(found.map(({ session }) => session)).size} sessions`, sum)]));
  console.log(`\n${Math.round(elapsed.reduce((all, ms) => all + ms, 0))} ms`);
}

function rowOf(name: string, { turns, tokens, words, files, plan, error, handleTokens }: DigestScore): string[] {
  const share = ({ kept, of }: { readonly kept: number; readonly of: number }): string =>
    of === 0 ? "-" : `${((100 * kept) / of).toFixed(1)} % of ${Math.round(of)}`;
  return [name, `${turns}`, `${tokens}`, share(words), share(files), share(plan), share(error), `${Math.round((100 * handleTokens) / tokens)} %`];
}
