/**
 * Where histories are kept: threads of commits, their contents, steps and notes. A store knows nothing of messages; `history/` gives them
 * meaning. Every method is atomic, and a fulfilled promise of a write means that it is durable (how durable:
 * `OpenStoreOptions`). All text is returned as it was written, U+0000 and lone surrogates included. A store that cannot do something
 * throws `STORE_FAILED`.
 */
export interface Store {
  /** A name for people: "memory", "sqlite:/path", "postgres://host/database". Never contains a password. */
  readonly name: string;

  /** Returns all threads, or up to `limit` threads after `after`, by id in the order of code points. Leaves out threads that are being imported. */
  threads(page?: { readonly limit?: number; readonly after?: string }): Promise<ThreadInfo[]>;
  /** Returns the branches of a thread, oldest first; none: there is no such thread. */
  branches(thread: string): Promise<BranchInfo[]>;
  /** Returns the last commit of a branch. Undefined: there is no such branch. */
  head(ref: BranchRef): Promise<Head | undefined>;
  /** Creates a branch that shares the first `length` commits of `from`. False: the name is taken, or `from` does not exist or is shorter. */
  fork(from: BranchRef, length: number, name: string): Promise<boolean>;

  /**
   * Adds commits after `expected` (the hash of the head; null: the branch is empty, or is created now, and its thread with
   * it). If the head is a different one by now, writes nothing and returns the head: read the new commits, and try again. Throws for names and
   * hashes of more than 500 characters, because no index could hold them.
   *
   * Notes are put in the same transaction, or not at all. With notes and no commits it only compares the head and puts the notes, and
   * creates no branch.
   */
  append(ref: BranchRef, expected: string | null, added: readonly NewCommit[], notes?: readonly Note[]): Promise<Appended>;

