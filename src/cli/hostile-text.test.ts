/** Text of files and stores cannot steer the terminal, whichever command prints it. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, describe, mock, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { unzipSync, zipSync } from "fflate";
import { use } from "../../test/support/build.ts";
import { collect } from "../../test/support/run-cli.ts";
import { isRecord } from "../errors/is-record.ts";
import { openHistory } from "../history/index.ts";
import { run } from "./run.ts";

/** A title, a cleared screen, colour, an overwritten line, C1 controls, line separators, text with reversed direction. */
const HOSTILE = "\u001b]0;owned\u0007\u001b[2J\u001b[31mred\rover\u009b31m\u0085\u0000\u2028\u2029\u202egpj.exe\u2066";
/** Everything but line breaks and tabs. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** The escape sequences of our own styles and progress. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const OUR_STYLES = /\u001b\[(?:1|2|22|31|39)m|\r\u001b\[K/g;

const FIXTURES = fileURLToPath(new URL("../../test/fixtures/transcripts/", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "palimpsest-hostile-"));
after(() => rmSync(directory, { recursive: true }));

// A library warning would bypass the terminal.
const warn = mock.method(console, "warn", () => undefined);
after(() => assert.equal(warn.mock.callCount(), 0, "console.warn"));

interface Shown {
  readonly code: number;
  readonly shown: string;
}

/** Returns the output on a terminal with colours, without our own styles. */
async function onTerminal(args: readonly string[], input = ""): Promise<Shown> {
  const screen = { isTTY: true, columns: 100, hasColors: () => true };
  const [stdout, stderr] = [collect(screen), collect(screen)];
  const code = await run(args, { stdin: Readable.from([Buffer.from(input)]), stdout: stdout.stream, stderr: stderr.stream, env: {}, cwd: directory });
  return { code, shown: `${stdout.text()}${stderr.text()}`.replaceAll(OUR_STYLES, "") };
}

async function inPipe(args: readonly string[]): Promise<Shown> {
  const [stdout, stderr] = [collect(), collect()];
  const code = await run(args, { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream, env: {}, cwd: directory });
  return { code, shown: stdout.text() + stderr.text() };
}

function assertTame({ shown }: Shown, what: string): void {
  const at = shown.search(STEERING);
  assert.equal(at, -1, `${what} prints ${JSON.stringify(shown.slice(Math.max(0, at - 60), at + 20))}`);
}

/** Keeps the fields that tell a record's kind; appends something hostile to everything else, ids and names too. */
const KEPT_KEYS = new Set(["type", "role", "kind", "event", "status", "state", "action", "observation", "arguments", "source", "timestamp", "version"]);

function hostile(value: unknown, key = ""): unknown {
  if (typeof value === "string") return KEPT_KEYS.has(key) ? value : `${value}${HOSTILE}`;
  if (Array.isArray(value)) return value.map((item) => hostile(item, key));
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hostile(inner, name)])) : value;
}

function hostileText(text: string, name: string): string {
  const lines = name.includes(".jsonl") ? text.split("\n") : [text];
  const written = lines.map((line) => {
    try {
      return JSON.stringify(hostile(JSON.parse(line)));
    } catch {
      // The error about a damaged line quotes it.
      return line === "" ? line : `${HOSTILE}${line}`;
    }
  });
  return written.join("\n");
}

/** Packed files stay packed, and their own names and those of the files inside are hostile too. */
function hostileBytes(bytes: Buffer, name: string): Uint8Array {
  if (name.endsWith(".eval")) return hostileArchive(bytes);
  if (name.endsWith(".gz")) return namedGzip(hostileText(gunzipSync(bytes).toString("utf8"), name));
  return Buffer.from(hostileText(bytes.toString("utf8"), name));
}

/** With a damaged sample, whose name the error quotes. */
function hostileArchive(bytes: Buffer): Uint8Array {
  const files = Object.entries(unzipSync(bytes)).map(([name, content]): [string, Uint8Array] => [
    name.replace(".json", `${HOSTILE}.json`),
    Buffer.from(hostileText(Buffer.from(content).toString("utf8"), name)),
  ]);
  return zipSync({ ...Object.fromEntries(files), [`samples/damaged${HOSTILE}.json`]: Buffer.from(`{${HOSTILE}`) });
}

function namedGzip(text: string): Buffer {
  const HEADER_BYTES = 10;
  const HAS_NAME = 0x08;
  const packed = gzipSync(text);
  packed[3] = HAS_NAME;
  return Buffer.concat([packed.subarray(0, HEADER_BYTES), Buffer.from(`${HOSTILE.replaceAll("\u0000", "")}\u0000`), packed.subarray(HEADER_BYTES)]);
}

function hostileFile(name: string): string {
  const path = join(directory, `${name}${HOSTILE.replaceAll("\u0000", "")}`);
  writeFileSync(path, hostileBytes(readFileSync(join(FIXTURES, name)), name));
  return path;
}

