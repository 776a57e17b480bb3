import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import { count } from "../errors/parse-options.ts";
import { isRecord } from "../errors/is-record.ts";
import { parseMessages } from "../messages/parse-messages.ts";
import type { BranchInfo, NewCommit, Store, StoredCommit, StoredStep } from "../store/store.ts";
import { storeFailed } from "../store/store-failed.ts";
import { entryOf, PAGE } from "./branch-log.ts";
import { canonicalJson } from "./canonical-json.ts";
import { decodeContent, isEdited, isSaid } from "./commit-content.ts";
import { commitHash, sha256 } from "./commit-hash.ts";
import { DERIVATION, unbroken } from "./damage.ts";
import { checkEdit } from "./edit-commits.ts";
import { searchWords } from "./search-text.ts";
import { takenOver } from "./thread-import.ts";

const FORMAT = "palimpsest-history";
const VERSION = 1;

/**
 * Returns a thread as JSONL: a head, then for each branch a line of its own, its commits after the place where it left another branch, and its
 * steps. Throws if the thread is incomplete or damaged.
 */
export async function exportThread(store: Store, thread: string): Promise<string> {
  const [fault] = (await store.audit(DERIVATION, thread)).filter(({ isDerived }) => !isDerived);
  if (fault !== undefined)
    throw storeFailed(store.name, "export", `${describeBranch(fault.branch)}${fault.fault}; palimpsest export --salvage saves what can be saved`);
  const branches = parentsFirst(await store.branches(thread));
  const lines: string[] = [headLine(thread)];
  for (const { name, length, from } of branches) {
    const ref = { thread, branch: name };
    lines.push(branchLine(name, from));
    for (let start = from?.length ?? 0; start < length; start += PAGE) {
      const end = Math.min(start + PAGE, length);
      const commits = unbroken(store, await store.commits(ref, { from: start, to: end }), start, end);
      const contents = await store.contents([...new Set(commits.map(({ contentHash }) => contentHash))]);
      for (const commit of commits) {
        const text = contents.get(commit.contentHash);
        entryOf(store, commit, text);
        lines.push(commitLine(commit, text ?? "null"));
      }
    }
    for (const step of await ownSteps(store, thread, name, from)) lines.push(stepLine(step));
  }
  return `${lines.join("\n")}\n`;
}

function describeBranch(branch: string | undefined): string {
  return branch === undefined ? "" : `of branch ${JSON.stringify(branch)}, `;
}

export function headLine(thread: string): string {
  return JSON.stringify({ format: FORMAT, version: VERSION, thread });
}

export function branchLine(branch: string, from: BranchInfo["from"]): string {
  return JSON.stringify({ branch, ...(from === undefined ? {} : { from }) });
}

/** Returns the line of a commit, the same from every store. The content's text is already JSON, so it is inserted as it is. */
export function commitLine({ sequence: _, ...commit }: StoredCommit, text: string): string {
  return `{"commit":${canonicalJson(commit)},"content":${text}}`;
}

export function stepLine({ length, value }: StoredStep): string {
  return `{"step":${JSON.stringify({ length })},"value":${value}}`;
}

/** Returns the steps of a branch without those it shares with the branch that it left. */
export async function ownSteps(store: Store, thread: string, branch: string, from: BranchInfo["from"]): Promise<StoredStep[]> {
  const steps = await store.steps({ thread, branch });
  if (from === undefined) return steps;
  const shared = (await store.steps({ thread, branch: from.branch })).filter(({ length }) => length <= from.length).map(keyOf);
  return steps.filter((step) => {
    const there = shared.indexOf(keyOf(step));
    if (there !== -1) shared.splice(there, 1);
    return there === -1;
  });
}

function keyOf({ length, value }: StoredStep): string {
  return `${length} ${value}`;
}

export function parentsFirst(branches: readonly BranchInfo[]): BranchInfo[] {
  const placed = new Map<string, BranchInfo>();
  const place = (branch: BranchInfo): void => {
    const parent = branches.find(({ name }) => name === branch.from?.branch);
    if (parent !== undefined && !placed.has(parent.name)) place(parent);
    placed.set(branch.name, branch);
  };
  branches.forEach(place);
  return [...placed.values()];
}

export interface ImportedBranch {
  readonly name: string;
  readonly from: { readonly branch: string; readonly length: number } | undefined;
  readonly commits: NewCommit[];
  readonly steps: StoredStep[];
}

/** Parses an export and checks all of its hashes, so that nothing is written if it is damaged. */
export function parseExport(jsonl: string): ImportedBranch[] {
  if (typeof jsonl !== "string") throw invalid("INVALID_INPUT", "jsonl", "what export() returned", jsonl);
  const branches: ImportedBranch[] = [];
  jsonl.split("\n").forEach((line, index) => {
    if (line.trim() === "") return;
    const path = `line ${index + 1}`;
    const value = parseLine(line, path);
    if (index === 0) parseHead(value, path);
    else if (typeof value["branch"] === "string") branches.push(parseBranch(value["branch"], value["from"], branches, path));
    else addTo(branches, value, path);
  });
  if (branches.length === 0) throw invalid("INVALID_INPUT", "jsonl", "at least one branch", jsonl);
  return branches;
}

/**
 * Writes the thread under `id`, which must be free, or hold what an interrupted import of the same file has written; `thread` is its name
 * in errors. Returns how many commits it has.
 */