  /** Returns commits of a branch by their place, oldest first, or newest first with `newestFirst`. */
  commits(ref: BranchRef, query?: CommitQuery): Promise<StoredCommit[]>;
  /** Returns at most `limit` commits of a thread whose hash begins with `prefix`, by hash. On any of its branches, each once. */
  byHash(thread: string, prefix: string, limit: number): Promise<StoredCommit[]>;
  /** Returns the contents with these hashes, without those that do not exist. */
  contents(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;

  /** Records a call of the model with the length of the branch at that time. Its `value` is JSON. The branch must exist. */
  addStep(ref: BranchRef, step: StoredStep): Promise<void>;
  /**
   * Returns all steps of the branch, in the order they were added. A fork shares the steps that its parent had at the time of the fork and
   * that were recorded at no greater length than the fork shares.
   */
  steps(ref: BranchRef): Promise<StoredStep[]>;

  /**
   * Puts notes, all or none. A note replaces an earlier one with the same thread, kind and key. The thread need not have commits: with only
   * notes, `threads` does not list it.
   */
  putNotes(notes: readonly Note[]): Promise<void>;
  /** Returns notes of one kind. A note that was damaged on the disk is left out, and `audit` reports it. */
  notes(query: NoteQuery): Promise<Note[]>;
  /** Deletes the notes of a kind, of all threads or of one, that were put before this time; returns how many there were. */
  dropNotes(kind: string, olderThanMs: number, thread?: string): Promise<number>;

  /** Returns a cached result, by a key that covers everything it depends on. */
  memo(key: string): Promise<string | undefined>;
  /** Caches a result. The first writer wins; returns the stored value. */
  setMemo(key: string, value: string): Promise<string>;

  /**
   * Begins an import of a thread. Returns the temporary id to write it under: the thread is invisible until `rename` gives it
   * its name. An append to a temporary id that is gone writes nothing.
   */
  beginImport(thread: string): Promise<string>;
  /** Returns imports that are still running or were interrupted, oldest first. */
  unfinished(): Promise<UnfinishedImport[]>;
  /**
   * Renames a thread, with all that belongs to it. False: it does not exist, or `to` is taken; then nothing has changed.
   * If `to` already has notes but no commits, they stay, except where the thread has a note with the same key.
   */
  rename(from: string, to: string): Promise<boolean>;

  /**
   * Deletes a thread with its branches, commits, steps and notes, and contents that no other thread has. False: there was nothing to
   * delete, or the number of its commits is not `ifCommits`.
   */
  forget(thread: string, ifCommits?: number): Promise<boolean>;
  /**
   * Deletes every thread, or every thread in `among`, whose newest commit and newest note are older than this time, and those that have
   * neither; returns their ids. Includes threads that have only notes.
   */
  retain(olderThanMs: number, among?: readonly string[]): Promise<string[]>;

  /**
   * Checks what the store keeps beside commits and contents: for a thread its branches, steps, notes, and indexes for queries;
   * without a thread, data that belongs to none, and the database itself.
   */
  audit(derive: Derivation, thread?: string): Promise<StoreFault[]>;
  /** Rebuilds what is derived from undamaged commits and contents. */
  repair(derive: Derivation, thread?: string): Promise<void>;

  close(): Promise<void>;
}

export interface BranchRef {
  readonly thread: string;
  readonly branch: string;
}

export interface Head {
  /** Null: the branch is empty. */
  readonly hash: string | null;
  /** How many commits it has, shared ones included. */
  readonly length: number;
}

export interface BranchInfo extends Head {
  readonly name: string;
  /** Where it left another branch. */
  readonly from?: { readonly branch: string; readonly length: number };
}

export interface ThreadInfo {
  readonly id: string;
  /** On all branches, shared ones counted once. */
  readonly commits: number;
  /** The time of the newest commit; 0: there is none. */
  readonly time: number;
}

export interface UnfinishedImport {
  /** The temporary id. */
  readonly id: string;
  /** Its future name. */
  readonly thread: string;
  readonly commits: number;
  /** Milliseconds since 1970. */
  readonly beganAt: number;
}

/** Answers questions of a store, which knows nothing of hashes and messages. */
export interface Derivation {
  /** Returns whether the commit matches its hash. */
  isWhole(commit: StoredCommit): boolean;
  /** Returns the words that a search finds a content by. Undefined: the content does not match its hash. */
  searchOf(hash: string, text: string): readonly string[] | undefined;
}

export interface StoreFault {
  readonly branch?: string;
  readonly sequence?: number;
  readonly hash?: string;
  readonly fault: string;
  /** Derived from undamaged data: `repair` rebuilds it. */
  readonly isDerived: boolean;
}

/** A commit as a history writes it. The history computes the hash, over all fields but `search` and `content.text`. */
export interface NewCommit {
  readonly hash: string;
  readonly parent: string | null;
  readonly kind: "append" | "edit";
  readonly role: "user" | "assistant" | "tool";
  /** The name of the tool, for a tool result. */
  readonly name?: string;
  /** The calls that it makes: a query by tool finds it by these. */
  readonly calls?: readonly { readonly id: string; readonly name: string }[];
  /** The id of the call that it answers. */
  readonly callId?: string;
  /** The hash of the commit that it edits. */
  readonly edits?: string;
  readonly isError?: boolean;
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly author: string;
  readonly reason?: string;
  /** Stored once, even if many commits have it. */
  readonly content: { readonly hash: string; readonly text: string };
  /** The words that a search finds it by: lower-case, each once. They belong to the content. Only the first 200 characters of a word count. */
  readonly search: readonly string[];
}

export interface StoredCommit extends Omit<NewCommit, "content" | "search"> {
  /** How many commits of the branch come before it. */
  readonly sequence: number;
  readonly contentHash: string;
}

/** All given conditions must hold. */
export interface CommitQuery {
  /** The first place, included. */
  readonly from?: number;
  /** The place after the last. */
  readonly to?: number;
  readonly limit?: number;
  readonly newestFirst?: boolean;
  readonly kind?: "append" | "edit";
  readonly role?: "user" | "assistant" | "tool";
  /** Results of this tool, and messages that call it. */
  readonly tool?: string;
  /** The result of this call, and the message that makes it. */
  readonly callId?: string;
  /** Edits of this commit. */
  readonly edits?: string;
  readonly minTokens?: number;
  readonly errorsOnly?: boolean;
  /** Words that it must all contain, in the form of `search`; one that ends in `*` is a prefix. */
  readonly words?: readonly string[];
}

export type Appended = { readonly appended: true; readonly length: number } | { readonly appended: false; readonly head: Head };

export interface StoredStep {
  readonly length: number;
  readonly value: string;
}

/** A small text that belongs to a conversation and is not a message. Exports leave it out. Thread, kind and key have at most 500 characters each. */
export interface Note {
  readonly thread: string;
  /** What it is: "call", "about" … */
  readonly kind: string;
  /** A thread has one note of each kind and key. */
  readonly key: string;
  /** When it was last put, in milliseconds since 1970. */
  readonly at: number;
  /** Mostly JSON. The store does not read it. */
  readonly value: string;
}

/** All given conditions must hold. */
export interface NoteQuery {
  readonly kind: string;
  /** Only of this thread, ordered by key (code points). Without it: of all threads, ordered by `at`, then by thread and key. */
  readonly thread?: string;
  /** Only those with one of these keys: up to 1,000. */
  readonly keys?: readonly string[];
  /** Only keys that begin with this. */
  readonly prefix?: string;
  /** A cursor: only notes after this one in the requested order. The note need not exist. */
  readonly after?: Pick<Note, "thread" | "key" | "at">;
  readonly limit?: number;
  /** Reverses the order. */
  readonly newestFirst?: boolean;
}
