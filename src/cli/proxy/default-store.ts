import { join } from "node:path";
import type { Environment } from "../command-io.ts";

/** Returns the address of the store that a proxy takes unless it is told otherwise: a file among the user's own data. Without a home there is none. */
export function defaultStore(env: Environment): string {
  const { LOCALAPPDATA: windows, XDG_DATA_HOME: named, HOME: home } = env;
  const folder = [named, windows, home === undefined || home === "" ? undefined : join(home, ".local", "share")].find(
    (path) => path !== undefined && path !== "",
  );
  return folder === undefined ? "memory" : `sqlite:${join(folder, "palimpsest", "conversations.db")}`;
}
