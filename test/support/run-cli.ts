import assert from "node:assert/strict";
import { Readable, Writable } from "node:stream";
import { test } from "node:test";
import type { CommandIo, OutputStream } from "../../src/cli/command-io.ts";
import { run } from "../../src/cli/run.ts";

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliRunOptions {
  /** What is on standard input. */
  readonly input?: string | Uint8Array;
  /** Default: that of the tests. */
  readonly cwd?: string;
  /** All of the environment, not what is added to that of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  readonly interrupts?: CommandIo["interrupts"];
}

/** One command line, in this process: standard input, output and error are pipes in memory. */
export async function runCli(args: readonly string[], { input = "", cwd = process.cwd(), env = {}, interrupts }: CliRunOptions = {}): Promise<CliRun> {
  const [stdout, stderr] = [collect(), collect()];
  const stdin = Readable.from(input.length === 0 ? [] : [Buffer.from(input)]);
  const code = await run(args, { stdin, stdout: stdout.stream, stderr: stderr.stream, env, cwd, ...(interrupts === undefined ? {} : { interrupts }) });
  return { code, out: stdout.text(), err: stderr.text() };
}

/** A stream that keeps what is written to it; `terminal` is what it says of itself beyond that. */
export function collect(terminal: Pick<OutputStream, "isTTY" | "columns" | "hasColors"> = {}): { readonly stream: OutputStream; readonly text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      // Later, as a pipe does.
      setImmediate(done);
    },
  });
  return { stream: Object.assign(stream, terminal), text: () => Buffer.concat(chunks).toString("utf8") };
}

/** One test per case: the command line ends with code 2 and one line on standard error, which matches. */
export function refusesEach(
  cases: Readonly<Record<string, readonly [args: readonly string[], line: RegExp]>>,
  run: (args: readonly string[]) => Promise<CliRun>,
): void {
  for (const [name, [args, line]] of Object.entries(cases)) {
    test(name, async () => {
      const { code, out, err } = await run(args);
      assert.match(err.trimEnd(), line);
      assert.equal(err.trimEnd().split("\n").length, 1, `more than one line:\n${err}`);
      assert.deepEqual([code, out], [2, ""]);
    });
  }
}
