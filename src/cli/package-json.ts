import { readFileSync } from "node:fs";

/** `src/cli` and `dist/cli` are equally deep, so one relative path serves both. */
const PACKAGE_JSON = new URL("../../package.json", import.meta.url);

export interface PackageJson {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** Reads the versions of the package and of the Node it needs: a copy of them here would drift. */
export function readPackageJson(): PackageJson {
  return JSON.parse(readFileSync(PACKAGE_JSON, "utf8")) as PackageJson;
}
