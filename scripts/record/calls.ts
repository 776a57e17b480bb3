import type { Call, Result } from "./tools.ts";

/** One short name per tool, so that a session reads like a list of what was done. */
export const bash = (command: string): Call => ({ name: "bash", input: { command } });
export const grep = (pattern: string, path: string): Call => ({ name: "grep", input: { pattern, path } });
export const grepTests = (pattern: string, path: string): Call => ({ name: "grep", input: { pattern, path, glob: "*.test.ts" } });
export const read = (path: string): Call => ({ name: "read_file", input: { path } });
export const readLines = (path: string, offset: number, limit: number): Call => ({ name: "read_file", input: { path, offset, limit } });
export const write = (path: string, content: string): Call => ({ name: "write_file", input: { path, content } });
export const edit = (path: string, old_text: string, new_text: string): Call => ({ name: "edit_file", input: { path, old_text, new_text } });

export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** The lines that grep found: `path:line:text`. */
export function hitsOf(result: Result | undefined): Hit[] {
  return (result?.text ?? "").split("\n").flatMap((row) => {
    const match = /^([^:]+):(\d+):(.*)$/.exec(row);
    return match === null ? [] : [{ path: match[1] ?? "", line: Number(match[2]), text: match[3] ?? "" }];
  });
}

/** Throws if nothing was found, so that a session that went astray is not recorded. */
export function firstHit(result: Result | undefined, where: RegExp = /./): Hit {
  const hit = hitsOf(result).find(({ path }) => where.test(path));
  if (hit === undefined) throw new Error(`Nothing was found where the session builds on it:\n${result?.text ?? "(no result)"}`);
  return hit;
}
