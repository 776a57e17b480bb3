import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";

/** A copy of the repository, so that the agent cannot touch the sources. */
export interface Workspace {
  readonly directory: string;
  /** The repository that was copied. Tools follow the link to its `node_modules` and print its path. */
  readonly original: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly remove: () => void;
}

/** Not copied: made by tools or, like `assets`, made from this very recording. */
const LEFT_OUT = new Set([".git", ".ci", "node_modules", "dist", "assets", "bench", "reports", "coverage", ".stryker-tmp", "package-lock.json"]);

export function openWorkspace(repository: string): Workspace {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "palimpsest-")));
  const original = realpathSync(repository);
  cpSync(original, directory, { recursive: true, filter: (source) => !LEFT_OUT.has(basename(source)) });
  symlinkSync(join(original, "node_modules"), join(directory, "node_modules"), "dir");
  const workspace = { directory, original, environment: plainEnvironment(directory), remove: () => rmSync(directory, { recursive: true, force: true }) };
  startHistory(workspace);
  return workspace;
}

/** An environment without traces of the person who records: no home, no colours, no language, a separate git author and a fixed date. */
function plainEnvironment(directory: string): Record<string, string> {
  const when = "2026-01-01T00:00:00Z";
  return {
    PATH: [join(directory, "node_modules", ".bin"), process.env["PATH"] ?? ""].join(delimiter),
    HOME: directory,
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    NO_COLOR: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Agent",
    GIT_AUTHOR_EMAIL: "agent@example.invalid",
    GIT_AUTHOR_DATE: when,
    GIT_COMMITTER_NAME: "Agent",
    GIT_COMMITTER_EMAIL: "agent@example.invalid",
    GIT_COMMITTER_DATE: when,
  };
}

/** Commits everything, so that `git diff` shows only the agent's changes. */
function startHistory({ directory, environment }: Workspace): void {
  const git = (...args: readonly string[]): void => {
    execFileSync("git", args, { cwd: directory, env: environment, stdio: ["ignore", "ignore", "inherit"] });
  };
  git("init", "-q", "-b", "main");
  // The link to node_modules is no directory, so `node_modules/` in .gitignore does not match it.
  appendFileSync(join(directory, ".git", "info", "exclude"), "node_modules\n");
  git("add", "-A");
  git("commit", "-q", "-m", "Start of the session");
}
