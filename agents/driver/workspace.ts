import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Place } from "./agent.ts";

export const FILES = 24;

/** A directory for everything that agents write. */
export interface Scratch {
  /** Made anew, under the same name each time. */
  readonly fresh: () => Place;
  readonly path: (name: string) => string;
  readonly remove: () => void;
}

export function createScratch(): Scratch {
  const root = mkdtempSync(join(tmpdir(), "palimpsest-agents-"));
  const place: Place = { home: join(root, "home"), work: join(root, "work") };
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  process.once("exit", remove);
  return {
    fresh() {
      for (const folder of [place.home, place.work]) rmSync(folder, { recursive: true, force: true });
      mkdirSync(place.home, { recursive: true });
      writeRepository(place.work);
      return place;
    },
    path: (name) => join(root, name),
    remove,
  };
}

export function fileName(number: number): string {
  return `src/part-${String(number % FILES).padStart(2, "0")}.ts`;
}

/** Of 1 to 28 KB: below the limit up to which a file is shown whole. */
function fileBytes(number: number): number {
  return 1_000 + (((number % FILES) * 7_919) % 27_000);
}

/** Stands in each file once. */
export function revisionLine(revision: number): string {
  return `export const revision = ${revision};`;
}

function writeRepository(work: string): void {
  mkdirSync(join(work, "src"), { recursive: true });
  for (let number = 0; number < FILES; number++) writeFileSync(join(work, fileName(number)), sourceText(number, fileBytes(number)));
  writeFileSync(join(work, "README.md"), "# Parts\n\nA made repository: many parts, and `sh check.sh <suite> <tests>`, which says that they work.\n");
  writeFileSync(join(work, "check.sh"), CHECK);
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-c", "user.name=Nobody", "-c", "user.email=nobody@localhost", ...args], { cwd: work, env: GIT_ENV });
  git("init", "--quiet", "--initial-branch=main");
  git("add", ".");
  git("commit", "--quiet", "--message=Parts");
}

/** The same commit each time. */
const WHEN = "2026-01-01T00:00:00Z";
const GIT_ENV = { PATH: process.env["PATH"], GIT_AUTHOR_DATE: WHEN, GIT_COMMITTER_DATE: WHEN, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };

/** About 60 bytes for each test. */
const CHECK = `i=1
while [ $i -le $2 ]; do
  echo "ok $i - suite $1, part $((i * 7 % ${FILES})): value $((i * 7919 % 9973)) is as it should be"
  i=$((i + 1))
done
echo "$2 tests of suite $1 passed"
`;

function sourceText(number: number, bytes: number): string {
  const lines = [`/** Part ${number} of the made repository. */`, revisionLine(0), ""];
  let length = 0;
  for (let line = 1; length < bytes; line++) {
    const text = `export const value${number}_${line} = compute("${number}-${line}", ${(line * 7_919 + number * 31) % 99_991}); // step ${line}`;
    lines.push(text);
    length += text.length + 1;
  }
  return `${lines.join("\n")}\n`;
}
