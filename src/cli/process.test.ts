/** Tests that need a real process: exit codes, pipes, signals and a terminal. Everything else is tested through `run`. */
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runCli } from "../../test/support/run-cli.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

const directory = mkdtempSync(join(tmpdir(), "palimpsest-process-"));
after(() => rmSync(directory, { recursive: true }));

function file(name: string, messages: number, words = ""): string {
  const path = join(directory, name);
  const all = Array.from({ length: messages }, (_, number) => ({ role: number % 2 === 0 ? "user" : "assistant", content: `${number} ${words}` }));
  writeFileSync(path, JSON.stringify(all));
  return path;
}

const { PALIMPSEST_STORE: _, ...environment } = process.env;

function start(args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, args, { cwd: directory, env: environment });
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<number | string | null> {
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  return code ?? signal;
}

/** More than any pipe holds. */
const LARGE = file("large.json", 2_001, "word ".repeat(400));

describe("the process", { concurrency: 2, timeout: 120_000 }, () => {
  for (const [code, args, input] of [
    [0, ["check", "-"], '[{"role":"user","content":"Hello"}]'],
    [1, ["check", "-"], '[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hello"}]'],
    [2, ["check", "-"], "no JSON"],
  ] as const) {
    test(`${args.join(" ")} ends with ${code}, and says what run says`, async () => {
      const child = start([MAIN, ...args]);
      child.stdin.end(input);
      const [out, err, ending] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)]);
      const expected = await runCli(args, { input, cwd: directory });
      assert.deepEqual({ code: ending, out, err }, expected);
      assert.equal(ending, code);
    });
  }

  test("a large result reaches a slow reader whole", async () => {
    const child = start([MAIN, "compact", LARGE, "--max-result-tokens", "9"]);
    const chunks: Buffer[] = [];
    // Reads far more slowly than the command writes.
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      child.stdout.pause();
      setTimeout(() => child.stdout.resume(), 10);
    });
    assert.equal(await ended(child), 0);
    assert.ok(Buffer.concat(chunks).equals(readFileSync(LARGE)));
  });

  test("a reader that has seen enough is no failure", async () => {
    const child = start([MAIN, "compact", LARGE, "--max-result-tokens", "9", "--json"]);
    child.stdout.once("data", () => child.stdout.destroy());
    const [err, ending] = await Promise.all([text(child.stderr), ended(child)]);
    assert.equal(ending, 0);
    assert.equal((JSON.parse(err) as { readonly format: string }).format, "anthropic");
  });

  test("on an older Node it says which one is needed", async () => {
    const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
    const child = start(["--import", `data:text/javascript,${encodeURIComponent(old)}`, MAIN, "--version"]);
    const [out, err, ending] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)]);
    assert.deepEqual([ending, out], [2, ""]);
    assert.match(err, /^palimpsest: Node \d+\.\d+ or newer is needed, but this is Node 20\.20\.2 \(.+\)\. See \S+\n$/);
  });
});

describe("a signal", { concurrency: 2, timeout: 120_000 }, () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    test(`${signal} ends an import with ${code}, and leaves nothing of its thread`, async () => {
      const path = join(directory, `${signal}.db`);
      const child = start([MAIN, "import", file(`${signal}.json`, 60_000), "--store", `sqlite:${path}`]);
      const ending = Promise.all([ended(child), text(child.stderr)]);
      while (child.exitCode === null && commitsIn(path) === 0) await sleep(5);
      child.kill(signal);
      const [found, err] = await ending;
      assert.match(err, /^palimpsest: Interrupted: the thread that was being written was removed again\. Import it again\.\n$/);
      assert.equal(found, code);
      assert.equal(commitsIn(path), 0);
    });
  }

  test("ends any other command at once", async () => {
    const child = start([MAIN, "check", "-"]);
    const ending = ended(child);
    // By then it waits for input or is still loading: either may end at once.
    await sleep(100);
    child.kill("SIGTERM");
    assert.equal(await ending, "SIGTERM");
  });
});

/** 0: the store does not exist yet. */
function commitsIn(path: string): number {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      return Number(database.prepare("SELECT count(*) AS count FROM palimpsest_commits").get()?.["count"]);
    } finally {
      database.close();
    }
  } catch {
    return 0;
  }
}

/** The `script` of util-linux runs a command in a terminal of its own; on other systems it takes other options. */
const hasScript = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");

describe("a terminal", { skip: hasScript ? false : "there is no script of util-linux", concurrency: 2, timeout: 120_000 }, () => {
  const QUESTION = "[y/N]";

  async function inTerminal(columns: number, args: readonly string[], keys = ""): Promise<{ readonly code: number | string | null; readonly shown: string }> {
    const quoted = [process.execPath, MAIN, ...args].map((arg) => `'${arg}'`).join(" ");
    const child = spawn("script", ["--quiet", "--return", "--command", `stty cols ${columns}; exec ${quoted}`, "/dev/null"], {
      cwd: directory,
      // Node shows no colours where CI is set.
      env: { ...environment, TERM: "xterm-256color", CI: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined },
    });
    let shown = "";
    child.stdout.on("data", (chunk: Buffer) => {
      const wasAsked = shown.includes(QUESTION);
      shown += chunk.toString();
      if (!wasAsked && shown.includes(QUESTION)) child.stdin.write(keys);
    });
    const code = await ended(child);
    return { code, shown: shown.replaceAll("\r\n", "\n") };
  }

  test("gets colours, and help as wide as it is", async () => {
    const [demo, help] = await Promise.all([inTerminal(100, ["demo"]), inTerminal(60, ["check", "--help"])]);
    assert.deepEqual([demo.code, demo.shown.includes("\u001b[1m")], [0, true]);
    assert.ok(
      (help.shown.split("Examples:")[0] ?? "").split("\n").every(({ length }) => length <= 60),
      help.shown,
    );
  });

  for (const [name, keys, code, said, left] of [
    ["y", "y\r", 0, /\nDeleted\.\n$/, 0],
    ["n", "n\r", 2, /\npalimpsest: Nothing was deleted\. Answer y to delete\.\n$/, 2],
    ["Ctrl-C", "\u0003", 130, /\npalimpsest: Nothing was deleted\. Answer y to delete\.\n$/, 2],
    ["Ctrl-D", "\u0004", 2, /\npalimpsest: Nothing was deleted\. Answer y to delete\.\n$/, 2],
  ] as const) {
    test(`is asked before a thread is deleted: ${name}`, async () => {
      const store = join(directory, `${name}.db`);
      await runCli(["import", file(`${name}.json`, 2), "--thread", "t", "--store", `sqlite:${store}`]);
      const asked = await inTerminal(100, ["forget", "t", "--store", `sqlite:${store}`], keys);
      assert.match(asked.shown, said);
      assert.deepEqual([asked.code, commitsIn(store)], [code, left]);
    });
  }
});
