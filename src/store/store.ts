/**
 * Where histories are kept: threads of commits, their contents, and what goes with them. A store knows nothing of messages; all
 * meaning is in `history/`. Every method is atomic, and a promise that was fulfilled for a write means that it is durable (how durable:
 * `OpenStoreOptions`). All text is given back as it was, U+0000 and halves of surrogate pairs included. A store that cannot do something
 * says `STORE_FAILED`.
 */
export interface Store {
  /** What it is, for people: "memory", "sqlite:/path", "postgres://host/database". Never a password. */
  readonly name: string;

  /** All threads, or so many after that one, by id in the order of code points. Those that are being imported are not among them. */
  threads(page?: { readonly limit?: number; readonly after?: string }): Promise<ThreadInfo[]>;
  /** Branches of a thread, the oldest first; none: there is no such thread. */
  branches(thread: string): Promise<BranchInfo[]>;
  /** Undefined: there is no such branch. */
  head(ref: BranchRef): Promise<Head | undefined>;
  /** A new branch that shares the first `length` commits of `from`. False: the name is taken, or `from` is not there or is shorter. */
  fork(from: BranchRef, length: number, name: string): Promise<boolean>;

  /**
   * Adds commits behind `expected` (the hash of the head; null: the branch is empty or not there yet, and is made, and its thread with
   * it). If the head is another one by now, nothing is written and the head is given: read what is new, and try again. Names and hashes
   * of more than 500 characters are refused, because no index could hold them.
   *
   * Notes are put in the same transaction, or not at all. With notes and no commits it only compares the head and puts the notes: no
   * branch is made.
   */
  append(ref: BranchRef, expected: string | null, added: readonly NewCommit[], notes?: readonly Note[]): Promise<Appended>;

