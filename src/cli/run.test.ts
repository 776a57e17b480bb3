/** What `run` promises its callers, for all commands. Other files test what the commands do. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { collect, runCli, type CliRun } from "../../test/support/run-cli.ts";
import type { Environment, OutputStream } from "./command-io.ts";
import { run } from "./run.ts";

const MESSAGES = JSON.stringify([
  { role: "user", content: "Hello" },
  { role: "assistant", content: "Hello" },
  { role: "user", content: "x".repeat(400) },
]);

const directory = mkdtempSync(join(tmpdir(), "palimpsest-run-"));
after(() => rmSync(directory, { recursive: true }));

// Ends with the assistant, which is refused as a request.
writeFileSync(join(directory, "answered.json"), JSON.stringify([{ role: "user", content: "Hello" }, { role: "assistant", content: "Hello" }])); // prettier-ignore

const inFolder = (...args: readonly string[]): Promise<CliRun> => runCli(args, { cwd: directory });

/** A run whose standard output is this stream. */
async function runInto(stdout: OutputStream, args: readonly string[], env: Environment = {}): Promise<{ readonly code: number; readonly err: string }> {
  const stderr = collect();
  const code = await run(args, { stdin: Readable.from([]), stdout, stderr: stderr.stream, env, cwd: directory });
  return { code, err: stderr.text() };
}

describe("paths begin at cwd, and are named as they were given", () => {
  before(() => {
    writeFileSync(join(directory, "in.json"), MESSAGES);
    mkdirSync(join(directory, "folder/inner"), { recursive: true });
    symlinkSync("folder/inner", join(directory, "link"));
    writeFileSync(join(directory, "folder/behind-the-link.json"), MESSAGES);
  });

  test("what is read and written", async () => {
    const replayed = await inFolder("replay", "in.json", "--policy", "none", "--views", "views.jsonl", "--json", "./measures.json");
    const compacted = await inFolder("compact", "in.json", "--budget", "1", "-o", "folder/../out.json");
    const imported = await inFolder("import", "in.json", "--store", "sqlite:kept.db");
    assert.deepEqual([replayed, compacted, imported].map(({ code, err }) => [code, err]), [[0, ""], [0, ""], [0, ""]]); // prettier-ignore
    for (const name of ["views.jsonl", "measures.json", "out.json", "kept.db"]) assert.ok(existsSync(join(directory, name)), name);
    assert.match(compacted.out, /folder\/\.\.\/out\.json/);
    assert.match(imported.out, /imported into sqlite:kept\.db\n/);
    assert.deepEqual(readdirSync(directory).filter((name) => name.endsWith(".tmp")), []); // prettier-ignore
  });

  test("the .. of a link is the folder that it leads to", async () => {
    assert.equal((await inFolder("check", "--history", "link/../behind-the-link.json")).code, 0);
  });

  test("what is read cannot be written, however it is spelt", async () => {
    const { code, err } = await inFolder("replay", "in.json", "--policy", "none", "--json", "folder/../in.json");
    assert.match(err, /^palimpsest: folder\/\.\.\/in\.json is an input, so it cannot be written to\./);
    assert.deepEqual([code, readFileSync(join(directory, "in.json"), "utf8")], [2, MESSAGES]);
  });

  for (const [name, args, line] of [
    ["a file that is not there", ["check", "folder/none.json"], /Cannot read folder\/none\.json: there is no such file/],
    ["a file with a slash behind it", ["check", "in.json/"], /Cannot read in\.json\/: there is no such file/],
    ["no name at all", ["check", ""], /Cannot read : there is no such file/],
    ["a folder that is not there", ["compact", "in.json", "--budget", "1", "-o", "none/"], /Cannot write none\/: there is no such folder/],
    ["a folder to write to", ["compact", "in.json", "--budget", "1", "-o", "folder"], /Cannot write folder: it is a folder/],
    ["a store that is not there", ["log", "--store", "sqlite:none.db"], /There is no store at none\.db\./],
    ["a store that is none", ["log", "--store", "sqlite:in.json"], /sqlite:in\.json[^/]*the file is not an SQLite database/],
  ] as const) {
    test(`${name} is named`, async () => {
      const { code, out, err } = await inFolder(...args);
      assert.match(err, line);
      assert.ok(!err.includes(directory), err);
      assert.deepEqual([code, out], [2, ""]);
    });
  }
});

