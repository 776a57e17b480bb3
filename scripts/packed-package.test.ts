/** The package that scripts/pack.ts has made, as a consumer gets it: installed, imported, type-checked and run. Part of `npm run check:package`. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../", import.meta.url));
const tsc = join(root, "node_modules/typescript/bin/tsc");
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
  version: string;
  exports: Record<string, unknown>;
  peerDependencies: Record<string, string>;
};

const directory = await mkdtemp(join(tmpdir(), "palimpsest-consumer-"));
const consumer = join(directory, "consumer");

after(() => rm(directory, { recursive: true, force: true }));

describe("the packed package", { timeout: 300_000 }, () => {
  before(async () => {
    await mkdir(consumer);
    await writeFile(join(consumer, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
    // All peers are optional; subpaths that need one cannot be imported without it.
    const peers = Object.entries(manifest.peerDependencies).map(([name, range]) => `${name}@${range}`);
    await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", join(root, "reports/package.tgz"), ...peers], consumer);
  });

  test("can be imported", async () => {
    const script = `
      import { charsOver4, checkMessages, pruneMessages } from "palimpsest";
      const messages = [{ role: "user", content: "a" }, { role: "assistant", content: "b" }, { role: "user", content: "c" }];
      const pruned = pruneMessages(messages, { strategy: "sliding-window", maxTurns: 1 });
      console.log(JSON.stringify([charsOver4("12345678"), checkMessages(messages), pruned]));
    `;
    const printed = await run(process.execPath, ["--input-type=module", "--eval", script], consumer);
    assert.deepEqual(JSON.parse(printed), [2, [], [{ role: "user", content: "c" }]]);
  });

  test("exports nothing but what its manifest names", async () => {
    const inner = `import("palimpsest/dist/index.js").then(() => process.exit(1), (error) => console.log(error.code))`;
    assert.equal(await run(process.execPath, ["--eval", inner], consumer), "ERR_PACKAGE_PATH_NOT_EXPORTED\n");
    for (const subpath of Object.keys(manifest.exports)) {
      const attributes = subpath.endsWith(".json") ? `, { with: { type: "json" } }` : "";
      await run(process.execPath, ["--eval", `await import("palimpsest${subpath.slice(1)}"${attributes})`], consumer);
    }
  });

  test("has types that a strict consumer can use without Node's", async () => {
    const source = `
      import { checkMessages, PalimpsestError, pruneMessages, render } from "palimpsest";
      import type { Edit, Finding, Message, PrunerConfig } from "palimpsest";
      const messages: Message[] = [{ role: "user", content: "a" }, { role: "assistant", content: [{ type: "text", text: "b" }] }];
      const config: PrunerConfig = { strategy: "importance", maxTurns: 1 };
      const edits: Edit[] = [];
      export const pruned: Message[] = pruneMessages(messages, config);
      export const findings: Finding[] = checkMessages(render(messages, edits), { history: true });
      // @ts-expect-error An unknown strategy does not compile.
      export const wrong = (): Message[] => pruneMessages(messages, { strategy: "random" });
      export const code = (error: unknown): string => (PalimpsestError.isInstance(error) ? error.code : "none");
    `;
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "ES2024",
      lib: ["ES2024", "DOM"],
      types: [],
      module: "nodenext",
      moduleResolution: "nodenext",
      skipLibCheck: false,
    };
    await writeFile(join(consumer, "consumer.ts"), source);
    await writeFile(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    assert.equal(await run(process.execPath, [tsc, "-p", "."], consumer), "");
  });

  test("installs the command", async () => {
    assert.equal((await run("npx", ["--no-install", "palimpsest", "--version"], consumer)).trim(), manifest.version);
  });
});

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")} failed\n${stdout ?? ""}${stderr ?? ""}`, { cause: error });
  }
}
