import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { scrub } from "./scrub.ts";
import type { Workspace } from "./workspace.ts";

/** The calls an agent can make, by tool. */
export type Call =
  | { readonly name: "bash"; readonly input: { readonly command: string } }
  | { readonly name: "read_file"; readonly input: { readonly path: string; readonly offset?: number; readonly limit?: number } }
  | { readonly name: "grep"; readonly input: { readonly pattern: string; readonly path: string; readonly glob?: string } }
  | { readonly name: "write_file"; readonly input: { readonly path: string; readonly content: string } }
  | { readonly name: "edit_file"; readonly input: { readonly path: string; readonly old_text: string; readonly new_text: string } };

export interface Result {
  readonly text: string;
  readonly failed: boolean;
}

/** Executes the call in the workspace. A failure is a result, as it is for an agent. */
export function runCall(call: Call, workspace: Workspace): Result {
  const result = execute(call, workspace);
  return { ...result, text: scrub(result.text, workspace) };
}

function execute(call: Call, workspace: Workspace): Result {
  switch (call.name) {
    case "bash":
      return bash(call.input.command, workspace);
    case "grep":
      return grep(call.input, workspace);
    case "read_file":
      return withFile(call.input.path, workspace, (content) => numbered(content, call.input.offset ?? 1, call.input.limit));
    case "write_file":
      return write(call.input.path, call.input.content, workspace);
    case "edit_file":
      return withFile(call.input.path, workspace, (content) => replaceOnce(call.input, content, workspace));
  }
}

/** Returns standard output and error interleaved, as a terminal shows them. */
function bash(command: string, workspace: Workspace): Result {
  const run = spawnSync("bash", ["-c", `exec 2>&1; set -o pipefail; ${command}`], {
    cwd: workspace.directory,
    env: { ...workspace.environment },
    encoding: "utf8",
  });
  if (run.error !== undefined) throw run.error;
  const output = run.stdout.trimEnd();
  if (run.status === 0) return { text: output === "" ? "(no output)" : output, failed: false };
  return { text: `${output}\n\nExit code ${String(run.status)}`.trimStart(), failed: true };
}

function grep(input: { readonly pattern: string; readonly path: string; readonly glob?: string }, workspace: Workspace): Result {
  const only = input.glob === undefined ? [] : [`--include=${input.glob}`];
  const run = spawnSync("grep", ["-rHnE", ...only, "--", input.pattern, input.path], {
    cwd: workspace.directory,
    env: { ...workspace.environment },
    encoding: "utf8",
  });
  if (run.error !== undefined) throw run.error;
  if (run.status === 2) return { text: run.stderr.trim(), failed: true };
  // The order in which grep walks folders is the file system's.
  return { text: run.status === 1 ? "No matches" : inPathOrder(run.stdout.trimEnd().split("\n")).join("\n"), failed: false };
}

function inPathOrder(lines: readonly string[]): string[] {
  const pathOf = (line: string): string => line.slice(0, line.indexOf(":"));
  return lines.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : pathOf(a) > pathOf(b) ? 1 : 0));
}

function withFile(path: string, workspace: Workspace, use: (content: string) => string | Result): Result {
  let content: string;
  try {
    content = readFileSync(join(workspace.directory, path), "utf8");
  } catch {
    return { text: `${path}: no such file`, failed: true };
  }
  const result = use(content);
  return typeof result === "string" ? { text: result, failed: false } : result;
}

function numbered(content: string, offset: number, limit: number | undefined): string {
  const lines = content.replace(/\n$/, "").split("\n");
  return lines
    .map((line, index) => `${String(index + 1).padStart(5)}  ${line}`)
    .slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit)
    .join("\n");
}

function write(path: string, content: string, workspace: Workspace): Result {
  const file = join(workspace.directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return { text: `Wrote ${path}, ${content.split("\n").length - 1} lines`, failed: false };
}

function replaceOnce(input: { readonly path: string; readonly old_text: string; readonly new_text: string }, content: string, workspace: Workspace): Result {
  const parts = content.split(input.old_text);
  if (parts.length !== 2) return { text: `${input.path}: old_text occurs ${parts.length - 1} times, expected once`, failed: true };
  writeFileSync(join(workspace.directory, input.path), parts.join(input.new_text));
  return { text: `Changed ${input.path} at line ${(parts[0] ?? "").split("\n").length}`, failed: false };
}
