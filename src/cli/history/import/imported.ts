import type { Store } from "../../../history/index.ts";

/** What the user asked for beside the file. */
export interface ImportChoice {
  readonly thread?: string;
  readonly trajectory?: string;
  readonly format?: string;
  /** Continues an interrupted import. */
  readonly resume?: boolean;
  /** Deletes what an interrupted import has written, and starts again. */
  readonly replace?: boolean;
}

export interface Imported {
  readonly store: string;
  readonly file: string;
  readonly format: string;
  readonly threads: readonly ImportedThread[];
  readonly damaged: readonly { readonly line: number; readonly reason: string }[];
}

export interface ImportedThread {
  readonly thread: string;
  readonly trajectory?: string;
  readonly messages?: number;
  readonly commits: number;
  readonly tokens?: number;
  /** Calls of the model that were recorded with the thread. */
  readonly calls?: number;
}

/** Writes what was read from the file into a store. */
export type WriteImport = (store: Store) => Promise<Imported>;
