import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { loadTranscript } from "../../src/formats/index.ts";
import type { Recording } from "./measure/recording.ts";

const TRANSCRIPTS = /\.(?:jsonl|json|traj|eval)(?:\.gz)?$/;

export interface Corpus {
  readonly recordings: readonly Recording[];
  /** Files that are not transcripts, with the reason. */
  readonly refused: readonly string[];
}

/** Loads all transcripts below a folder, in the order of their names. */
export async function loadCorpus(folder: string): Promise<Corpus> {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}. Recorded sessions: npm run bench:corpus, or PALIMPSEST_CORPUS.`);
  const recordings: Recording[] = [];
  const refused: string[] = [];
  for (const file of filesIn(folder)) {
    const name = relative(folder, file).split(sep).join("/");
    try {
      const { trajectories, format } = await loadTranscript(file);
      for (const { id, model = "unknown", system = "", tools = [], log, entries } of trajectories) {
        const messages = entries.filter((entry) => entry.kind === "message");
        // "3/0" is the first attempt at task 3.
        const task = `${name}#${id.replace(/\/\d+$/, "")}`;
        const [times, models] = [messages.map(({ atMs }) => atMs), messages.map((entry) => entry.model)];
        recordings.push({ id: `${name}#${id}`, task, source: format.name, wire: format.wire, model, system, tools, log, times, models });
      }
    } catch (error) {
      refused.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { recordings, refused };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return filesIn(path);
      return TRANSCRIPTS.test(name) && name !== "INDEX.json" ? [path] : [];
    });
}
