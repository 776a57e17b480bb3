import { fileURLToPath } from "node:url";

// Fewer random cases than in `npm test`, because every mutant runs them again, and always the same ones, so that two runs give one score.
process.env.PALIMPSEST_CASES ??= "20";
process.env.PALIMPSEST_SEED ??= "1";
// Every mutant starts a process per test file; this saves it most of the start.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("./reports/compile-cache", import.meta.url));

export default {
  mutate: ["src/edits/**/*.ts", "src/passes/**/*.ts", "src/stateless/**/*.ts", "!src/**/*.test.ts"],
  buildCommand: "node scripts/bundle-mutation-tests.ts",
  testRunner: "tap",
  tap: {
    // Bundles of the tests of the core: not those that run the command line or the packed package in processes of their own
    // (no mutant is active there), nor the corpus and the tests of the test support.
    testFiles: [".mutation/edits.mjs", ".mutation/quick.mjs", ".mutation/parts.mjs", ".mutation/random.mjs"],
    nodeArgs: ["--test-reporter=tap", "-r", "{{hookFile}}", "{{testFile}}"],
    forceBail: true,
  },
  coverageAnalysis: "perTest",
  incremental: true,
  incrementalFile: "reports/mutation/incremental.json",
  concurrency: 2,
  timeoutMS: 20000,
  thresholds: { high: 95, low: 92, break: 91 },
  reporters: ["clear-text", "progress-append-only", "html", "json"],
  htmlReporter: { fileName: "reports/mutation/mutation.html" },
  jsonReporter: { fileName: "reports/mutation/mutation.json" },
  ignorePatterns: ["/dist", "/reports", "/bench", "/docs", "/assets"],
  tempDirName: ".stryker-tmp",
};
