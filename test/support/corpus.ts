/**
 * Recorded sessions, which are no part of this repository: `npm run bench:corpus` fetches them into bench/corpus, and PALIMPSEST_CORPUS
 * names another folder. It holds `open` and `more`, each with its INDEX.json.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const named = process.env["PALIMPSEST_CORPUS"] ?? "";

export const CORPUS: string = resolve(root, named === "" ? "bench/corpus" : named);
export const CORPUS_OPEN: string = join(CORPUS, "open");
export const CORPUS_MORE: string = join(CORPUS, "more");

/** What to do where a test or a benchmark finds no session. */
export const HOW_TO_GET_IT: string = `No recorded sessions in ${CORPUS}. Fetch them with \`npm run bench:corpus\`, or set PALIMPSEST_CORPUS to a folder that has them.`;

// A name that is mistyped must not pass for "no corpus".
if (named !== "" && !existsSync(CORPUS)) throw new Error(`PALIMPSEST_CORPUS: there is no folder ${CORPUS}`);

/** A row of the corpus's own index. Of several trajectories it has the least, the median and the most. */
export interface IndexRow {
  readonly file: string;
  readonly format: string;
  readonly sha256_uncompressed: string;
  readonly trajectories: number;
  readonly messages: readonly [number, number, number];
  readonly tool_calls: readonly [number, number, number];
  readonly native_compactions: number;
}

/** Returns the rows of `INDEX.json` of the sessions that tests read; none where the corpus is not there. */
export function openIndex(): readonly IndexRow[] {
  const file = join(CORPUS_OPEN, "INDEX.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as readonly IndexRow[]) : [];
}
