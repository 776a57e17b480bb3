/** Writes the pages of `docs/` that are generated from the sources: `npm run docs`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedPages } from "./docs/generated-pages.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
for (const { path, text } of await generatedPages(root)) {
  writeFileSync(join(root, path), text);
  console.log(path);
}