export async function importThread(
  store: Store,
  id: string,
  thread: string,
  branches: readonly ImportedBranch[],
  onWritten: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  let written = 0;
  for (const branch of branches) {
    const { name, from, commits, steps } = branch;
    const ref = { thread: id, branch: name };
    const isMade = (await store.head(ref)) !== undefined;
    if (!isMade && from !== undefined && !(await store.fork({ thread: id, branch: from.branch }, from.length, name))) throw takenOver(thread);
    let { hash: head, length } = (await store.head(ref)) ?? { hash: null, length: 0 };
    if (head !== hashAt(branches, branch, length)) throw invalid("INVALID_INPUT", "thread", "an unfinished import of this same file", thread);
    do {
      const start = length - (from?.length ?? 0);
      const page = commits.slice(start, start + PAGE);
      const outcome = await store.append(ref, head, page);
      if (!outcome.appended) throw takenOver(thread);
      head = page.at(-1)?.hash ?? head;
      length += page.length;
      await onWritten();
    } while (length < lengthOf(branch));
    const recorded = (await ownSteps(store, id, name, from)).length;
    for (const step of steps.slice(recorded)) await store.addStep(ref, step);
    written += commits.length;
  }
  return written;
}

function parseLine(line: string, path: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw invalid("INVALID_INPUT", path, "JSON", line);
  }
  if (!isRecord(value)) throw invalid("INVALID_INPUT", path, "an object", value);
  return value;
}

function parseHead({ format, version }: Readonly<Record<string, unknown>>, path: string): void {
  if (format !== FORMAT) throw invalid("INVALID_INPUT", `${path}.format`, JSON.stringify(FORMAT), format);
  if (version !== VERSION)
    throw new PalimpsestError("STATE_VERSION", `${path}.version: expected ${VERSION}, found ${JSON.stringify(version)}`, { found: version, expected: VERSION });
}

function parseBranch(name: string, from: unknown, known: readonly ImportedBranch[], path: string): ImportedBranch {
  if (known.some((branch) => branch.name === name)) throw invalid("INVALID_INPUT", `${path}.branch`, "a name that no other branch has", name);
  if (from === undefined) {
    if (known.some((branch) => branch.from === undefined)) throw invalid("INVALID_INPUT", `${path}.from`, "the branch that it left", from);
    return { name, from: undefined, commits: [], steps: [] };
  }
  const left = isRecord(from) ? known.find((branch) => branch.name === from["branch"]) : undefined;
  const length = isRecord(from) ? from["length"] : undefined;
  if (left === undefined || !count.accepts(length) || length > lengthOf(left))
    throw invalid("INVALID_INPUT", `${path}.from`, "a place in a branch above", from);
  return { name, from: { branch: left.name, length }, commits: [], steps: [] };
}

function lengthOf({ from, commits }: ImportedBranch): number {
  return (from?.length ?? 0) + commits.length;
}

function addTo(branches: readonly ImportedBranch[], value: Readonly<Record<string, unknown>>, path: string): void {
  const branch = branches.at(-1);
  if (branch === undefined) throw invalid("INVALID_INPUT", path, "a branch before its commits", value);
  if (isRecord(value["commit"])) {
    branch.commits.push(parseCommit(value["commit"], value["content"], hashAt(branches, branch, lengthOf(branch)), path));
    return;
  }
  const length = isRecord(value["step"]) ? value["step"]["length"] : undefined;
  if (!count.accepts(length) || !isRecord(value["value"])) throw invalid("INVALID_INPUT", path, "a commit or a step", value);
  branch.steps.push({ length, value: JSON.stringify(value["value"]) });
}

/** Returns the hash of the commit before this place. */
function hashAt(branches: readonly ImportedBranch[], branch: ImportedBranch, length: number): string | null {
  if (length === 0) return null;
  const own = length - (branch.from?.length ?? 0);
  if (own > 0) return branch.commits[own - 1]?.hash ?? null;
  const left = branches.find(({ name }) => name === branch.from?.branch);
  return left === undefined ? null : hashAt(branches, left, length);
}

function parseCommit(value: Readonly<Record<string, unknown>>, content: unknown, parent: string | null, path: string): NewCommit {
  const commit = value as unknown as Omit<StoredCommit, "sequence">;
  const { contentHash, ...fields } = commit;
  const text = JSON.stringify(content);
  const decoded = decodeContent(text);
  if (decoded === undefined || sha256(text) !== contentHash)
    throw invalid("INVALID_INPUT", `${path}.content`, `the content with the hash ${contentHash}`, content);
  if (commit.parent !== parent) throw invalid("INVALID_INPUT", `${path}.commit.parent`, JSON.stringify(parent), commit.parent);
  const hash = commitHash(commit);
  if (hash !== commit.hash) throw invalid("INVALID_INPUT", `${path}.commit.hash`, JSON.stringify(hash), commit.hash);
  if (!["append", "edit"].includes(commit.kind) || !["user", "assistant", "tool"].includes(commit.role))
    throw invalid("INVALID_INPUT", `${path}.commit`, "a commit", value);
  if (isSaid(decoded)) parseMessages([decoded.message]);
  if (isEdited(decoded)) checkEdit(decoded.edit, `${path}.content.edit`);
  return { ...fields, content: { hash: contentHash, text }, search: searchWords(decoded) };
}
