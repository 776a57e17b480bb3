import type { Message } from "../messages/message.ts";
import type { BranchInfo, BranchRef, Store, StoredCommit, StoredStep } from "../store/store.ts";
import { PAGE } from "./branch-log.ts";
import { CommitChain, type Draft } from "./commit-chain.ts";
import { encodeContent, isEdited, isSaid, type CommitContent } from "./commit-content.ts";
import { checkCommit, DERIVATION } from "./damage.ts";
import { editDraft, editedCommit } from "./edit-commits.ts";
import { BranchState } from "./branch-state.ts";
import type { Entry } from "./commit-index.ts";
import { saidDraft } from "./said-commits.ts";
import { branchLine, commitLine, headLine, ownSteps, parentsFirst, stepLine } from "./transfer.ts";
import type { Fault } from "./verify.ts";

export interface Salvaged {
  /** Pass this to `import`. */
  readonly jsonl: string;
  readonly commits: number;
  /** What is missing in it, or changed. */
  readonly missing: readonly Fault[];
}

/** A saved branch. Commits after the first damage get new hashes, because a hash covers everything that came before. */
interface SavedBranch {
  readonly entries: readonly Entry[];
  /** Index n: how many of the first n commits are saved. */
  readonly lengths: readonly number[];
  /** The new hashes of saved commits, by their old ones. */
  readonly newHashes: ReadonlyMap<string, string>;
}

/**
 * Saves what can be saved of a thread. A message that says so replaces damaged content; calls and results keep their ids, so that the
 * conversation can continue. An edit that is damaged, or no longer fits, is left out, and the original is shown.
 */
export async function salvageThread(store: Store, thread: string): Promise<Salvaged> {
  const missing: Fault[] = [];
  const saved = new Map<string, SavedBranch>();
  const lines = [headLine(thread)];
  for (const { name, hash: _, length, ...info } of parentsFirst(await store.branches(thread))) {
    const ref = { thread, branch: name };
    const parent = info.from === undefined ? undefined : saved.get(info.from.branch);
    const branch = await saveBranch(store, ref, { length, from: info.from?.length ?? 0 }, parent, missing);
    const from = info.from && { branch: info.from.branch, length: branch.lengths[info.from.length] ?? 0 };
    saved.set(name, branch);
    lines.push(branchLine(name, from));
    for (const { commit, content } of branch.entries.slice(from?.length ?? 0)) lines.push(commitLine(commit, encodeContent(content)));
    for (const step of await readSteps(store, ref, info.from, missing))
      lines.push(stepLine({ ...step, length: branch.lengths[step.length] ?? branch.entries.length }));
  }
  for (const { branch = "", hash = "", fault, isDerived } of await store.audit(DERIVATION, thread))
    if (!isDerived) missing.push({ branch, sequence: 0, hash, fault: `${fault}; it is saved as it was read` });
  return { jsonl: `${lines.join("\n")}\n`, commits: lines.filter((line) => line.startsWith('{"commit":')).length, missing };
}

async function saveBranch(
  store: Store,
  ref: BranchRef,
  { length, from }: { readonly length: number; readonly from: number },
  parent: SavedBranch | undefined,
  missing: Fault[],
): Promise<SavedBranch> {
  const lengths = [...(parent?.lengths.slice(0, from + 1) ?? [0])];
  const saver = new BranchSaver(parent?.entries.slice(0, lengths[from] ?? 0) ?? [], from, parent?.newHashes ?? new Map());
  for (let start = from; start < length; start += PAGE) {
    const commits = await readCommits(store, ref, start, Math.min(start + PAGE, length));
    const contents = await readContents(store, [...new Set(commits.map(({ contentHash }) => contentHash))]);
    const bySequence = new Map(commits.map((commit) => [commit.sequence, commit]));
    for (let sequence = start; sequence < Math.min(start + PAGE, length); sequence++) {
      const commit = bySequence.get(sequence);
      const faults = commit === undefined ? saver.skip() : saver.save(commit, contents.get(commit.contentHash));
      missing.push(...faults.map((fault) => ({ branch: ref.branch, sequence, hash: commit?.hash ?? "", fault })));
      lengths.push(saver.entries.length);
    }
  }
  return { entries: saver.entries, lengths, newHashes: saver.newHashes };
}

/** What a model reads in place of lost content. */
export function damagedNote(hash: string): string {
  return `[This content was damaged in the store and could not be saved: commit ${hash.slice(0, 12)}]`;
}

/** Saves a branch commit by commit, and returns for each what was lost. */
class BranchSaver {
  readonly entries: Entry[];
  readonly #state: BranchState;
  readonly newHashes: Map<string, string>;
  /** An earlier commit has changed, so each edit has to be tried. */
  #isChanged: boolean;
  /** A commit is gone, so the positions of later messages are unknown. */
  #isShifted = false;

  constructor(entries: readonly Entry[], originally: number, newHashes: ReadonlyMap<string, string>) {
    this.newHashes = new Map(newHashes);
    this.entries = [...entries];
    this.#state = BranchState.of("", entries);
    this.#isChanged = entries.length !== originally || [...newHashes].some(([before, after]) => before !== after);
  }

  skip(): string[] {
    this.#isChanged = true;
    this.#isShifted = true;
    return ["the commit is missing"];
  }

