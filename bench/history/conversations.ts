import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "../../src/index.ts";
import { loadCorpus } from "../quality/load-corpus.ts";

export interface Conversations {
  /** Where they are from. */
  readonly source: string;
  readonly threads: readonly (readonly Message[])[];
}

const DEMO = join(import.meta.dirname, "../../assets/trajectory.json");

/** Returns undefined if the named corpus does not exist. */
export async function loadConversations(corpus: string, isGiven: boolean): Promise<Conversations | undefined> {
  if (existsSync(corpus)) {
    const { recordings } = await loadCorpus(corpus);
    return { source: `the corpus, ${recordings.length} conversations`, threads: recordings.map(({ log }) => log) };
  }
  if (isGiven) return undefined;
  const { messages } = JSON.parse(readFileSync(DEMO, "utf8")) as { messages: Message[] };
  return { source: "the session of the demo", threads: [messages] };
}

export function jsonBytes(messages: readonly Message[]): number {
  return Buffer.byteLength(JSON.stringify(messages));
}
