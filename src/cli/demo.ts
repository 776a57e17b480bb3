import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { loadTrajectory } from "./demo/load-trajectory.ts";
import { playSession } from "./demo/play-session.ts";
import { printDemo } from "./demo/print-demo.ts";

interface DemoOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** `palimpsest demo`: shortens a recorded session and explains how. */
export function demoCommand({ terminal, exitWith }: CommandContext): Command {
  return new Command("demo")
    .summary("shorten a recorded session and show what was done")
    .description("Shortens a recorded session of an agent and shows what was shortened, why, and what it saves. Exit code 1: one of the closing checks failed.")
    .option("--all", "list every edit, not only those that save the most")
    .option("--json", "print the result as JSON")
    .action((options: DemoOptions) => {
      const demo = playSession(loadTrajectory());
      if (options.json === true) terminal.printJson(demo);
      else printDemo(demo, terminal, options.all === true);
      exitWith(demo.proofs.every((proof) => proof.holds) ? 0 : 1);
    });
}
