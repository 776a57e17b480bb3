/** The commands on transcripts: exit codes, streams and files are part of what they promise. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { refusesEach, runCli, type CliRun } from "../../test/support/run-cli.ts";

const FIXTURES = fileURLToPath(new URL("../../test/fixtures/transcripts/", import.meta.url));

/** JSONL with a damaged line and a call that was aborted, one JSON document, and a ZIP archive of two samples. */
const LINES = join(FIXTURES, "pi.jsonl");
const DOCUMENT = join(FIXTURES, "anthropic.json");
const ARCHIVE = join(FIXTURES, "inspect.eval");
const DAMAGED_LINE = 38;

function run(args: readonly string[], input: string | Uint8Array = ""): Promise<CliRun> {
  return runCli(args, { input });
}

const directory = mkdtempSync(join(tmpdir(), "palimpsest-transcripts-"));
after(() => rmSync(directory, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** The fields of `--json` that are checked here. */
interface Data {
  readonly format: string;
  readonly messages: number;
  readonly rules: string;
  readonly findings: readonly { readonly trajectory: string; readonly rule: string; readonly path: string; readonly message: string }[];
  readonly trajectories: readonly { readonly id: string; readonly messages: number; readonly tokens: number; tokensBefore: number; tokensAfter: number }[];
  readonly damaged: readonly { readonly line: number }[];
}

function dataOf({ out }: CliRun): Data {
  return JSON.parse(out) as Data;
}

const READ: readonly (readonly [path: string, format: string, rules: string, trajectories: readonly string[], damaged: readonly number[]])[] = [
  [LINES, "pi", "anthropic", ["b1000000-0000-4000-8000-000000000000"], [DAMAGED_LINE]],
  [DOCUMENT, "anthropic", "anthropic", ["request"], []],
  [ARCHIVE, "inspect", "openai-chat", ["ranges/1", "2/1"], []],
];

describe("reading", { concurrency: 2 }, () => {
  for (const [path, format, rules, ids, damaged] of READ) {
    test(`inspect and check agree about ${format}`, async () => {
      const [inspected, checked] = await Promise.all([run(["inspect", path, "--json"]), run(["check", path, "--json"])]);
      assert.deepEqual([inspected.code, inspected.err, checked.err], [0, "", ""]);
      for (const data of [dataOf(inspected), dataOf(checked)]) {
        assert.equal(data.format, format);
        assert.deepEqual(data.trajectories.map(({ id }) => id), ids); // prettier-ignore
        assert.deepEqual(data.damaged.map(({ line }) => line), damaged); // prettier-ignore
      }
      assert.ok(dataOf(inspected).trajectories.every(({ messages, tokens }) => messages > 0 && tokens > 0));
      const data = dataOf(checked);
      assert.deepEqual(Object.keys(data), ["format", "rules", "messages", "findings", "trajectories", "damaged"]);
      assert.equal(data.rules, rules);
      assert.equal(data.messages, data.trajectories.reduce((sum, { messages }) => sum + messages, 0)); // prettier-ignore
      assert.equal(checked.code, data.findings.length === 0 ? 0 : 1);
      assert.deepEqual(
        data.findings.map(({ message, ...finding }) => ({ ...finding, names: message.includes("toolu_aborted") })),
        format === "pi" ? [{ trajectory: ids[0], rule: "A2.1", path: "messages.21.content.0", names: true }] : [],
      );
    });
  }

  test("people are told of a damaged line, and read on", async () => {
    const runs = await Promise.all([run(["inspect", LINES]), run(["check", LINES]), run(["compact", LINES, "--collapse-after", "4"])]);
    assert.deepEqual(runs.map(({ code }) => code), [0, 1, 0]); // prettier-ignore
    const said = new RegExp(`^Line ${DAMAGED_LINE} could not be read and was left out: it ends before its JSON is complete\\n`);
    // The result of `compact` is on standard output.
    const [inspected, checked, compacted] = runs.map(({ out, err }, number) => (number === 2 ? err : out));
    for (const text of [inspected, checked, compacted]) assert.match(text ?? "", said);
  });

  test("- is standard input, text or not", async () => {
    const runs = await Promise.all([
      run(["inspect", "-", "--json", "--trajectory", "2/1"], readFileSync(ARCHIVE)),
      run(["check", "-", "--json"], readFileSync(join(FIXTURES, "codex.jsonl.gz"))),
    ]);
    assert.deepEqual(
      runs.map((each) => [each.code, dataOf(each).format, dataOf(each).trajectories.length]),
      [
        [0, "inspect", 1],
        [0, "codex", 1],
      ],
    );
  });
});

describe("compact", { concurrency: 2 }, () => {
  const STEPS = ["--max-result-tokens", "30", "--collapse-after", "6"];

  for (const [path, format] of READ) {
    test(`-o writes ${format} as ${format}, whole, and says what changed`, async () => {
      const folder = join(directory, `out-${format}`);
      mkdirSync(folder);
      const output = join(folder, "output");
      writeFileSync(output, "before");
      const before = readFileSync(path);
      const { code, out, err } = await run(["compact", path, ...STEPS, "-o", output, "--force", "--json"]);
      assert.deepEqual([code, err, readdirSync(folder)], [0, "", ["output"]]);
      assert.ok(readFileSync(path).equals(before), "what is read is never changed");
      const said = JSON.parse(out) as Data;
      assert.equal(said.format, format);
      assert.ok(said.trajectories.some(({ tokensBefore, tokensAfter }) => tokensAfter < tokensBefore));
      const again = await run(["inspect", output, "--json"]);
      assert.deepEqual([again.code, dataOf(again).format, dataOf(again).damaged], [0, format, []]);
      assert.deepEqual(dataOf(again).trajectories.map(({ id }) => id), said.trajectories.map(({ id }) => id)); // prettier-ignore
    });
  }

  test("without -o the result is all that standard output has, and - is read", async () => {
    const { code, out, err } = await run(["compact", "-", "--strategy", "sliding-window", "--max-turns", "3", "--json"], readFileSync(DOCUMENT));
    const body = JSON.parse(out) as { readonly messages: readonly unknown[]; readonly model: string };
    assert.equal(code, 0);
    assert.ok(body.messages.length < (JSON.parse(readFileSync(DOCUMENT, "utf8")) as typeof body).messages.length);
    assert.equal((JSON.parse(err) as Data).format, "anthropic");
  });

  for (const policy of ["tight", '{"preset":"tight","budget":2000}', '["tight",{"prune":{"strategy":"sliding-window","maxTurns":4}}]'])
    test(`a policy shortens, and names no handle that nobody serves: ${policy}`, async () => {
      const { code, out, err } = await run(
        ["compact", "-", "--policy", policy, "--json"],
        readFileSync(new URL("../../assets/trajectory.json", import.meta.url)),
      );
      const size = (dataOf({ code, out: err, err: "" }).trajectories[0] ?? {}) as { readonly tokensBefore?: number; readonly tokensAfter?: number };
      assert.equal(code, 0);
      assert.ok((size.tokensAfter ?? 0) < (size.tokensBefore ?? 0), JSON.stringify(size));
      assert.doesNotMatch(out, /recall handle/);
    });

  test("a name that ends in .gz is gzipped", async () => {
    const output = join(directory, "smaller.jsonl.gz");
    const { code } = await run(["compact", LINES, ...STEPS, "-o", output]);
    assert.equal(code, 0);
    assert.ok(gunzipSync(readFileSync(output)).toString().startsWith('{"type":"session"'));
  });
});

describe("what cannot be done is said in one line, with nothing on standard output and exit code 2", { concurrency: 2 }, () => {
  const missing = join(directory, "nowhere", "file.json");
  const half = file("half.json", readFileSync(DOCUMENT).subarray(0, 3000));
  const garbage = file(
    "garbage.bin",
    Uint8Array.from({ length: 2000 }, (_, number) => (number * 7919) % 256),
  );
  const halfArchive = file("half.eval", readFileSync(ARCHIVE).subarray(0, 3000));
  const halfGzip = file("half.jsonl.gz", readFileSync(join(FIXTURES, "codex.jsonl.gz")).subarray(0, 3000));
  const other = file("other.json", '{"prompt": "Hello"}');

  const REFUSED: Readonly<Record<string, readonly [args: readonly string[], line: RegExp]>> = {
    "another format than the given one": [
      ["inspect", DOCUMENT, "--format", "codex"],
      /anthropic\.json, the document: expected the format codex, found anthropic \(/,
    ],
    "another format of lines": [["compact", LINES, "--format", "codex", "--budget", "9"], /pi\.jsonl, line 1: expected the format codex, found pi \(/],
    "an unknown format": [["check", DOCUMENT, "--format", "nope"], /'nope' is invalid\. Allowed choices are claude-code, codex, .*\. See palimpsest --help\.$/],
    "a directory": [["inspect", directory], /^palimpsest: Cannot read \S+: it is a directory \(UNREADABLE\)/],
    "a missing file": [["compact", missing, "--budget", "9"], /^palimpsest: Cannot read \S+file\.json: there is no such file \(UNREADABLE\)/],
    "binary garbage": [["check", garbage], /garbage\.bin: it is binary, or text in an encoding other than UTF-8 \(UNREADABLE\)/],
    "truncated JSON": [["inspect", half], /half\.json: it ends before its JSON is complete \(line \d+\) \(UNREADABLE\)/],
    "a truncated archive": [["compact", halfArchive, "--budget", "9"], /half\.eval: the ZIP archive is damaged/],
    "truncated gzip": [["inspect", halfGzip], /half\.jsonl\.gz: the gzip data ends too early \(UNREADABLE\)/],
    "JSON that is no transcript": [["check", other], /other\.json: it is JSON, but not a transcript of a known format \(UNREADABLE\)/],
    "an unknown option": [["inspect", "--nope", LINES], /^palimpsest: Unknown option '--nope'\. See palimpsest --help\.$/],
    "an unknown trajectory": [["inspect", ARCHIVE, "--trajectory", "9"], /There is no trajectory 9 in the file; it has ranges\/1, 2\/1/],
    "nothing to do": [["compact", LINES], /^palimpsest: Nothing to do\. Give --policy, --max-result-tokens, /],
    "half a step": [["compact", LINES, "--strategy", "importance"], /--strategy and --max-turns belong together\. Give both, or neither\.$/],
    "a policy that does not exist": [["compact", LINES, "--policy", "tigt"], /^palimpsest: --policy: expected .*, found "tigt"\. Did you mean "tight"\?/],
    "a policy that is half JSON": [["compact", LINES, "--policy", "{"], /^palimpsest: --policy: expected a preset's name, or JSON/],
    "a list with an unknown option": [
      ["compact", LINES, "--policy", '[{"compress":{"tokens":1}}]'],
      /^palimpsest: --policy\.0\.compress\.tokens: expected one of maxToolResultTokens/,
    ],
    "no number": [["compact", LINES, "--budget", "many"], /'many' is invalid\. It must be a whole number, 0 or more\./],
    "a place that cannot be written": [
      ["compact", LINES, "--budget", "9", "-o", missing],
      /^palimpsest: Cannot write \S+file\.json: there is no such folder\. Give/,
    ],
  };

  refusesEach(REFUSED, run);
});
