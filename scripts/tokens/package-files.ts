import { globSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

const ROOT: string = resolve(import.meta.dirname, "../..");

/** The paths of the repository that match. None at all is an error: `npm ci` has to have run. */
export function findFiles(pattern: string): string[] {
  const files = globSync(pattern, { cwd: ROOT }).filter((path) => statSync(resolve(ROOT, path)).isFile());
  if (files.length === 0) throw new Error(`${pattern} matches no file of ${ROOT}`);
  return files.sort();
}

export function readText(path: string): string {
  return readFileSync(resolve(ROOT, path), "utf8");
}
