import { readFileSync } from "node:fs";

/** `src/cli` and `dist/cli` lie equally deep, so one relative path serves both. */
const PACKAGE_JSON = new URL("../../package.json", import.meta.url);

/** Read, not repeated: a second place for the version would drift. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(PACKAGE_JSON, "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest && typeof manifest.version === "string") return manifest.version;
  return "unknown";
}
