import { globSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

const ROOT: string = resolve(import.meta.dirname, "../..");

/** Returns the matching paths of the repository. Throws if there are none: run `npm ci` first. */
export function findFiles(pattern: string): string[] {
  const files = globSync(pattern, { cwd: ROOT }).filter((path) => statSync(resolve(ROOT, path)).isFile());
  if (files.length === 0) throw new Error(`${pattern} matches no file of ${ROOT}`);
  return files.sort();
}

export function readText(path: string): string {
  return readFileSync(resolve(ROOT, path), "utf8");
}
