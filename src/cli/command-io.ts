import type { Readable, Writable } from "node:stream";

/** Everything a command line uses from outside. `main.ts` passes the process's own, a test its own. */
export interface CommandIo {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  /** Relative paths start here. */
  readonly cwd: string;
  /** If missing, a command that has started cannot be interrupted. */
  readonly interrupts?: Interrupts;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface InputStream extends Readable {
  readonly isTTY?: boolean;
}

/** What a terminal has beyond a pipe or a file. */
export interface OutputStream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(env?: object): boolean;
}

/** SIGINT is Ctrl-C. */
export type Interruption = "SIGINT" | "SIGTERM";

export interface Interrupts {
  /** Calls `onInterruption` instead of ending the process, until the returned function is called. For work that must not be left half done. */
  hold(onInterruption: (interruption: Interruption) => void): () => void;
}
