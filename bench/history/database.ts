import type { Row } from "./rows.ts";

/** A database with the tables of a store, and direct operations on it for the benchmark. */
export interface Database {
  /** For `openStore`. */
  readonly address: string;
  /** Only inserts: the lower limit for a store. */
  openBare(): Promise<BareWriter>;
  /** Fills in this many threads with these rows, as if all of them had grown at the same time. The first one is "target". */
  fill(rows: readonly Row[], threads: number): Promise<void>;
  tables(): Promise<TableSize[]>;
  /** The disk space of the database. */
  diskBytes(): Promise<number>;
  /** Returns unused space to the system. */
  vacuum(): Promise<void>;
  /** All threads that were filled in have the time 1: this many get the time 3. */
  makeNewer(threads: number): Promise<void>;
  /** From here on. */
  watchLog(): Promise<WriteAheadLog>;
  remove(): Promise<void>;
}

export interface BareWriter {
  /** Inserts in one transaction; resolves when it is durable. */
  insert(rows: readonly Row[]): Promise<void>;
  close(): Promise<void>;
}

/** With its indexes. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
}

export interface WriteAheadLog {
  bytes(): Promise<number>;
  end(): Promise<void>;
}

export interface Engine {
  readonly name: string;
  create(): Promise<Database>;
  stop(): Promise<void>;
}

export const TARGET = "target";
export const TABLES: readonly string[] = ["threads", "branches", "commits", "marks", "contents", "words", "steps", "notes"].map((name) => `palimpsest_${name}`);

export function totalBytes(tables: readonly TableSize[]): number {
  return tables.reduce((sum, { bytes }) => sum + bytes, 0);
}
