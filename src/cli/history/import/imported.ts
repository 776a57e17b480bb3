import type { Store } from "../../../history/index.ts";

/** What is asked for with the file. */
export interface ImportChoice {
  readonly thread?: string;
  readonly trajectory?: string;
  readonly format?: string;
  /** Goes on with an import that was interrupted. */
  readonly resume?: boolean;
  /** Deletes what an interrupted import has written, and begins again. */
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
  /** Of the model, which were recorded with it. */
  readonly calls?: number;
}

/** Writes what was read. */
export type WriteImport = (store: Store) => Promise<Imported>;
