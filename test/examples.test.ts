/** Every example runs, and what it asserts holds. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../", import.meta.url));
const examples = globSync("examples/*.ts", { cwd: root }).sort();
/** A command `palimpsest` that runs the sources. */
const bin = mkdtempSync(join(tmpdir(), "palimpsest-bin-"));
writeFileSync(join(bin, "palimpsest"), `#!/bin/sh\nexec "${process.execPath}" "${join(root, "src/cli/main.ts")}" "$@"\n`);
chmodSync(join(bin, "palimpsest"), 0o755);
after(() => rmSync(bin, { recursive: true }));

test("there are examples", () => assert.ok(examples.length >= 20, examples.join(", ")));

for (const example of examples) {
  test(`${example} runs, in fewer than 40 lines`, { timeout: 120_000 }, async () => {
    const lines = readFileSync(join(root, example), "utf8").split("\n");
    assert.ok(lines.filter((line) => !/^\s*\/\/ #(?:end)?region\b/.test(line)).length <= 40);
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "./scripts/resolve-sources.ts", example], { cwd: root });
    assert.notEqual(stdout, "");
  });
}

test("examples/command-line.sh runs", { timeout: 300_000 }, async () => {
  const env = { ...process.env, ASSETS: join(root, "assets"), PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` };
  const { stdout } = await promisify(execFile)("sh", [join(root, "examples/command-line.sh")], { env });
  for (const said of [/records|tokens/, /first-task/, /--policy/]) assert.match(stdout, said);
});
