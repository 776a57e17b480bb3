#!/usr/bin/env node
import type { CommandIo, Interruption } from "./command-io.ts";
import { complainOfOldNode } from "./old-node.ts";

const SIGNALS: readonly Interruption[] = ["SIGINT", "SIGTERM"];

const complaint = complainOfOldNode(process.versions.node, process.execPath);
// `process.exitCode`, not `process.exit`: output to a pipe must still be flushed.
if (complaint === undefined) {
  // Imported only now: on an old Node it would fail with a stack trace instead of a reason.
  const { run } = await import("./run.ts");
  process.exitCode = await run(process.argv.slice(2), ioOfProcess());
} else {
  process.stderr.write(`palimpsest: ${complaint}\n`);
  process.exitCode = 2;
}

function ioOfProcess(): CommandIo {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, cwd: currentFolder(), interrupts: { hold: holdSignals } };
}

/** A deleted folder has no path; commands that need none of its files still work. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return ".";
  }
}

/** Signals end the process at once, even in the middle of a computation, unless a command holds them here. */
function holdSignals(onInterruption: (interruption: Interruption) => void): () => void {
  const listeners = SIGNALS.map((signal) => [signal, () => onInterruption(signal)] as const);
  // Once: the second Ctrl-C ends a command that takes too long to stop.
  for (const [signal, listener] of listeners) process.once(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}
