#!/usr/bin/env node
import { describeFailure } from "./failure.ts";
import { createProgram } from "./program.ts";
import { printable } from "./terminal.ts";

// A reader that has seen enough (`palimpsest demo | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const args = process.argv.slice(2);
try {
  // Asked for nothing in particular, it says what it can do.
  await createProgram().parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
} catch (error) {
  const failure = describeFailure(error);
  if (failure.line !== undefined) process.stderr.write(`palimpsest: ${printable(failure.line)}\n`);
  if (failure.exitCode !== 0 && args.includes("--debug")) console.error(error);
  // Not `process.exit`: what was printed into a pipe must still be written.
  process.exitCode = failure.exitCode;
}
