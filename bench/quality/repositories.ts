import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, seedOf } from "./measure/random.ts";

interface IndexEntry {
  readonly file: string;
  readonly repo: string;
}

/** The repository of each transcript, by its path in the corpus. Throws where the corpus has no INDEX.json that names them. */
export function readRepositories(corpus: string): ReadonlyMap<string, string> {
  const path = join(corpus, "INDEX.json");
  const entries = JSON.parse(readFileSync(path, "utf8")) as readonly Partial<IndexEntry>[];
  return new Map(
    entries.map(({ file, repo }, number) => {
      if (file === undefined || repo === undefined) throw new Error(`${path}: entry ${number} has no file or no repo`);
      return [file, repo];
    }),
  );
}

/**
 * The part of N that a repository falls into, from 1. By its name alone, so that a repository is in the same part in every corpus.
 * The hash is FNV-1a of the name, mixed once (Mulberry32): its low bits alone hardly depend on most of the name.
 */
export function partOfRepository(repository: string, parts: number): number {
  return Math.floor(createRandom(seedOf(repository))() * parts) + 1;
}
