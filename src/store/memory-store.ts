import { MemoryNotes } from "./memory-notes.ts";
import { checkDrop, checkNotes, parseNoteQuery } from "./note-input.ts";
import { storedWords, type QueryWord } from "./search-words.ts";
import { storeClosed } from "./store-failed.ts";
import type { Appended, BranchInfo, BranchRef, CommitQuery, Head, NewCommit, Note, Store, StoredCommit, StoredStep, ThreadInfo } from "./store.ts";
import { branchMissing, checkAppend, checkCount, checkName, parsePage, parseQuery, toStored, type ParsedQuery } from "./store-input.ts";
import { compareText, encodeText } from "./stored-text.ts";
import { isUnfinished, nameToBe, unfinishedId, unfinishedOf } from "./unfinished.ts";

const NAME = "memory";

interface Thread {
  readonly branches: Map<string, Branch>;
  /** The commits of all branches, by hash. */
  readonly commits: Map<string, StoredCommit>;
}

interface Branch {
  readonly from: { readonly branch: string; readonly length: number } | undefined;
  readonly commits: StoredCommit[];
  readonly steps: StoredStep[];
}

interface Content {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  commits: number;
}

/** Creates a store that lives as long as the process. It is the shortest version of what every store must do. */
export function createMemoryStore(): Store {
  const threads = new Map<string, Thread>();
  const contents = new Map<string, Content>();
  const memos = new Map<string, string>();
  const notes = new MemoryNotes();
  let closed = false;

  const branchOf = ({ thread, branch }: BranchRef): Branch | undefined => threads.get(thread)?.branches.get(branch);

  function listThreads(page?: { readonly limit?: number; readonly after?: string }): ThreadInfo[] {
    const { limit, after } = parsePage(page);
    return [...threads]
      .filter(([id]) => !isUnfinished(id))
      .filter(([id]) => after === undefined || compareText(id, after) > 0)
      .sort(([a], [b]) => compareText(a, b))
      .slice(0, limit)
      .map(([id, { commits }]) => ({ id, commits: commits.size, time: newestCommit(commits) }));
  }

  function fork(from: BranchRef, length: number, name: string): boolean {
    checkCount(length, "length");
    checkName(name, "name");
    const branches = threads.get(from.thread)?.branches;
    const parent = branches?.get(from.branch);
    if (branches === undefined || parent === undefined || branches.has(name) || parent.commits.length < length) return false;
    branches.set(name, {
      from: { branch: from.branch, length },
      commits: parent.commits.slice(0, length),
      steps: parent.steps.filter((step) => step.length <= length),
    });
    return true;
  }

  function append(ref: BranchRef, expected: string | null, added: readonly NewCommit[], given: readonly Note[] = []): Appended {
    checkAppend(ref, added);
    checkNotes(given);
    const head = headOf(branchOf(ref));
    if (head.hash !== expected || (isUnfinished(ref.thread) && !threads.has(ref.thread))) return { appended: false, head };
    notes.put(given);
    if (added.length === 0 && given.length > 0) return { appended: true, length: head.length };
    const thread = entry<Thread>(threads, ref.thread, () => ({ branches: new Map(), commits: new Map() }));
    const branch = entry<Branch>(thread.branches, ref.branch, () => ({ from: undefined, commits: [], steps: [] }));
    for (const commit of added) {
      const stored = frozen(toStored(commit, branch.commits.length));
      branch.commits.push(stored);
      if (!thread.commits.has(stored.hash)) keep(thread, stored, commit);
    }
    return { appended: true, length: branch.commits.length };
  }

  function keep(thread: Thread, stored: StoredCommit, { content, search }: NewCommit): void {
    thread.commits.set(stored.hash, stored);
    entry(contents, content.hash, () => ({ text: content.text, words: storedWords(search), commits: 0 })).commits += 1;
  }

  function commits(ref: BranchRef, query?: CommitQuery): StoredCommit[] {
    const parsed = parseQuery(query);
    const within = branchOf(ref)?.commits.slice(parsed.from, parsed.to) ?? [];
    if (parsed.newestFirst) within.reverse();
    const found: StoredCommit[] = [];
    for (const commit of within) {
      if (found.length >= parsed.limit) break;
      if (matches(commit, parsed) && hasWords(contents.get(commit.contentHash)?.words, parsed.words)) found.push(commit);
    }
    return found;
  }

  function byHash(thread: string, prefix: string, limit: number): StoredCommit[] {
    checkCount(limit, "limit");
    const start = encodeText(prefix);
    return [...(threads.get(thread)?.commits.values() ?? [])]
      .filter(({ hash }) => encodeText(hash).startsWith(start))
      .sort((a, b) => compareText(a.hash, b.hash))
      .slice(0, limit);
  }

  function beginImport(thread: string): string {
    checkName(thread, "thread");
    const id = unfinishedId(thread);
    threads.set(id, { branches: new Map(), commits: new Map() });
    return id;
  }

  function rename(from: string, to: string): boolean {
    checkName(nameToBe(to), "to");
    const thread = threads.get(from);
    if (thread === undefined || threads.has(to)) return false;
    threads.delete(from);
    threads.set(to, thread);
    notes.rename(from, to);
    return true;
  }

  function forget(id: string, ifCommits?: number): boolean {
    if (ifCommits !== undefined && (threads.get(id)?.commits.size ?? 0) !== ifCommits) return false;
    for (const { contentHash } of threads.get(id)?.commits.values() ?? []) {
      const content = contents.get(contentHash);
      if (content !== undefined && --content.commits === 0) contents.delete(contentHash);
    }
    const hadNotes = notes.forget(id);
    return threads.delete(id) || hadNotes;
  }

  function retain(olderThanMs: number, among?: readonly string[]): string[] {
    const newest = new Map(notes.newest());
    for (const [id, { commits }] of threads) newest.set(id, Math.max(newestCommit(commits), newest.get(id) ?? 0));
    const old = [...newest].filter(([id, time]) => time < olderThanMs && !isUnfinished(id) && among?.includes(id) !== false).map(([id]) => id);
    for (const id of old) forget(id);
    return old.sort(compareText);
  }

  /** Answers with a promise and fails after `close`, like the other stores. */
  function answer<T>(operation: string, get: () => T): Promise<T> {
    return new Promise((resolve) => {
      if (closed) throw storeClosed(NAME, operation);
      resolve(get());
    });
  }

  return {
    name: NAME,
    threads: (page) => answer("threads", () => listThreads(page)),
    branches: (thread) =>
      answer("branches", () => {
        const branches = threads.get(thread)?.branches ?? new Map<string, Branch>();
        return [...branches].map(([name, branch]): BranchInfo => ({ name, ...headOf(branch), ...(branch.from && { from: branch.from }) }));
      }),
    head: (ref) =>
      answer("head", () => {
        const branch = branchOf(ref);
        return branch && headOf(branch);
      }),
    fork: (from, length, name) => answer("fork", () => fork(from, length, name)),
    append: (ref, expected, added, given) => answer("append", () => append(ref, expected, added, given)),
    commits: (ref, query) => answer("commits", () => commits(ref, query)),
    byHash: (thread, prefix, limit) => answer("byHash", () => byHash(thread, prefix, limit)),
    contents: (hashes) =>
      answer("contents", () => {
        const found = hashes.map((hash) => [hash, contents.get(hash)?.text] as const);
        return new Map(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
      }),
    addStep: (ref, { length, value }) =>
      answer("addStep", () => {
        checkCount(length, "step.length");
        const branch = branchOf(ref);
        if (branch === undefined) throw branchMissing(ref);
        branch.steps.push(Object.freeze({ length, value }));
      }),
    steps: (ref) => answer("steps", () => [...(branchOf(ref)?.steps ?? [])]),
    putNotes: (given) =>
      answer("putNotes", () => {
        checkNotes(given);
        notes.put(given);
      }),
    notes: (query) => answer("notes", () => notes.find(parseNoteQuery(query))),
    dropNotes: (kind, olderThanMs, thread) =>
      answer("dropNotes", () => {
        checkDrop(kind, olderThanMs);
        return notes.drop(kind, olderThanMs, thread);
      }),
    memo: (key) => answer("memo", () => memos.get(key)),
    setMemo: (key, value) => answer("setMemo", () => entry(memos, key, () => value)),
    beginImport: (thread) => answer("beginImport", () => beginImport(thread)),
    unfinished: () => answer("unfinished", () => [...threads].filter(([id]) => isUnfinished(id)).map(([id, { commits }]) => unfinishedOf(id, commits.size))),
    rename: (from, to) => answer("rename", () => rename(from, to)),
    forget: (thread, ifCommits) => answer("forget", () => forget(thread, ifCommits)),
    // Only this process can reach the data, so nothing can be damaged.
    audit: () => answer("audit", () => []),
    repair: () => answer("repair", () => undefined),
    retain: (olderThanMs, among) => answer("retain", () => retain(olderThanMs, among)),
    close: () => {
      closed = true;
      return Promise.resolve();
    },
  };
}

function headOf(branch: Branch | undefined): Head {
  return { hash: branch?.commits.at(-1)?.hash ?? null, length: branch?.commits.length ?? 0 };
}

function newestCommit(commits: ReadonlyMap<string, StoredCommit>): number {
  let latest = 0;
  for (const { time } of commits.values()) latest = Math.max(latest, time);
  return latest;
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}

/** Commits are handed out without a copy. */
function frozen(commit: StoredCommit): StoredCommit {
  const { calls, ...fields } = commit;
  return Object.freeze({ ...fields, ...(calls && { calls: Object.freeze(calls.map(({ id, name }) => Object.freeze({ id, name }))) }) });
}

function matches(commit: StoredCommit, query: ParsedQuery): boolean {
  const { kind, role, tool, callId, edits, minTokens, errorsOnly } = query;
  return (
    (kind === undefined || commit.kind === kind) &&
    (role === undefined || commit.role === role) &&
    (tool === undefined || commit.name === tool || commit.calls?.some(({ name }) => name === tool) === true) &&
    (callId === undefined || commit.callId === callId || commit.calls?.some(({ id }) => id === callId) === true) &&
    (edits === undefined || commit.edits === edits) &&
    (minTokens === undefined || commit.tokens >= minTokens) &&
    (!errorsOnly || commit.isError === true)
  );
}

function hasWords(words: ReadonlySet<string> = new Set(), wanted: readonly QueryWord[]): boolean {
  return wanted.every(({ stored, isPrefix }) => words.has(stored) || (isPrefix && [...words].some((word) => word.startsWith(stored))));
}
