import { boolean, count, parseOptions, type Field } from "../errors/parse-options.ts";
import type { BranchRef, Store, StoredCommit } from "../store/store.ts";
import { commitLike, commitIn, type CommitLike } from "./commit-lookup.ts";
import { toCommit, type Commit } from "./commit.ts";
import { whole } from "./damage.ts";
import { queryWords, searchedText } from "./search-text.ts";

export interface LogQuery {
  /** At most this many commits: the first ones or, with `before` and without `after`, the last ones before it. */
  readonly limit?: number;
  readonly after?: CommitLike;
  readonly before?: CommitLike;
  readonly kinds?: readonly Commit["kind"][];
  /** Words that the commit must all contain. A word that ends in `*` is a prefix. */
  readonly text?: string;
  readonly minTokens?: number;
  readonly errorsOnly?: boolean;
}

const kindList: Field<readonly Commit["kind"][]> = {
  expected: 'an array of "append" and "edit"',
  accepts: (value): value is readonly Commit["kind"][] => Array.isArray(value) && value.every((kind) => kind === "append" || kind === "edit"),
};

/** Returns commits of a branch, oldest first. */
export async function queryLog(store: Store, ref: BranchRef, query: LogQuery): Promise<Commit[]> {
  const { limit, after, before, kinds, text, minTokens, errorsOnly } = parseOptions(query, "query", {
    limit: count,
    after: commitLike,
    before: commitLike,
    kinds: kindList,
    text: searchedText,
    minTokens: count,
    errorsOnly: boolean,
  });
  if (kinds?.length === 0) return [];
  const onlyKind = kinds !== undefined && new Set(kinds).size === 1 ? kinds[0] : undefined;
  const fromEnd = before !== undefined && after === undefined;
  const found = await store.commits(ref, {
    ...(after === undefined ? {} : { from: (await commitIn(store, ref, after, "query.after")).sequence + 1 }),
    ...(before === undefined ? {} : { to: (await commitIn(store, ref, before, "query.before")).sequence }),
    ...(limit === undefined ? {} : { limit }),
    ...(onlyKind === undefined ? {} : { kind: onlyKind }),
    ...(text === undefined ? {} : { words: queryWords(text) }),
    ...(minTokens === undefined ? {} : { minTokens }),
    ...(errorsOnly === undefined ? {} : { errorsOnly }),
    newestFirst: fromEnd,
  });
  return inOrder(whole(store, found), fromEnd).map(toCommit);
}

function inOrder(commits: readonly StoredCommit[], isReversed: boolean): readonly StoredCommit[] {
  return isReversed ? commits.toReversed() : commits;
}
