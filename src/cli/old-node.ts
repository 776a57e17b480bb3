import { readPackageJson } from "./package-json.ts";

// main.ts loads this on any Node, so it imports nothing that an old one lacks.

/** Returns a message that this Node is too old, with the version needed. Undefined: it is new enough. */
export function complainOfOldNode(running: string, executable: string, range: string = readPackageJson().engines.node): string | undefined {
  const needed = range.replace(/^>=\s*/, "");
  return isOlder(running, needed)
    ? `Node ${needed} or newer is needed, but this is Node ${running} (${executable}). See https://nodejs.org/download.`
    : undefined;
}

/** Missing numbers are 0. Pre-releases count as their release. */
function isOlder(version: string, needed: string): boolean {
  const have = numbersOf(version);
  const want = numbersOf(needed);
  const differing = [0, 1, 2].find((place) => (have[place] ?? 0) !== (want[place] ?? 0));
  return differing !== undefined && (have[differing] ?? 0) < (want[differing] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10));
}
