import type { Readable, Writable } from "node:stream";

/** All that a command line has to do with its surroundings. `main.ts` gives those of the process, a test its own. */
export interface CommandIo {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  /** Relative paths begin here. */
  readonly cwd: string;
  /** Without them, a command that has begun runs to its end. */
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
