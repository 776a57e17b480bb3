/**
 * Bundles the tests of `npm run mutation` into plain JavaScript files, after the sources are instrumented. Every mutant
 * starts a process, and stripping types from a hundred files would take most of its time.
 */
import { globSync } from "node:fs";
import { build } from "esbuild";

/** A separate bundle that runs first: it kills most mutants of `edits/`, in a fraction of the time of all quick tests. */
const EDITS = ["src/edits/*.test.ts", "test/contracts/{render,report}*.test.ts"];
const QUICK = ["test/contracts/*.test.ts", "test/{bad-input,pins,known-failures}.test.ts", "src/{errors,messages,edits,passes,stateless}/**/*.test.ts"];
/** Slow tests of a single file: a separate bundle, run only for the mutants of that file. */
const PARTS = ["src/passes/original-parts.test.ts"];
const RANDOM = ["test/{functions,render}.properties.test.ts"];

async function bundle(name: string, files: readonly string[]): Promise<void> {
  const imports = files.map((file) => `import ${JSON.stringify(`./${file}`)};`).join("\n");
  await build({
    stdin: { contents: imports, resolveDir: process.cwd(), sourcefile: `${name}.ts` },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "warning",
    // package.json declares the sources free of side effects, but tests consist of side effects.
    ignoreAnnotations: true,
    outfile: `.mutation/${name}.mjs`,
  });
}

const edits = globSync(EDITS).sort();
await bundle("edits", edits);
await bundle("quick", globSync(QUICK).filter((file) => !PARTS.includes(file) && !edits.includes(file)).sort()); // prettier-ignore
await bundle("parts", PARTS);
await bundle("random", globSync(RANDOM).sort());
