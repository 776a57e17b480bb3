import { writeFileSync } from "node:fs";
import manifest from "../package.json" with { type: "json" };

/**
 * Writes `dist/package.json`: the nearest manifest says what `#` imports lead to, and what is built lies elsewhere than the sources. A bundler for another
 * runtime than Node takes the other branch, and nothing of Node comes along.
 */
const imports = Object.fromEntries(
  Object.entries(manifest.imports).map(([name, targets]) => [
    name,
    Object.fromEntries(Object.entries(targets).map(([condition, path]) => [condition, path.replace("./src/", "./").replace(/\.ts$/, ".js")])),
  ]),
);

writeFileSync(
  new URL("../dist/package.json", import.meta.url),
  `${JSON.stringify({ type: manifest.type, sideEffects: manifest.sideEffects, imports }, undefined, 2)}\n`,
);
