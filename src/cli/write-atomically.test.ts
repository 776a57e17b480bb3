/** No command replaces an existing file by accident. */
import assert from "node:assert/strict";
import { chmodSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { runCli, type CliRun } from "../../test/support/run-cli.ts";
import { createContext } from "./command-context.ts";
import { collect } from "../../test/support/run-cli.ts";
import { Readable } from "node:stream";
import { openOutput } from "./write-atomically.ts";

const directory = mkdtempSync(join(tmpdir(), "palimpsest-outputs-"));
after(() => rmSync(directory, { recursive: true }));

const at = (name: string): string => join(directory, name);
const read = (name: string): string => readFileSync(at(name), "utf8");
const run = (...args: readonly string[]): Promise<CliRun> => runCli(args, { cwd: directory });

const MESSAGES = JSON.stringify([
  { role: "user", content: "Say something." },
  { role: "assistant", content: [{ type: "tool_use", id: "1", name: "say", input: {} }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "words ".repeat(100) }] },
  { role: "assistant", content: "Said." },
  { role: "user", content: "Thanks." },
]);
const COMPACT = ["compact", "in.json", "--max-result-tokens", "5"];
const REPLAY = ["replay", "in.json", "--policy", "none"];
const EXPORT = ["export", "--store", "sqlite:kept.db"];

/** Every option after which a command writes a file. */
const WRITERS: Readonly<Record<string, readonly string[]>> = {
  "compact -o": [...COMPACT, "-o"],
  "replay --views": [...REPLAY, "--views"],
  "replay --json": [...REPLAY, "--json"],
  "export -o": [...EXPORT, "-o"],
};

/** Other spellings of the path that is read. */
const SPELLINGS: Readonly<Record<string, string>> = {
  "its name": "in.json",
  "another path": "folder/../in.json",
  "its absolute path": at("in.json"),
  "a link to it": "link.json",
  "a hard link to it": "hard.json",
  "a path through a link to its folder": "here/in.json",
};

before(async () => {
  writeFileSync(at("in.json"), MESSAGES);
  mkdirSync(at("folder"));
  symlinkSync("in.json", at("link.json"));
  linkSync(at("in.json"), at("hard.json"));
  symlinkSync(".", at("here"));
  assert.equal((await run("import", "in.json", "--store", "sqlite:kept.db")).code, 0);
});

function refused({ code, out, err }: CliRun, line: RegExp): void {
  assert.match(err.trimEnd(), line);
  assert.deepEqual([code, out, err.trimEnd().split("\n").length], [2, "", 1]);
}

describe("a file that is there is not replaced without a word", () => {
  for (const [name, args] of Object.entries(WRITERS)) {
    const option = args.at(-1) ?? "";
    const file = `there${option}-${args[0]}.json`;

    test(`${name} refuses it, and --force replaces it`, async () => {
      writeFileSync(at(file), "before");
      refused(await run(...args, file), new RegExp(`^palimpsest: ${file} already exists\\. Give another path after ${option}, or --force to replace it\\.$`));
      assert.equal(read(file), "before");
      const forced = await run(...args, file, "--force");
      assert.deepEqual([forced.code, forced.err], [0, ""]);
      assert.notEqual(read(file), "before");
      assert.deepEqual(readdirSync(directory).filter((each) => each.endsWith(".tmp")), []); // prettier-ignore
    });

    test(`${name} refuses a link that leads nowhere`, async () => {
      const link = `nowhere${option}-${args[0]}.json`;
      symlinkSync("gone.json", at(link));
      refused(await run(...args, link), / already exists\./);
      assert.ok(lstatSync(at(link)).isSymbolicLink());
    });

    test(`${name} writes to a device instead of replacing it`, async () => {
      assert.equal((await run(...args, "/dev/null")).code, 0);
      assert.ok(statSync("/dev/null").isCharacterDevice());
    });
  }

  for (const [name, path] of Object.entries(SPELLINGS)) {
    test(`what is read is not written to, given as ${name}`, async () => {
      refused(await run(...COMPACT, "-o", path), / is the input file\. Give another path after -o, or --force to replace it\.$/);
      for (const option of ["--views", "--json"])
        for (const force of [[], ["--force"]])
          refused(
            await run(...REPLAY, option, path, ...force),
            new RegExp(` is an input, so it cannot be written to\\. Give another path after ${option}\\.$`),
          );
      assert.equal(read("in.json"), MESSAGES);
      assert.equal(read("hard.json"), MESSAGES);
    });
  }

  test("compact --force in place leaves a smaller file", async () => {
    writeFileSync(at("own.json"), MESSAGES);
    assert.equal((await run("compact", "own.json", "--max-result-tokens", "5", "-o", "./own.json", "--force")).code, 0);
    assert.ok(read("own.json").length < MESSAGES.length);
  });

  test("a store is never replaced by what is exported from it", async () => {
    const before = readFileSync(at("kept.db"));
    refused(await run(...EXPORT, "-o", "here/kept.db", "--force"), /kept\.db is an input, so it cannot be written to\./);
    assert.ok(readFileSync(at("kept.db")).equals(before));
  });

  test("views and measures of one run do not replace each other", async () => {
    refused(
      await run(...REPLAY, "--views", "both.json", "--json", "./both.json", "--force"),
      /both\.json is written by --views\. Give another path after --json\.$/,
    );
    assert.ok(!readdirSync(directory).includes("both.json"));
  });

  test("--force goes through a link and leaves the mode of the file", async () => {
    writeFileSync(at("private.json"), "before", { mode: 0o600 });
    chmodSync(at("private.json"), 0o600);
    symlinkSync("private.json", at("to-private.json"));
    assert.equal((await run(...COMPACT, "-o", "to-private.json", "--force")).code, 0);
    assert.ok(lstatSync(at("to-private.json")).isSymbolicLink());
    assert.deepEqual([statSync(at("private.json")).mode & 0o777, read("private.json") === "before"], [0o600, false]);
  });

  test("a file that another process makes in the meantime stays", async () => {
    const { stream } = collect();
    const context = createContext({ stdin: Readable.from([]), stdout: stream, stderr: stream, env: {}, cwd: directory }, () => undefined);
    const output = await openOutput(context, "late.json", { option: "-o", force: false });
    writeFileSync(at("late.json"), "theirs");
    await assert.rejects(output.write("ours"), /late\.json already exists\./);
    assert.equal(read("late.json"), "theirs");
    assert.deepEqual(readdirSync(directory).filter((each) => each.endsWith(".tmp")), []); // prettier-ignore
  });
});
