import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const PURE = ["errors", "messages", "tokens", "content", "edits", "passes", "stateless"];
const TESTS = ["**/*.test.ts", "test/**/*.ts"];

const platformGlobals = ["process", "Buffer", "require", "module", "global", "__dirname", "__filename", "window", "document", "navigator", "localStorage"];
const clocksAndIo = ["Date", "performance", "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "fetch", "crypto", "console"];

export default defineConfig(
  globalIgnores(["dist/", "reports/", ".stryker-tmp/", ".mutation/", "assets/", "bench/results/", "any-runtime.d.ts"]),
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "no-param-reassign": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "separate-type-imports" }],
      "@typescript-eslint/consistent-type-exports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/prefer-readonly": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
      // `${count}` says what it means; String(count) says it twice.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
    },
  },
  {
    files: ["src/**/*.ts"],
    ignores: TESTS,
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "ThrowStatement > NewExpression[callee.name=/^(Type|Range|Syntax)?Error$/]",
          message: "Throw a PalimpsestError: every failure has a code.",
        },
        { selector: "ExportDefaultDeclaration", message: "Export by name, so that a thing has one name everywhere." },
      ],
    },
  },
  {
    files: PURE.map((folder) => `src/${folder}/**/*.ts`),
    ignores: TESTS,
    rules: { "no-restricted-globals": ["error", ...named(platformGlobals, "The pure layers run in any JavaScript runtime.")] },
  },
  {
    // Two exceptions: checkpoint ids are random, and in stateless/ the default `onCompact` prints.
    files: PURE.filter((folder) => folder !== "stateless").map((folder) => `src/${folder}/**/*.ts`),
    ignores: [...TESTS, "src/messages/checkpoint.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...named(platformGlobals, "The pure layers run in any JavaScript runtime."),
        ...named(clocksAndIo, "The same input gives the same output: no clock, no randomness, no I/O."),
      ],
      "no-restricted-properties": ["error", { object: "Math", property: "random", message: "The same input gives the same output." }],
    },
  },
  {
    files: TESTS,
    rules: {
      // The test runner awaits these itself.
      "@typescript-eslint/no-floating-promises": [
        "error",
        {
          allowForKnownSafeCalls: [
            { from: "package", package: "node:test", name: ["test", "it", "describe", "suite", "before", "after", "beforeEach", "afterEach"] },
          ],
        },
      ],
      // Bad input is a test's business, and a literal in a table is checked by the test itself.
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unnecessary-condition": "off",
    },
  },
  {
    // bench/ has its own dependencies, which need not be installed to check this package.
    files: ["bench/**/*.ts", "**/*.js", "**/*.mjs"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly" } },
  },
);

function named(globals, message) {
  return globals.map((name) => ({ name, message }));
}