  save(commit: StoredCommit, text: string | undefined): string[] {
    const { content, damages } = checkCommit(commit, text);
    if (damages.length > 0) this.#isChanged = true;
    if (content === undefined && commit.kind === "edit") return [`${damages.join("; ")}: the edit is left out`];
    const why = `salvaged: ${damages.join("; ")} (commit ${commit.hash.slice(0, 12)})`;
    const draft = damages.length === 0 && content !== undefined ? this.#unchanged(commit, content) : this.#rebuilt(commit, content, why);
    if (draft === undefined) return ["the edit is left out: what it edits is missing or has changed"];
    this.#add(commit.hash, draft);
    if (damages.length === 0) return [];
    return [content === undefined ? `${damages.join("; ")}: a note replaces it` : `${damages.join("; ")}: it is saved as it was read`];
  }

  #add(hash: string, draft: Draft): void {
    const chain = new CommitChain(this.#state.tip, this.entries.length, 0);
    this.newHashes.set(hash, chain.add(draft).hash);
    for (const entry of chain.entries) {
      this.#state.apply(entry);
      this.entries.push(entry);
    }
  }

  /** Returns the commit unchanged. Undefined: an edit that cannot be kept. */
  #unchanged({ hash: _, parent: __, sequence: ___, contentHash: ____, ...fields }: StoredCommit, content: CommitContent): Draft | undefined {
    const edits = fields.edits === undefined ? {} : { edits: this.#newHash(fields.edits) };
    const draft = { ...fields, ...edits, content: this.#withNewHandle(content) };
    return isSaid(content) || !this.#isChanged || this.#fits(content) ? draft : undefined;
  }

  #fits(content: CommitContent): boolean {
    if (!isEdited(content)) return "undo" in content && this.#state.editOf(content.undo.edit) !== undefined;
    if (this.#isShifted) return false;
    try {
      this.#state.conversation.refuseUnfit([...this.#state.edits, content.edit]);
      return true;
    } catch {
      return false;
    }
  }

  /** Makes a new commit from the content if that is undamaged, else from a note. */
  #rebuilt(commit: StoredCommit, content: CommitContent | undefined, reason: string): Draft | undefined {
    const author = typeof commit.author === "string" && commit.author !== "" ? commit.author : "unknown";
    const time = Number.isFinite(commit.time) ? commit.time : 0;
    if (content === undefined || isSaid(content)) {
      const said = content ?? this.#note(commit);
      return saidDraft(said, (callId) => this.#state.openCall(callId)?.name ?? commit.name, { author, reason, time });
    }
    if (!isEdited(content) || !this.#fits(content)) return undefined;
    return { ...editDraft(content.edit, editedCommit(this.#state, content.edit), author), time };
  }

  /** Returns a note that says what was here. Results of one round were one message. */
  #note({ hash, role, callId, calls, isError }: StoredCommit): CommitContent & { readonly message: Message } {
    const note = damagedNote(hash);
    const last = this.entries.findLast(({ commit }) => commit.kind === "append")?.commit;
    const joins = last?.role === "tool" && role !== "assistant" ? { joins: true as const } : {};
    if (role === "tool") {
      const result = { type: "tool_result" as const, tool_use_id: callId ?? "", content: note, ...(isError === true ? { is_error: true } : {}) };
      return { message: { role: "user", content: [result] }, ...joins };
    }
    if (role === "user") return { message: { role, content: [{ type: "text", text: note }] }, ...joins };
    const made = (calls ?? []).map(({ id, name }) => ({ type: "tool_use" as const, id, name, input: {} }));
    return { message: { role: "assistant", content: [{ type: "text", text: note }, ...made] } };
  }

  #withNewHandle(content: CommitContent): CommitContent {
    const handle = isEdited(content) ? content.edit.handle : undefined;
    return isEdited(content) && handle !== undefined && this.#newHash(handle) !== handle
      ? { edit: { ...content.edit, handle: this.#newHash(handle) } }
      : content;
  }

  #newHash(hash: string): string {
    return this.newHashes.get(hash) ?? hash;
  }
}

/** Reads commits at once or, if some cannot be read, one by one. */
async function readCommits(store: Store, ref: BranchRef, from: number, to: number): Promise<StoredCommit[]> {
  const all = await reading(() => store.commits(ref, { from, to }));
  if (all !== undefined) return all;
  const found: StoredCommit[] = [];
  for (let place = from; place < to; place++) found.push(...((await reading(() => store.commits(ref, { from: place, to: place + 1 }))) ?? []));
  return found;
}

async function readContents(store: Store, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const all = await reading(() => store.contents(hashes));
  if (all !== undefined) return all;
  const found = new Map<string, string>();
  for (const hash of hashes) for (const [key, text] of (await reading(() => store.contents([hash]))) ?? []) found.set(key, text);
  return found;
}

async function readSteps(store: Store, { thread, branch }: BranchRef, from: BranchInfo["from"], missing: Fault[]): Promise<StoredStep[]> {
  const lost = (fault: string): void => void missing.push({ branch, sequence: 0, hash: "", fault });
  const steps = await reading(() => ownSteps(store, thread, branch, from));
  if (steps === undefined) lost("its recorded calls of the model cannot be read, and are left out");
  return (steps ?? []).filter(({ value }) => {
    const isJson = isObject(value);
    if (!isJson) lost("a recorded call of the model cannot be read, and is left out");
    return isJson;
  });
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Returns undefined if reading fails. */
async function reading<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
