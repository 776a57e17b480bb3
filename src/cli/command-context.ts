import { isAbsolute, sep } from "node:path";
import type { CommandIo, Environment, InputStream, Interrupts, OutputStream } from "./command-io.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** What `run` gives to every command: all that it may read, write and say. */
export interface CommandContext {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  readonly interrupts: Interrupts;
  /** Prints to standard output. */
  readonly terminal: Terminal;
  /** Prints to standard error: for what must not mix with a result on standard output. */
  readonly errorTerminal: Terminal;
  /** Returns the path to open for a path that the user gave. Messages name the path as it was given. */
  readonly resolve: (path: string) => string;
  /** Sets the exit code of a command that did its work: 1 if it found faults. What it throws decides otherwise. */
  readonly exitWith: (code: 0 | 1) => void;
}

const NEVER: Interrupts = { hold: () => () => undefined };

export function createContext(io: CommandIo, exitWith: (code: 0 | 1) => void): CommandContext {
  const { stdin, stdout, stderr, env, cwd, interrupts = NEVER } = io;
  return {
    stdin,
    stdout,
    stderr,
    env,
    interrupts,
    terminal: openTerminal(stdout, env),
    errorTerminal: openTerminal(stderr, env),
    // Not `path.resolve`: it drops a slash at the end, and takes the `..` of a link for the folder that holds the link.
    resolve: (path) => (path === "" || isAbsolute(path) ? path : `${cwd}${sep}${path}`),
    exitWith,
  };
}
