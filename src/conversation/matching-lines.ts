import { RE2JS } from "re2js";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { refusedPattern } from "./refused-pattern.ts";

export interface LineMatch {
  /** Counted from 0. */
  readonly line: number;
  /** Where in the line the match begins. */
  readonly at: number;
}

/** Returns the lines that match a regular expression. An invalid pattern, or one without matches, is searched for as plain text. */
export function matchingLines(lines: readonly string[], pattern: string): LineMatch[] {
  const found = isExpression(pattern) ? linesMatching(lines, pattern) : [];
  return found.length > 0 ? found : linesWith(lines, pattern);
}

/** Matches in linear time: the model writes the pattern, and none may stall the process. */
function linesMatching(lines: readonly string[], pattern: string): LineMatch[] {
  const expression = compile(pattern);
  const found: LineMatch[] = [];
  for (const [line, text] of lines.entries()) {
    const matcher = expression.matcher(text);
    if (matcher.find()) found.push({ line, at: matcher.start() });
  }
  return found;
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw new PalimpsestError(
      "INVALID_INPUT",
      `input.grep: ${refusedPattern(pattern, error)}`,
      { path: "input.grep", expected: "a regular expression without lookaround and backreferences, or plain text", found: pattern },
      error,
    );
  }
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