describe("files", () => {
  const files = readdirSync(FIXTURES).filter((name) => name !== "expected.json");
  let read = 0;

  for (const name of files) {
    test(name, async () => {
      const path = hostileFile(name);
      const stepsOf = (output: readonly string[]): readonly string[] => ["compact", path, "--max-result-tokens", "30", ...output];
      const commands = [
        ["inspect", path],
        ["check", path],
        ["replay", path, "--policy", "balanced"],
        ["import", path, "--store", `sqlite:${name}.db`],
      ];
      for (const args of commands) {
        const shown = await onTerminal(args);
        assertTame(shown, args[0] ?? "");
        if (args[0] === "inspect" && shown.code === 0) read++;
        assertTame(await onTerminal([...args, "--debug", "--nope"]), `${args[0]} with a wrong option`);
        if (args[0] !== "import") assertTame(await inPipe([...args, "--json"]), `${args[0]} --json`);
      }
      assertTame(await onTerminal(stepsOf([])), "compact");
      assertTame(await onTerminal(stepsOf(["-o", `out-${name}-${HOSTILE.replaceAll("\u0000", "")}`])), "compact -o");
      assertTame(await inPipe(stepsOf(["-o", `json-${name}`, "--json"])), "compact -o --json");
      for (const wrong of [["--trajectory", "none"], ["--model", HOSTILE], ["--format", HOSTILE]]) assertTame(await onTerminal(["inspect", path, ...wrong, "--debug"]), `inspect ${wrong[0]}`); // prettier-ignore
      assertTame(await onTerminal(["log", "--store", `sqlite:${name}.db`, "--all"]), "log");
    });
  }

  test("what is damaged inside an archive is named, and says nothing to the terminal", async () => {
    const shown = await onTerminal(["check", hostileFile("inspect.eval")]);
    assert.match(shown.shown, /samples\/damaged/);
    assertTame(shown, "check");
  });

  test("most of them were read", () => assert.ok(read >= files.length - 3, `${read} of ${files.length}`));

  test("a file that is none, and one that is not there", async () => {
    writeFileSync(join(directory, "none.json"), JSON.stringify({ [HOSTILE]: HOSTILE }));
    for (const args of [["check", "none.json"], ["inspect", `${HOSTILE.replaceAll("\u0000", "")}.json`], ["compact", "-", "--budget", "1"], [HOSTILE], ["check", `--${HOSTILE}`]])
      for (const more of [[], ["--debug"]]) assertTame(await onTerminal([...args, ...more], HOSTILE), args.join(" ")); // prettier-ignore
  });
});

describe("stores", () => {
  const STORE = `sqlite:${join(directory, "hostile.db")}`;
  const thread = `thread${HOSTILE.replaceAll("\u0000", "")}`;
  let hashes: readonly string[] = [];

  before(async () => {
    const history = await openHistory({ store: STORE, thread });
    const asked = await history.user(HOSTILE);
    await history.assistant([use("c1", `grep${HOSTILE}`, { [HOSTILE]: HOSTILE, text: `${HOSTILE}\n${HOSTILE}` })]);
    const result = await history.toolResult("c1", `grep${HOSTILE}`, `${HOSTILE}\n`.repeat(20), { isError: false });
    const answer = await history.assistant([
      { type: "thinking", thinking: HOSTILE, signature: HOSTILE },
      { type: "text", text: HOSTILE },
      { type: `odd${HOSTILE}` },
    ]);
    const edit = await history.toolResult("c1", `grep${HOSTILE}`, HOSTILE, { edit: result, reason: HOSTILE });
    await history.branch(`branch${HOSTILE.replaceAll("\u0000", "")}`, { at: answer });
    hashes = [asked, result, answer, edit].map(({ hash }) => hash);
    await history.close();
    const other = await openHistory({ store: STORE, thread: `${thread}2` });
    await other.user("q");
    await other.close();
  });

  test("every command", async () => {
    const of = ["--store", STORE, "--thread", thread];
    const [asked = "", result = "", answer = ""] = hashes;
    const commands: readonly (readonly string[])[] = [
      ["threads", "--store", STORE],
      ["threads", "--store", STORE, "--limit", "1"],
      ["branches", ...of],
      ["log", ...of, "--all"],
      ["log", "--store", STORE],
      ["log", ...of, "--branch", HOSTILE],
      ["log", "--store", STORE, "--thread", HOSTILE],
      ...hashes.map((hash) => ["show", hash, ...of]),
      ["show", HOSTILE, ...of],
      ["show", "--view", answer, ...of],
      ["find", "--results", ...of],
      ["find", "--calls", ...of],
      ["find", "--turns", ...of],
      ["find", "--text", "owned", ...of],
      ["find", "--tool", HOSTILE, ...of],
      ["diff", asked, answer, ...of],
      ["diff", result, "--full", ...of],
      ["export", ...of],
      ["export", ...of, "-o", `export-${HOSTILE.replaceAll("\u0000", "")}`],
      ["verify", "--store", STORE],
      ["undo", HOSTILE, ...of],
      ["undo", hashes[3] ?? "", "--reason", HOSTILE, ...of],
      ["import", "-", "--store", STORE],
      ["retain", "--older-than", "0h", "--store", STORE],
      ["forget", thread, "--store", STORE],
      ["forget", HOSTILE, "--yes", "--store", STORE],
      ["forget", thread, "--yes", "--store", STORE],
    ];
    for (const args of commands) {
      // Commands that ask before they delete would wait for an answer.
      const asks = ["retain", "forget"].includes(args[0] ?? "");
      assertTame(asks ? await inPipe(args) : await onTerminal(args), args.slice(0, 2).join(" "));
      if (args[0] !== "undo" && !asks && !args.includes("-o") && args[0] !== "export") assertTame(await inPipe([...args, "--json"]), `${args[0]} --json`);
    }
  });
});
