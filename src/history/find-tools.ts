import { boolean, count, parseOptions, string } from "../errors/parse-options.ts";
import type { BranchRef, CommitQuery, Store, StoredCommit } from "../store/store.ts";
import { commitLike, commitWith, hashOf, commitIn, type CommitLike } from "./commit-lookup.ts";
import { toCommit, type Commit } from "./commit.ts";
import { whole } from "./damage.ts";
import { queryWords, searchedText } from "./search-text.ts";

/** All given conditions must hold. */
export interface ToolQuery {
  /** The name of the tool. */
  readonly name?: string;
  /** After this commit. */
  readonly after?: CommitLike;
  /** Before this commit. */
  readonly before?: CommitLike;
  /** Words that it must all contain, in the original or in any edit of it; for a turn, in the call or in a result. A word that ends in `*` is a prefix. */
  readonly text?: string;
  /** At least this many tokens as shown now; for a turn, in all of it. */
  readonly minTokens?: number;
  /** Only results of tools that failed, and calls with such a result. */
  readonly errorsOnly?: boolean;
}

/** A commit that calls tools, and the results. */
export interface ToolTurn {
  readonly call: Commit;
  /** Their current versions. */
  readonly results: readonly Commit[];
  /** The names of the tools that it calls, each once. */
  readonly toolNames: readonly string[];
  readonly allHashes: readonly string[];
  readonly resultHashes: readonly string[];
  readonly totalTokens: number;
}

const FIELDS = { name: string, after: commitLike, before: commitLike, text: searchedText, minTokens: count, errorsOnly: boolean };

type Asked = { readonly [K in keyof ToolQuery]?: ToolQuery[K] | undefined };

/** Up to this many are queried one by one; more are found in one scan of the thread. */
const FEW = 64;

/** Queries the calls and results of one branch. The store has an index for each query. */
export class ToolFinder {
  readonly #store: Store;
  readonly #ref: BranchRef;

  constructor(store: Store, ref: BranchRef) {
    this.#store = store;
    this.#ref = ref;
  }

  async results(query: ToolQuery): Promise<Commit[]> {
    const { name, text, minTokens, errorsOnly, ...rest } = parseOptions(query, "query", FIELDS);
    const stretch = await this.#stretch(rest.after, rest.before);
    const asked: CommitQuery = { role: "tool", ...(name === undefined ? {} : { tool: name }), ...(errorsOnly === true ? { errorsOnly } : {}) };
    const originals =
      text === undefined && minTokens === undefined
        ? await this.#commits({ ...asked, kind: "append", ...stretch })
        : await this.#anyVersion({ ...asked, ...(text === undefined ? { minTokens: minTokens ?? 0 } : { words: queryWords(text) }) }, stretch);
    const current = await this.#current(originals, name);
    return current.filter(({ tokens }) => tokens >= (minTokens ?? 0)).map(toCommit);
  }

  async calls(query: ToolQuery): Promise<Commit[]> {
    return (await this.#calls(parseOptions(query, "query", FIELDS))).map(toCommit);
  }

  async turns(query: ToolQuery): Promise<ToolTurn[]> {
    const { text, minTokens = 0, ...rest } = parseOptions(query, "query", FIELDS);
    const saying = text === undefined ? undefined : await this.#saying(queryWords(text));
    const all = await this.#calls(rest);
    const pairs = await this.#pairs(all);
    const calls = saying === undefined ? all : all.filter((call) => [call, ...(pairs.get(call.hash) ?? [])].some(({ hash }) => saying.has(hash)));
    const originals = calls.flatMap(({ hash }) => pairs.get(hash) ?? []);
    const current = await this.#current(originals, undefined);
    const versions = new Map(originals.map(({ hash }, number) => [hash, current[number]] as const));
    const turns = calls.map((call) => {
      const results = (pairs.get(call.hash) ?? []).flatMap(({ hash }) => versions.get(hash) ?? []);
      return turnOf(call, results);
    });
    return turns.filter(({ totalTokens }) => totalTokens >= minTokens);
  }

  /** Returns the originals of everything that has these words in some version. */
  async #saying(words: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.#commits({ words });
    return new Set(found.flatMap(({ kind, role, hash, edits }) => (kind === "append" ? hash : role === "tool" ? (edits ?? []) : [])));
  }

