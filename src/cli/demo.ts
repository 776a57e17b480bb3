import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { loadTrajectory } from "./demo/load-trajectory.ts";
import { playSession } from "./demo/play-session.ts";
import { printDemo } from "./demo/print-demo.ts";

interface DemoOptions {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** `palimpsest demo`: the main job, done on a recorded session. */
export function demoCommand({ terminal, exitWith }: CommandContext): Command {
  return new Command("demo")
    .summary("shorten a recorded session and show what was done")
    .description("Shortens a recorded session of an agent and shows what was shortened, why, and what it saves. Exit code 1: a promise was found broken.")
    .option("--all", "list every edit, not only those that save most")
    .option("--json", "print the same as JSON")
    .action((options: DemoOptions) => {
      const demo = playSession(loadTrajectory());
      if (options.json === true) terminal.printJson(demo);
      else printDemo(demo, terminal, options.all === true);
      exitWith(demo.proofs.every((proof) => proof.holds) ? 0 : 1);
    });
}