  /** Commits of a branch by their place in it, in its order, or from its end with `newestFirst`. */
  commits(ref: BranchRef, query?: CommitQuery): Promise<StoredCommit[]>;
  /** Commits of a thread whose hash begins like that: at most `limit`, by hash. In any of its branches, each once. */
  byHash(thread: string, prefix: string, limit: number): Promise<StoredCommit[]>;
  /** The contents with these hashes; those that are not there are missing. */
  contents(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;

  /** Calls of the model, recorded with the length of the branch at that time. Their `value` is JSON. The branch must be there. */
  addStep(ref: BranchRef, step: StoredStep): Promise<void>;
  /**
   * All steps of the branch, in the order in which they were added. It shares those that the branch it came from had when it left it, and
   * that were recorded with no more than the commits that it shares.
   */
  steps(ref: BranchRef): Promise<StoredStep[]>;

  /**
   * Puts notes, all or none. One with the same thread, kind and key replaces the one before. The thread need not have commits: with notes
   * alone it is none of `threads`.
   */
  putNotes(notes: readonly Note[]): Promise<void>;
  /** Notes of one kind. One that was damaged on the disk is left out, and `audit` names it. */
  notes(query: NoteQuery): Promise<Note[]>;
  /** Deletes the notes of a kind, of all threads or of one, that were put before this time; returns how many there were. */
  dropNotes(kind: string, olderThanMs: number, thread?: string): Promise<number>;

  /** What was computed once, by a key that says everything it depends on. */
  memo(key: string): Promise<string | undefined>;
  /** The first one to write wins; gives what is there then. */
  setMemo(key: string, value: string): Promise<string>;

  /**
   * A place for a thread that is being imported. Gives the id to write it under: nobody finds it by the thread's name until `rename` gives it
   * that name. An append to such an id that is gone writes nothing.
   */
  beginImport(thread: string): Promise<string>;
  /** Imports that were begun and not finished: they are still running, or were interrupted. The oldest first. */
  unfinished(): Promise<UnfinishedImport[]>;
  /**
   * Gives a thread another id, with all that belongs to it. False: it is not there, or the other id is taken. Then nothing has changed.
   * Notes that the other id has already, without commits, stay, but for those that the thread has too.
   */
  rename(from: string, to: string): Promise<boolean>;

  /**
   * Takes the thread away, with its branches, commits, steps and notes, and contents that no other thread has. False: there was nothing of
   * it, or it has another number of commits than `ifCommits`.
   */
  forget(thread: string, ifCommits?: number): Promise<boolean>;
  /**
   * Forgets every thread, or those `among` these, whose newest commit and newest note are older than this time, and those that have
   * neither; returns their ids. Threads that have only notes are among them.
   */
  retain(olderThanMs: number, among?: readonly string[]): Promise<string[]>;

  /**
   * Compares what the store keeps beside commits and contents with what it must be: of a thread its branches, steps, notes, and all that
   * queries look things up by; without a thread, what belongs to none, and the database itself.
   */
  audit(derive: Derivation, thread?: string): Promise<StoreFault[]>;
  /** Makes anew what is derived from commits and contents that are whole. */
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
  /** Where it left another one. */
  readonly from?: { readonly branch: string; readonly length: number };
}

export interface ThreadInfo {
  readonly id: string;
  /** Over all branches, shared ones once. */
  readonly commits: number;
  /** Of the newest commit; 0: there is none. */
  readonly time: number;
}

export interface UnfinishedImport {
  /** What it is written under. */
  readonly id: string;
  /** What it will be called. */
  readonly thread: string;
  readonly commits: number;
  /** Milliseconds since 1970. */
  readonly beganAt: number;
}

/** What a store must ask, because it knows nothing of hashes and messages. */
export interface Derivation {
  /** Is the commit what its hash says? */
  isWhole(commit: StoredCommit): boolean;
  /** What a search for words finds a content by. Undefined: it is not what its hash says. */
  searchOf(hash: string, text: string): readonly string[] | undefined;
}

export interface StoreFault {
  readonly branch?: string;
  readonly sequence?: number;
  readonly hash?: string;
  readonly fault: string;
  /** It is derived from what is whole: `repair` makes it anew. */
  readonly isDerived: boolean;
}

/** What a history writes. The hash is made by the history, over all other fields but `search` and `content.text`. */
export interface NewCommit {
  readonly hash: string;
  readonly parent: string | null;
  readonly kind: "append" | "edit";
  readonly role: "user" | "assistant" | "tool";
  /** Of the tool whose result it is. */
  readonly name?: string;
  /** Of the tools that it calls: a query by tool finds it by these. */
  readonly calls?: readonly { readonly id: string; readonly name: string }[];
  /** Of the call that it answers. */
  readonly callId?: string;
  /** The hash of the commit that it edits. */
  readonly edits?: string;
  readonly isError?: boolean;
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly author: string;
  readonly reason?: string;
  /** Stored once, however many commits have it. */
  readonly content: { readonly hash: string; readonly text: string };
  /** What a search for words finds it by: lower-case words, each once. Belongs to the content. Of a word the first 200 characters count. */
  readonly search: readonly string[];
}

export interface StoredCommit extends Omit<NewCommit, "content" | "search"> {
  /** How many commits of the branch lie before it. */
  readonly sequence: number;
  readonly contentHash: string;
}

/** All that are given must hold. */
export interface CommitQuery {
  /** The first place, included. */
  readonly from?: number;
  /** The place behind the last. */
  readonly to?: number;
  readonly limit?: number;
  readonly newestFirst?: boolean;
  readonly kind?: "append" | "edit";
  readonly role?: "user" | "assistant" | "tool";
  /** It is a result of this tool, or calls it. */
  readonly tool?: string;
  /** It answers this call, or makes it. */
  readonly callId?: string;
  /** It edits this one. */
  readonly edits?: string;
  readonly minTokens?: number;
  readonly errorsOnly?: boolean;
  /** All of these words are in it: as `search` has them; one that ends in `*` is the beginning of a word. */
  readonly words?: readonly string[];
}

export type Appended = { readonly appended: true; readonly length: number } | { readonly appended: false; readonly head: Head };

export interface StoredStep {
  readonly length: number;
  readonly value: string;
}

/** A small text that goes with a conversation and is no message. No part of exports. Thread, kind and key: at most 500 characters each. */
export interface Note {
  readonly thread: string;
  /** What it is: "call", "about" … */
  readonly kind: string;
  /** A thread has one note of each kind and key. */
  readonly key: string;
  /** Milliseconds since 1970: when it was put last. */
  readonly at: number;
  /** Mostly JSON. The store does not read it. */
  readonly value: string;
}

/** All that are given must hold. */
export interface NoteQuery {
  readonly kind: string;
  /** Only of this thread, ordered by key (code points). Without it: of all threads, ordered by `at`, then by thread and key. */
  readonly thread?: string;
  /** Only those with one of these keys: up to 1,000. */
  readonly keys?: readonly string[];
  /** Only keys that begin like this. */
  readonly prefix?: string;
  /** A cursor: only what comes after this note in the order asked for. It need not be there. */
  readonly after?: Pick<Note, "thread" | "key" | "at">;
  readonly limit?: number;
  /** The order turned round. */
  readonly newestFirst?: boolean;
}