  async #calls({ name, after, before, text, minTokens, errorsOnly }: Asked): Promise<StoredCommit[]> {
    const found = await this.#commits({
      role: "assistant",
      kind: "append",
      ...(name === undefined ? {} : { tool: name }),
      ...(text === undefined ? {} : { words: queryWords(text) }),
      ...(minTokens === undefined ? {} : { minTokens }),
      ...(await this.#stretch(after, before)),
    });
    const calls = found.filter((commit) => commit.calls !== undefined && commit.calls.length > 0);
    if (errorsOnly !== true) return calls;
    const pairs = await this.#pairs(calls);
    return calls.filter(({ hash }) => pairs.get(hash)?.some(({ isError }) => isError === true));
  }

  /** Returns the originals of every version that the query finds. */
  async #anyVersion(asked: CommitQuery, { from = 0, to = Infinity }: { readonly from?: number; readonly to?: number }): Promise<StoredCommit[]> {
    const originals = new Map<string, StoredCommit>();
    const edited = new Set<string>();
    for (const commit of await this.#commits(asked)) {
      if (commit.kind === "append") originals.set(commit.hash, commit);
      else if (commit.edits !== undefined) edited.add(commit.edits);
    }
    for (const hash of edited) {
      if (originals.has(hash)) continue;
      const commit = await commitWith(this.#store, this.#ref.thread, hash);
      // An undo edits an edit, so it is not a version of a result.
      if (commit.kind === "append") originals.set(hash, commit);
    }
    return [...originals.values()].filter(({ sequence }) => sequence >= from && sequence < to).sort((a, b) => a.sequence - b.sequence);
  }

  /** Returns the newest version of each that was not undone. */
  async #current(originals: readonly StoredCommit[], tool: string | undefined): Promise<StoredCommit[]> {
    const isFew = originals.length <= FEW;
    const edits = isFew
      ? (await Promise.all(originals.map(({ hash }) => this.#commits({ kind: "edit", role: "tool", edits: hash })))).flat()
      : await this.#commits({ kind: "edit", role: "tool", ...(tool === undefined ? {} : { tool }) });
    const undone = isFew
      ? new Set((await Promise.all(edits.map(({ hash }) => this.#commits({ kind: "edit", edits: hash })))).flat().map((undo) => undo.edits))
      : new Set(edits.map((edit) => edit.edits));
    const newest = new Map<string, StoredCommit>();
    for (const edit of edits) if (edit.edits !== undefined && !undone.has(edit.hash)) newest.set(edit.edits, edit);
    return originals.map((original) => newest.get(original.hash) ?? original);
  }

  /** Returns the results of each of these calls. Ids repeat: a result answers the nearest earlier call with its id that has none. */
  async #pairs(calls: readonly StoredCommit[]): Promise<Map<string, StoredCommit[]>> {
    const ids = [...new Set(calls.flatMap((commit) => commit.calls?.map(({ id }) => id) ?? []))];
    const around =
      ids.length <= FEW
        ? (await Promise.all(ids.map((callId) => this.#commits({ kind: "append", callId })))).flat()
        : [...(await this.#commits({ kind: "append", role: "assistant" })), ...(await this.#commits({ kind: "append", role: "tool" }))];
    return pair([...new Map(around.map((commit) => [commit.hash, commit])).values()].sort((a, b) => a.sequence - b.sequence));
  }

  async #stretch(after: CommitLike | undefined, before: CommitLike | undefined): Promise<{ from?: number; to?: number }> {
    return {
      ...(after === undefined ? {} : { from: (await this.#placeOf(after, "query.after")) + 1 }),
      ...(before === undefined ? {} : { to: await this.#placeOf(before, "query.before") }),
    };
  }

  /** A version of a result has the place of the result. */
  async #placeOf(given: CommitLike, path: string): Promise<number> {
    const commit = await commitIn(this.#store, this.#ref, hashOf(given, path), path);
    if (commit.kind !== "edit" || commit.role !== "tool" || commit.edits === undefined) return commit.sequence;
    const edited = await commitWith(this.#store, this.#ref.thread, commit.edits);
    return edited.kind === "append" ? edited.sequence : this.#placeOf(edited.hash, path);
  }

  async #commits(query: CommitQuery): Promise<readonly StoredCommit[]> {
    return whole(this.#store, await this.#store.commits(this.#ref, query));
  }
}

function pair(inOrder: readonly StoredCommit[]): Map<string, StoredCommit[]> {
  const results = new Map<string, StoredCommit[]>();
  const open = new Map<string, StoredCommit[][]>();
  for (const commit of inOrder) {
    if (commit.role === "tool") {
      open
        .get(commit.callId ?? "")
        ?.pop()
        ?.push(commit);
      continue;
    }
    const ofCommit: StoredCommit[] = [];
    results.set(commit.hash, ofCommit);
    for (const { id } of commit.calls ?? []) {
      const waiting = open.get(id);
      if (waiting === undefined) open.set(id, [ofCommit]);
      else waiting.push(ofCommit);
    }
  }
  return results;
}

function turnOf(call: StoredCommit, results: readonly StoredCommit[]): ToolTurn {
  const resultHashes = results.map(({ hash }) => hash);
  return {
    call: toCommit(call),
    results: results.map(toCommit),
    toolNames: [...new Set(call.calls?.map(({ name }) => name))],
    allHashes: [call.hash, ...resultHashes],
    resultHashes,
    totalTokens: results.reduce((sum, { tokens }) => sum + tokens, call.tokens),
  };
}
