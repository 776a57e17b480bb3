/**
 * Writes the scripted agent's run (assets/trajectory.json) in every transcript format, with what a reader must find in each,
 * to test/fixtures/transcripts. Run it with `node scripts/write-fixtures.ts`. With `--check` it writes nothing, and fails if
 * a file is out of date.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { FIXTURE_FOLDER, fixtureFiles, staleFixtures } from "./fixtures/all-fixtures.ts";

const stale = staleFixtures();
if (!process.argv.includes("--check")) {
  const files = fixtureFiles();
  mkdirSync(FIXTURE_FOLDER, { recursive: true });
  for (const name of stale) {
    const bytes = files.get(name);
    if (bytes === undefined) rmSync(new URL(name, FIXTURE_FOLDER), { recursive: true });
    else writeFileSync(new URL(name, FIXTURE_FOLDER), bytes);
  }
  console.log(`${files.size} files, ${stale.length} of them rewritten.`);
} else if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(", ")}. Run scripts/write-fixtures.ts without --check.`);
  process.exitCode = 1;
}
