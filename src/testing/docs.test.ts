import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const guide = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8");
const snippets = Array.from(guide.matchAll(/```ts\n([^]*?)```/g), ([, code = ""]) => code);

describe("the snippets of docs/testing.md run", { concurrency: true }, () => {
  snippets.forEach((code, index) => {
    it(`snippet ${index + 1}`, async () => {
      const entry = new URL("./index.ts", import.meta.url).href;
      await run(code.replaceAll('"palimpsest/testing"', JSON.stringify(entry)));
    });
  });

  it("are five", () => assert.equal(snippets.length, 5));
});

function run(code: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      ["--input-type=module-typescript", "-"],
      { cwd: fileURLToPath(new URL("../../", import.meta.url)), timeout: 60_000 },
      (error, _, stderr) => (error === null ? resolve() : reject(new Error(stderr, { cause: error }))),
    );
    child.stdin?.end(code);
  });
}
