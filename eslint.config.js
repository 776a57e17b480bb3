import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";
import { PURE_FOLDERS } from "./scripts/pure-folders.ts";

// Node 22 cannot read it, and the sources run as they are.
const NO_USING = { selector: "VariableDeclaration[kind=/using/]", message: "Node 22 does not know `using`: close what you open." };
const TESTS = ["**/*.test.ts", "test/**/*.ts"];

const platformGlobals = ["process", "Buffer", "require", "module", "global", "__dirname", "__filename", "window", "document", "navigator", "localStorage"];
const clocksAndIo = ["Date", "performance", "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "fetch", "crypto", "console"];

const THROWN_AND_EXPORTED = [
  {
    selector: "ThrowStatement > NewExpression[callee.name=/^(Type|Range|Syntax)?Error$/]",
    message: "Throw a PalimpsestError: every failure has a code.",
  },
  { selector: "ExportDefaultDeclaration", message: "Export by name, so that a thing has one name everywhere." },
];
const ONLY_TERMINAL = "Print with the terminal of the context: it makes text from files safe.";
const ONLY_MAIN = "Only main.ts touches the process; a command has its CommandContext.";

export default defineConfig(
  globalIgnores(["dist/", "reports/", ".stryker-tmp/", ".mutation/", "assets/", "bench/results/", "any-runtime.d.ts"]),
  js.configs.recommended,
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "no-restricted-syntax": ["error", NO_USING],
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
    // The app has failures of its own: what the server answered.
    ignores: [...TESTS, "src/inspector/app/**"],
    rules: {
      "no-restricted-syntax": ["error", NO_USING, ...THROWN_AND_EXPORTED],
    },
  },
  {
    files: PURE_FOLDERS.map((folder) => `src/${folder}/**/*.ts`),
    ignores: TESTS,
    rules: { "no-restricted-globals": ["error", ...named(platformGlobals, "The pure layers run in any JavaScript runtime.")] },
  },
  {
    // Two exceptions: checkpoint ids are random, and in stateless/ the default `onCompact` prints.
    files: PURE_FOLDERS.filter((folder) => folder !== "stateless").map((folder) => `src/${folder}/**/*.ts`),
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
    // A command line is a function: main.ts gives it the process, tests give it streams of their own.
    files: ["src/cli/**/*.ts"],
    ignores: [...TESTS, "src/cli/main.ts"],
    rules: {
      "no-restricted-globals": ["error", ...named(["process", "console"], ONLY_MAIN)],
      "no-restricted-imports": ["error", { paths: named(["process", "node:process", "console", "node:console"], ONLY_MAIN) }],
    },
  },
  {
    // Text of files must not steer the terminal: what is printed goes through one place, which sees to it.
    files: ["src/cli/**/*.ts"],
    ignores: [...TESTS, ...["main", "terminal", "progress", "program", "history/confirm", "watch-output"].map((name) => `src/cli/${name}.ts`)],
    rules: {
      "no-restricted-syntax": [
        "error",
        NO_USING,
        ...THROWN_AND_EXPORTED,
        { selector: "CallExpression[callee.property.name='write'][callee.object.name=/^(stdout|stderr|stream)$/]", message: ONLY_TERMINAL },
        { selector: "CallExpression[callee.property.name='write'][callee.object.property.name=/^(stdout|stderr)$/]", message: ONLY_TERMINAL },
      ],
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
