import { writeFileSync } from "node:fs";
import manifest from "../package.json" with { type: "json" };

/**
 * Writes `dist/package.json`: the nearest manifest maps `#` imports, and built files have other paths than the sources. A bundler for a runtime other than
 * Node takes the other branch, which imports nothing from Node.
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
