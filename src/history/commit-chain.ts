import type { NewCommit, StoredCommit } from "../store/store.ts";
import { decodeContent, encodeContent, type CommitContent } from "./commit-content.ts";
import { commitHash, sha256 } from "./commit-hash.ts";
import type { Entry } from "./commit-index.ts";
import { searchWords } from "./search-text.ts";

/** A commit without the fields that follow from its content and its place in the branch. Without a time, it gets the current one. */
export type Draft = Omit<StoredCommit, "hash" | "parent" | "sequence" | "contentHash" | "time"> & { readonly content: CommitContent; readonly time?: number };

/** Commits that are about to be written, one after the other. */
export class CommitChain {
  readonly commits: NewCommit[] = [];
  readonly entries: Entry[] = [];
  readonly #time: number;
  readonly #redact: ((text: string) => string) | undefined;
  #parent: string | null;
  #sequence: number;

  constructor(parent: string | null, length: number, time: number, redact?: (text: string) => string) {
    this.#redact = redact;
    this.#parent = parent;
    this.#sequence = length;
    this.#time = time;
  }

  add(draft: Draft): StoredCommit {
    const { content, time = this.#time, ...fields } = draft;
    const text = encodeContent(content, this.#redact);
    // Decoded again, so that it is as it will be read back, and the caller cannot change it.
    const stored = decodeContent(text) ?? content;
    const contentHash = sha256(text);
    const unhashed = { ...fields, parent: this.#parent, time, contentHash };
    const hash = commitHash(unhashed);
    const commit: StoredCommit = { ...unhashed, hash, sequence: this.#sequence };
    this.commits.push({ ...fields, hash, parent: this.#parent, time, content: { hash: contentHash, text }, search: searchWords(stored) });
    this.entries.push({ commit, content: stored });
    this.#parent = hash;
    this.#sequence++;
    return commit;
  }
}
