/** Lets a script import `palimpsest` and its subpaths from the sources, like a user of the package: `node --import ./scripts/resolve-sources.ts file.ts`. */
import { registerHooks } from "node:module";
import manifest from "../package.json" with { type: "json" };

const sources = new Map<string, string>(
  Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === "string" ? [] : [[`palimpsest${subpath.slice(1)}`, target.default.replace("./dist/", "../src/").replace(/\.js$/, ".ts")] as const],
  ),
);

registerHooks({
  resolve: (specifier, context, next) => {
    const source = sources.get(specifier);
    return source === undefined ? next(specifier, context) : next(new URL(source, import.meta.url).href, context);
  },
});
