/** Decides which test files share a process. Starting one takes longer than most files, and files that only call functions do not interfere. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { PURE_FOLDERS } from "../pure-folders.ts";

export interface TestProcess {
  readonly name: string;
  readonly files: readonly string[];
}

interface Shared {
  readonly name: string;
  readonly patterns: readonly string[];
}

/** Files that kill processes, crash a server, or fill a disk, and those that mostly wait for processes of their own. */
const alone = (name: string): Shared => ({ name: `test/${name}.test.ts`, patterns: [`test/${name}.test.ts`] });

/** In starting order: the longest first, so that no core waits for a long one at the end. A file belongs to the first one that names it. */
const PROCESSES: readonly Shared[] = [
  { name: "wrapped clients that are restarted", patterns: ["test/wrap-{durable,ai-sdk*}.test.ts"] },
  { name: "wrapped clients and what they cost", patterns: ["test/wrap-{numbers,openai*,bad-input}.test.ts"] },
  { name: "recorded sessions", patterns: ["test/*corpus*.test.ts", "test/token-estimates.test.ts", "test/replay.test.ts"] },
  alone("import-interrupted"),
  {
    name: "conversations",
    patterns: ["test/{conversation,handles-served,policy-lossless,policy-repeats}.properties.test.ts", "test/policy-sizes.test.ts"],
  },
  alone("history-living"),
  { name: "wrapped Anthropic clients", patterns: ["test/wrap-*.test.ts"] },
  { name: "proxy", patterns: ["src/proxy/**/*.test.ts"] },
  {
    name: "stores",
    patterns: [
      "test/store.{conformance,properties}.test.ts",
      "test/history{,-bad-input,-damage,-hooks,-living-stores,-living.properties,-memo,-open-calls.properties,-policy}.test.ts",
      "src/{store,history}/**/*.test.ts",
    ],
  },
  { name: "stored files and hostile values", patterns: ["test/{store-*,hostile-values}.test.ts"] },
  alone("proxy-killed"),
  alone("examples"),
  { name: "views", patterns: ["test/{render,functions,policy,policy-digests}.properties.test.ts", "test/judge-mutants.test.ts"] },
  { name: "agents", patterns: ["src/{agent,testing}/**/*.test.ts", "test/{ai-sdk,summarize-clients,front-end.properties}.test.ts"] },
  { name: "commands", patterns: ["src/cli/**/*.test.ts"] },
  alone("store.faults"),
  alone("history-concurrency"),
  { name: "threads", patterns: ["test/{thread,history,summarize,formats}.properties.test.ts"] },
  alone("history-background"),
  alone("history-statements"),
  { name: "pure folders", patterns: [`src/{${PURE_FOLDERS.join(",")}}/**/*.test.ts`] },
  { name: "other folders", patterns: ["src/**/*.test.ts"] },
  { name: "contracts", patterns: ["test/**/*.test.ts"] },
];

const TESTS = ["src/**/*.test.ts", "test/**/*.test.ts"];

/** Calls in files that have random cases or kills. */
const RANDOM = /\b(checkProperty|checkAsyncProperty|cases|kills|seed)\(/;

export interface Choice {
  /** Only files with one of these in their path, if there are any. */
  readonly parts: readonly string[];
  /** Only files with random cases or kills. */
  readonly random: boolean;
}

/** Returns every chosen test file once. */
export function planProcesses(root: string, { parts, random }: Choice): TestProcess[] {
  const chosen = matching(root, TESTS)
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .filter((file) => !random || RANDOM.test(readFileSync(join(root, file), "utf8")));
  const left = new Set(chosen);
  const take = (patterns: readonly string[]): string[] => {
    const files = matching(root, patterns).filter((file) => left.has(file));
    for (const file of files) left.delete(file);
    return files;
  };
  return PROCESSES.map(({ name, patterns }): TestProcess => ({ name, files: take(patterns) })).filter(({ files }) => files.length > 0);
}

function matching(root: string, patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
}

/** Writes a module for each process that imports its test files, in the same order. */
export function writeEntries(root: string, processes: readonly TestProcess[]): { readonly files: string[]; remove(): void } {
  const reports = join(root, "reports");
  mkdirSync(reports, { recursive: true });
  const folder = mkdtempSync(join(reports, "test-"));
  const files = processes.map(({ name, files: imported }) => {
    const entry = join(folder, `${name.replaceAll("/", "-")}.mjs`);
    const imports = imported.map((file) => `import ${JSON.stringify(relative(folder, join(root, file)).replaceAll("\\", "/"))};\n`);
    writeFileSync(entry, imports.join(""));
    return entry;
  });
  return { files, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
