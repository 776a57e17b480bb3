/** Why a text is not JSON, without quoting it: a transcript may hold secrets. */
export interface JsonFault {
  readonly reason: string;
  /** The offset of the wrong character, or of the end. */
  readonly offset: number;
  readonly line: number;
}

type Expected = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or end";

const SCALAR = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const BLANKS = /[ \t\r\n]*/y;
/** A scalar that may be cut off. */
const BEGUN = /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-?[0-9.eE+-]*)$/;
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;

/** Finds where a text that `JSON.parse` refused stops being JSON. The parser's own message does not always say so. */
export function findJsonFault(text: string): JsonFault {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let at = matchEnd(BLANKS, text, 0);
  while (at < text.length) {
    const next = step(text, at, expected, open);
    if (next === undefined) return fault(text, at);
    [at, expected] = [matchEnd(BLANKS, text, next.end), next.expected];
    if (open.length === 0 && expected === "comma or end") break;
  }
  return fault(text, at);
}

interface Step {
  readonly end: number;
  readonly expected: Expected;
}

/** Reads the token at `at`; undefined if it may not stand there. `open` tracks the brackets. */
function step(text: string, at: number, expected: Expected, open: ("{" | "[")[]): Step | undefined {
  const char = text.charAt(at);
  const end = at + 1;
  switch (expected) {
    case "colon":
      return char === ":" ? { end, expected: "value" } : undefined;
    case "comma or end":
      if (char === ",") return { end, expected: open.at(-1) === "{" ? "key" : "value" };
      return closes(char, open) ? { end, expected } : undefined;
    case "key or }":
      if (closes(char, open)) return { end, expected: "comma or end" };
      return char === '"' ? stringStep(text, at, "colon") : undefined;
    case "key":
      return char === '"' ? stringStep(text, at, "colon") : undefined;
    case "value or ]":
      if (closes(char, open)) return { end, expected: "comma or end" };
      return value(text, at, open);
    case "value":
      return value(text, at, open);
  }
}

function closes(char: string, open: ("{" | "[")[]): boolean {
  if (char !== (open.at(-1) === "{" ? "}" : "]") || open.length === 0) return false;
  open.pop();
  return true;
}

function value(text: string, at: number, open: ("{" | "[")[]): Step | undefined {
  const char = text.charAt(at);
  if (char === '"') return stringStep(text, at, "comma or end");
  if (char === "{" || char === "[") {
    open.push(char);
    return { end: at + 1, expected: char === "{" ? "key or }" : "value or ]" };
  }
  const end = matchEnd(SCALAR, text, at);
  return end > at ? { end, expected: "comma or end" } : undefined;
}

/** Strings may be as long as the file, so a regular expression with backtracking is no option. */
function stringStep(text: string, start: number, expected: Expected): Step | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) return { end: at + 1, expected };
    if (char < 0x20) return undefined;
    if (char !== 0x5c) continue;
    const end = matchEnd(ESCAPE, text, at + 1);
    if (end === at + 1 && text.length - end > 4) return undefined;
    at = end - 1;
  }
  return { end: text.length, expected };
}

function matchEnd(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}

function fault(text: string, offset: number): JsonFault {
  const line = lineAt(text, offset);
  const begins = matchEnd(BLANKS, text, 0) === offset;
  if (!begins && BEGUN.test(text.slice(offset, offset + 40))) return { reason: "it ends before its JSON is complete", offset: text.length, line };
  return { reason: begins ? "it is not JSON" : "it is not JSON from there on", offset, line };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
