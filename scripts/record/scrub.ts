import { homedir, hostname, userInfo } from "node:os";
import type { Workspace } from "./workspace.ts";

/** The path of the repository as the agent sees it. */
const REPO = "/repo";

/** Replaces the paths of this machine. Everything else stays as the command printed it. */
export function scrub(text: string, workspace: Workspace): string {
  return text.replaceAll(workspace.directory, REPO).replaceAll(workspace.original, REPO);
}

/** Throws if text that must never be published is left. Does not repair it: the step that printed it must change. */
export function refuseTraces(text: string, workspace: Workspace): void {
  const { username } = userInfo();
  const traces = [workspace.directory, workspace.original, `${homedir()}/`, `${username}@`, `@${hostname()}`, `/home/${username}`];
  const found = traces.find((trace) => text.includes(trace));
  if (found !== undefined) throw new Error(`The recording contains ${JSON.stringify(found)}, which belongs to this machine.`);
}
