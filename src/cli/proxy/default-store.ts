import { join } from "node:path";
import type { Environment } from "../command-io.ts";

/** Returns the address of a proxy's default store: a file in the user's data folder. */
export function defaultStore(env: Environment): string {
  const { LOCALAPPDATA: windows, XDG_DATA_HOME: named, HOME: home } = env;
  const folder = [named, windows, home === undefined || home === "" ? undefined : join(home, ".local", "share")].find(
    (path) => path !== undefined && path !== "",
  );
  return folder === undefined ? "memory" : `sqlite:${join(folder, "palimpsest", "conversations.db")}`;
}
