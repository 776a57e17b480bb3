import { isAbsolute, sep } from "node:path";
import type { CommandIo, Environment, InputStream, Interrupts, OutputStream } from "./command-io.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** What `run` passes to every command: its only way to read, write and print. */
export interface CommandContext {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  readonly interrupts: Interrupts;
  /** Prints to standard output. */
  readonly terminal: Terminal;
  /** Prints to standard error, for messages that must not mix with a result on standard output. */
  readonly errorTerminal: Terminal;
  /** Returns the path to open for a path that the user gave. Messages show the path as the user typed it. */
  readonly resolve: (path: string) => string;
  /** Sets the exit code of a command that did its work: 1 if it found faults. If it throws, the error decides. */
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
    // Not `path.resolve`: it drops a trailing slash, and resolves `..` after a symlink to the folder that holds the link.
    resolve: (path) => (path === "" || isAbsolute(path) ? path : `${cwd}${sep}${path}`),
    exitWith,
  };
}
