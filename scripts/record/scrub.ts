import { homedir, hostname, userInfo } from "node:os";
import type { Workspace } from "./workspace.ts";

/** Where the agent believes the repository to be. */
const REPO = "/repo";

/** Replaces the paths of this machine. Line numbers and all else stay as the command printed them. */
export function scrub(text: string, workspace: Workspace): string {
  return text.replaceAll(workspace.directory, REPO).replaceAll(workspace.original, REPO);
}

/** What must never be published. Throws rather than repairs: the step that printed it has to change. */
export function refuseTraces(text: string, workspace: Workspace): void {
  const { username } = userInfo();
  const traces = [workspace.directory, workspace.original, `${homedir()}/`, `${username}@`, `@${hostname()}`, `/home/${username}`];
  const found = traces.find((trace) => text.includes(trace));
  if (found !== undefined) throw new Error(`The recording holds ${JSON.stringify(found)}, which belongs to this machine.`);
}
