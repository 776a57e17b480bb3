import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** The files that a browser loads, by name. */
export interface AppBundle {
  readonly files: ReadonlyMap<string, Buffer>;
  /** Changes whenever a file changes. */
  readonly version: string;
}

const NAMES = ["app.js", "app.css", "diff-worker.js", "icon.svg"] as const;
const FOLDER = new URL("./app/", import.meta.url);

let loaded: Promise<AppBundle> | undefined;

/** Returns the app from the package. In a clone it is built from the sources, once, in memory. */
export function loadApp(): Promise<AppBundle> {
  loaded ??= existsSync(new URL("app.js", FOLDER)) ? readBuilt() : bundleSources();
  return loaded;
}

async function readBuilt(): Promise<AppBundle> {
  return bundleOf(await Promise.all(NAMES.map(async (name) => [name, await readFile(new URL(name, FOLDER))] as const)));
}

async function bundleSources(): Promise<AppBundle> {
  const { bundleApp } = await import("./bundle-app.ts");
  return bundleOf(await bundleApp(FOLDER));
}

function bundleOf(files: readonly (readonly [name: string, bytes: Buffer])[]): AppBundle {
  const hash = createHash("sha256");
  for (const [name, bytes] of files) hash.update(name).update(bytes);
  return { files: new Map(files), version: hash.digest("hex").slice(0, 16) };
}
