import { markOf, type MarkKind } from "./marks.ts";
import { wordPattern, type QueryWord } from "./search-words.ts";
import type { ParsedQuery } from "./store-input.ts";

/** Takes a value and returns its placeholder. Called in the order of the SQL. Values never become part of the SQL. */
type Bind = (value: string | number | Uint8Array) => string;

interface Dialect {
  readonly bind: Bind;
  /** An expression for the number of the segment. */
  readonly segment: () => string;
  /** The function that returns the place of one text in another; 0: not found. */
  readonly find: "instr" | "strpos";
}

/** Returns the SQL conditions of a query on the commits `c` of a segment. */
export function commitConditions(query: ParsedQuery, { bind, segment, find }: Dialect): string[] {
  const marked = (kind: MarkKind, name: string | undefined): string[] =>
    name === undefined
      ? []
      : [`c.sequence IN (SELECT m.sequence FROM palimpsest_marks m WHERE m.segment = ${segment()} AND m.mark = ${bind(markOf(kind, name))})`];
  const worded = (words: readonly QueryWord[]): string[] => {
    const found = words.map((word) => `AND ${find}(w.words, ${bind(wordPattern(word))}) > 0`);
    return found.length === 0 ? [] : [`EXISTS (SELECT 1 FROM palimpsest_words w WHERE w.content = c.content ${found.join(" ")})`];
  };
  return [
    ...marked("tool", query.tool),
    ...marked("call", query.callId),
    ...marked("edits", query.edits),
    ...(query.kind === undefined ? [] : [`c.kind = ${bind(query.kind)}`]),
    ...(query.role === undefined ? [] : [`c.role = ${bind(query.role)}`]),
    ...(query.minTokens === undefined ? [] : [`c.tokens >= ${bind(query.minTokens)}`]),
    ...(query.errorsOnly ? ["c.is_error"] : []),
    ...worded(query.words),
  ];
}
