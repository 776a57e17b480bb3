/**
 * Bundles the tests that `npm run mutation` uses into plain JavaScript files, after the sources were instrumented: every
 * mutant starts a process, and stripping types from a hundred files would be most of its time.
 */
import { globSync } from "node:fs";
import { build } from "esbuild";

/** A bundle of their own, run first: most mutants of `edits/` end here, in a fraction of the time that all quick tests take. */
const EDITS = ["src/edits/*.test.ts", "test/contracts/{render,report}*.test.ts"];
const QUICK = ["test/contracts/*.test.ts", "test/{bad-input,pins,known-failures}.test.ts", "src/{errors,messages,edits,passes,stateless}/**/*.test.ts"];
/** Slow, and of one file only: a bundle of their own is run for its mutants alone. */
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
    // package.json says of the sources that they have no side effects; the tests are nothing else.
    ignoreAnnotations: true,
    outfile: `.mutation/${name}.mjs`,
  });
}

const edits = globSync(EDITS).sort();
await bundle("edits", edits);
await bundle("quick", globSync(QUICK).filter((file) => !PARTS.includes(file) && !edits.includes(file)).sort()); // prettier-ignore
await bundle("parts", PARTS);
await bundle("random", globSync(RANDOM).sort());
