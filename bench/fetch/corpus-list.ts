import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Extract } from "./extract.ts";

/** A recorded session of `bench/quality/corpus.json`. Names are those of the INDEX.json that is written beside the sessions. */
export interface CorpusFile {
  readonly set: "open" | "more";
  /** The path below the folder of its set. A name with `.gz` is compressed here but not at its source. */
  readonly file: string;
  readonly format: string;
  readonly repo: string;
  readonly commit: string;
  readonly path: string;
  readonly licence: string;
  /** Of the content, uncompressed. */
  readonly raw_bytes: number;
  readonly sha256_uncompressed: string;
  /** Set if only a part of the source file is used. */
  readonly extract?: Extract;
}

export const CORPUS_LIST: string = resolve(import.meta.dirname, "../quality/corpus.json");

export function readCorpusList(path: string): readonly CorpusFile[] {
  const { files } = JSON.parse(readFileSync(path, "utf8")) as { readonly files: readonly CorpusFile[] };
  for (const { file, set } of files) {
    if (file.split("/").includes("..") || file.startsWith("/")) throw new Error(`${path}: ${set}/${file} leads out of its folder`);
  }
  return files;
}

/** `host`/owner/name/commit/path: as the public host has it, and as a mirror has to. */
export function addressOf({ repo, commit, path }: CorpusFile, host: string): string {
  return `${host.replace(/\/$/, "")}/${repo}/${commit}/${path.split("/").map(encodeURIComponent).join("/")}`;
}