describe("standard output", () => {
  const failing = (code: string): OutputStream =>
    new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error(`${code}: write`), { code, syscall: "write" }));
      },
    });

  test("all is written when the run ends, however slow the reader is", async () => {
    const chunks: Buffer[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        void sleep(2).then(() => {
          chunks.push(chunk);
          done();
        });
      },
    });
    assert.deepEqual(await runInto(slow, ["demo"]), { code: 0, err: "" });
    assert.equal(Buffer.concat(chunks).toString(), (await runCli(["demo"])).out);
  });

  test("a reader that has gone stops no work, and is no failure", async () => {
    const store = ["--store", "sqlite:gone.db"];
    assert.equal((await runCli(["import", "-", "--thread", "t", ...store], { input: MESSAGES, cwd: directory })).code, 0);
    assert.deepEqual(await runInto(failing("EPIPE"), ["forget", "t", "--yes", ...store]), { code: 0, err: "" });
    assert.match((await inFolder("threads", ...store)).out, /: 0 threads\n$/);
    assert.deepEqual(await runInto(failing("EPIPE"), ["verify", ...store]), { code: 0, err: "" });
  });

  test("a reader that has gone hides no finding", async () => {
    assert.deepEqual(await runInto(failing("EPIPE"), ["check", "answered.json"]), { code: 1, err: "" });
  });

  test("a full disk is said in one line", async () => {
    const { code, err } = await runInto(failing("ENOSPC"), ["demo"]);
    assert.deepEqual([code, err], [2, "palimpsest: Cannot write to standard output: there is no space left. Send it somewhere else.\n"]);
  });

  test("no listener stays behind", async () => {
    const { stream } = collect();
    await runInto(stream, ["--version"]);
    assert.equal(stream.listenerCount("error"), 0);
  });
});

describe("a terminal", () => {
  /** As much of one as is looked at. */
  const terminal = (columns: number): ReturnType<typeof collect> =>
    collect({ isTTY: true, columns, hasColors: (env) => env !== undefined && !("NO_COLOR" in env) });

  for (const [name, env, colored] of [
    ["has colours", { TERM: "xterm" }, true],
    ["has none where the environment says so", { NO_COLOR: "1" }, false],
  ] as const) {
    test(name, async () => {
      const { stream, text } = terminal(100);
      assert.deepEqual(await runInto(stream, ["demo"], env), { code: 0, err: "" });
      assert.equal(text().includes("\u001b[1m"), colored);
    });
  }

  for (const columns of [60, 100]) {
    test(`of ${columns} columns: help and tables fit it`, async () => {
      const [help, table] = [terminal(columns), terminal(columns)];
      await runInto(help.stream, ["check", "--help"], { NO_COLOR: "1" });
      await runInto(table.stream, ["check", "answered.json"], { NO_COLOR: "1" });
      const [options = ""] = help.text().split("Examples:");
      const [rows = ""] = table.text().split("\n\n");
      for (const text of [options, rows]) {
        const widest = Math.max(...text.split("\n").map(({ length }) => length));
        assert.ok(widest <= columns && widest > columns - 20, `${widest}`);
      }
    });
  }
});

describe("the environment", () => {
  test("an address in it is not printed by --help", async () => {
    const { code, out } = await runCli(["log", "--help"], { env: { PALIMPSEST_STORE: "postgres://user:secret@host/db" } });
    assert.match(out, /\(default:\s+"sqlite:palimpsest\.db", env:\s+PALIMPSEST_STORE\)/);
    assert.deepEqual([code, out.includes("secret")], [0, false]);
  });

  test("that of the tests is not looked at", async () => {
    process.env["PALIMPSEST_STORE"] = "sqlite:of-the-process.db";
    try {
      assert.match((await inFolder("log")).err, /There is no store at palimpsest\.db\./);
    } finally {
      delete process.env["PALIMPSEST_STORE"];
    }
  });
});

test("--debug without a command is help, too", async () => {
  assert.deepEqual(await runCli(["--debug"]), await runCli(["--help"]));
});

test("what others set as the exit code of the process is none of a run's", async () => {
  const before = process.exitCode;
  process.exitCode = 3;
  try {
    const help = await runCli(["help", "check"]);
    assert.deepEqual([help.code, help.err, process.exitCode], [0, "", 3]);
  } finally {
    process.exitCode = before;
  }
});
