import { loadCorpus } from "./load-corpus.ts";
import { createDocumentFrequency } from "./measure/document-frequency.ts";
import { valuesUsedIn } from "./measure/find-needs.ts";
import { prepareTrajectories, type PreparedTrajectory } from "./measure/prepare.ts";
import { countToolCalls } from "./measure/recording.ts";
import { segmentsOf } from "./measure/segments.ts";
import { TOKEN_COUNTERS } from "./measure/token-counters.ts";
import type { Options } from "./options.ts";
import type { Progress } from "./progress.ts";
import { partOf } from "./split.ts";

/** What is measured of a corpus; all of it says how common a word is. */
export async function prepareCorpus(
  { corpus, minToolCalls, tokens, split }: Pick<Options, "corpus" | "minToolCalls" | "tokens" | "split">,
  progress: Progress,
): Promise<readonly PreparedTrajectory[]> {
  progress.stage("reading the corpus");
  const { recordings, refused } = await loadCorpus(corpus);
  for (const line of refused) console.error(`not read: ${line}`);
  const measured = partOf(recordings.filter(({ log }) => countToolCalls(log) >= minToolCalls), split); // prettier-ignore
  progress.stage("counting words");
  const documents = recordings.map(({ task, log }) => ({ task, texts: log.flatMap((message) => segmentsOf(message).map(({ text }) => text)) }));
  const frequency = createDocumentFrequency(documents, [...new Set(measured.flatMap((recording) => [...valuesUsedIn(recording)]))]);
  progress.stage("finding what is needed later");
  return prepareTrajectories(measured, frequency, TOKEN_COUNTERS[tokens]);
}
