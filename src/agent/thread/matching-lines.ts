import { createContext, Script } from "node:vm";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";

export interface LineMatch {
  /** Counted from 0. */
  readonly line: number;
  /** Where in the line the match begins. */
  readonly at: number;
}

/** A pattern that backtracks without end would stop the whole process: it runs where it can be stopped. */
const TIME_LIMIT_MS = 250;

const search = new Script(`
  const expression = new RegExp(pattern);
  const found = [];
  for (let line = 0; line < lines.length; line++) {
    const at = lines[line].search(expression);
    if (at !== -1) found.push({ line, at });
  }
  found;
`);

/** The lines in which a regular expression matches; what is none, or matches nothing, is looked for as plain text. */
export function matchingLines(lines: readonly string[], pattern: string): LineMatch[] {
  const found = isExpression(pattern) ? linesMatching(lines, pattern) : [];
  return found.length > 0 ? found : linesWith(lines, pattern);
}

function linesMatching(lines: readonly string[], pattern: string): LineMatch[] {
  try {
    // What a context gives back belongs to another realm: copied, so that it is like any other value here.
    const found = search.runInContext(createContext({ lines, pattern }), { timeout: TIME_LIMIT_MS }) as LineMatch[];
    return Array.from(found, ({ line, at }) => ({ line, at }));
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new PalimpsestError("INVALID_INPUT", `input.grep: this pattern takes too long on ${lines.length} lines. Use a simpler one, or plain text.`, {
      path: "input.grep",
      expected: `a pattern that is done within ${TIME_LIMIT_MS} ms`,
      found: pattern,
    });
  }
}

/** An error of the context's is an `Error` of another realm: `instanceof` does not know it. */
function isTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern).source !== "";
  } catch {
    return false;
  }
}

function linesWith(lines: readonly string[], text: string): LineMatch[] {
  return lines.flatMap((content, line) => {
    const at = content.indexOf(text);
    return at === -1 ? [] : [{ line, at }];
  });
}
