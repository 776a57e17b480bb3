import { invalid } from "../errors/palimpsest-error.ts";
import { boolean, count, oneOf, parseOptions, string, type Field, type FieldsOf } from "../errors/parse-options.ts";
import { queryWords, type QueryWord } from "./search-words.ts";
import { nameToBe } from "./unfinished.ts";
import type { BranchRef, CommitQuery, NewCommit, StoredCommit } from "./store.ts";

/** The longest name that every store can index: databases limit the length of a key. */
const MAX_NAME_CHARACTERS = 500;

/** No limit. */
export const ALL: number = Number.MAX_SAFE_INTEGER;

export interface ParsedQuery {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly kind: CommitQuery["kind"];
  readonly role: CommitQuery["role"];
  readonly tool: string | undefined;
  readonly callId: string | undefined;
  readonly edits: string | undefined;
  readonly minTokens: number | undefined;
  readonly errorsOnly: boolean;
  readonly words: readonly QueryWord[];
}

const strings: Field<readonly string[]> = {
  expected: "an array of strings",
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === "string"),
};

const QUERY_FIELDS: FieldsOf<CommitQuery> = {
  from: count,
  to: count,
  limit: count,
  newestFirst: boolean,
  kind: oneOf("append", "edit"),
  role: oneOf("user", "assistant", "tool"),
  tool: string,
  callId: string,
  edits: string,
  minTokens: count,
  errorsOnly: boolean,
  words: strings,
};

export function parseQuery(query: CommitQuery = {}): ParsedQuery {
  const given = parseOptions(query, "query", QUERY_FIELDS);
  return {
    from: given.from ?? 0,
    to: given.to ?? ALL,
    limit: given.limit ?? ALL,
    newestFirst: given.newestFirst ?? false,
    kind: given.kind,
    role: given.role,
    tool: given.tool,
    callId: given.callId,
    edits: given.edits,
    minTokens: given.minTokens,
    errorsOnly: given.errorsOnly ?? false,
    words: queryWords(given.words ?? []),
  };
}

export function parsePage(page: { readonly limit?: number; readonly after?: string } = {}): { limit: number; after: string | undefined } {
  const { limit = ALL, after } = parseOptions(page, "page", { limit: count, after: string });
  return { limit, after };
}

export function checkCount(value: number, path: string): void {
  if (!count.accepts(value)) throw invalid("INVALID_INPUT", path, count.expected, value);
}

export function checkName(name: string, path: string): void {
  if (name.length > MAX_NAME_CHARACTERS) throw invalid("INVALID_INPUT", path, `at most ${MAX_NAME_CHARACTERS} characters`, name);
}

export function checkAppend(ref: BranchRef, added: readonly NewCommit[]): void {
  checkName(nameToBe(ref.thread), "ref.thread");
  checkName(ref.branch, "ref.branch");
  for (const [index, { hash, content }] of added.entries()) {
    checkName(hash, `added[${index}].hash`);
    checkName(content.hash, `added[${index}].content.hash`);
  }
}

/** Steps and notes of a branch cannot be stored without it. */
export function branchMissing(ref: BranchRef): Error {
  return invalid("INVALID_INPUT", "ref", "an existing branch", ref);
}

export function toStored(commit: NewCommit, sequence: number): StoredCommit {
  const { content, search: _, ...fields } = commit;
  return { ...fields, sequence, contentHash: content.hash };
}
