/** Builds the inspector's app into dist/ for the package. Part of `npm run build`. */
import { mkdir, writeFile } from "node:fs/promises";
import { bundleApp } from "../src/inspector/bundle-app.ts";

const folder = new URL("../dist/inspector/app/", import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, bytes] of await bundleApp(new URL("../src/inspector/app/", import.meta.url))) await writeFile(new URL(name, folder), bytes);
