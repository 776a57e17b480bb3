import type { Edit } from "../edits/edit.ts";

interface Lists {
  readonly all: readonly Edit[];
  readonly inForce: readonly Edit[];
  readonly undone: readonly Edit[];
}

/** All edits of a conversation, by id. Each list of them is the same array until an edit is made or undone. */
export class EditList {
  /** In the order they were made. */
  readonly #edits = new Map<string, Edit>();
  #lists: Lists | undefined;

  constructor(edits: readonly Edit[]) {
    for (const edit of edits) this.#edits.set(edit.id, edit);
  }

  /** All edits, including undone ones. */
  get all(): readonly Edit[] {
    return this.#listed().all;
  }

  /** The edits that are not undone. */
  get inForce(): readonly Edit[] {
    return this.#listed().inForce;
  }

  get undone(): readonly Edit[] {
    return this.#listed().undone;
  }

  get(id: string): Edit | undefined {
    return this.#edits.get(id);
  }

  isInForce(id: string): boolean {
    const edit = this.#edits.get(id);
    return edit !== undefined && edit.undoneAt === undefined;
  }

  /** Adds an edit. One that was made, undone and made again at the same length of the log has the same id, and becomes the newest. */
  put(edit: Edit): void {
    const known = this.#edits.get(edit.id);
    if (known?.undoneAt !== undefined && edit.undoneAt === undefined) this.#edits.delete(edit.id);
    this.#edits.set(edit.id, edit);
    this.#lists = undefined;
  }

  /** Adds an edit as the newest, replacing any with its id. */
  putLast(edit: Edit): void {
    this.#edits.delete(edit.id);
    this.put(edit);
  }

  #listed(): Lists {
    if (this.#lists !== undefined) return this.#lists;
    const all = [...this.#edits.values()];
    const undone = all.filter(({ undoneAt }) => undoneAt !== undefined);
    this.#lists = { all, undone, inForce: undone.length === 0 ? all : all.filter(({ undoneAt }) => undoneAt === undefined) };
    return this.#lists;
  }
}
