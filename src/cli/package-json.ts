import { readFileSync } from "node:fs";

/** `src/cli` and `dist/cli` lie equally deep, so one relative path serves both. */
const PACKAGE_JSON = new URL("../../package.json", import.meta.url);

export interface PackageJson {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** Read, not repeated: a second place for the version of the package, or of the Node that it needs, would drift. */
export function readPackageJson(): PackageJson {
  return JSON.parse(readFileSync(PACKAGE_JSON, "utf8")) as PackageJson;
}
