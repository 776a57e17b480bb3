/** `palimpsest replay`: exit codes, streams and files are part of what it promises. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { refusesEach, runCli, type CliRun } from "../../test/support/run-cli.ts";

const FIXTURES = fileURLToPath(new URL("../../test/fixtures/transcripts/", import.meta.url));
const SESSION = fileURLToPath(new URL("../../assets/trajectory.json", import.meta.url));
/** JSONL with a damaged line, one JSON document, and a ZIP archive of two samples. */
const LINES = join(FIXTURES, "pi.jsonl");
const DOCUMENT = join(FIXTURES, "anthropic.json");
const ARCHIVE = join(FIXTURES, "inspect.eval");

function run(args: readonly string[], input: string | Uint8Array = ""): Promise<CliRun> {
  return runCli(["replay", ...args], { input });
}

const directory = mkdtempSync(join(tmpdir(), "palimpsest-replay-"));
after(() => rmSync(directory, { recursive: true }));

/** The fields of `--json` that are checked here. */
interface Data {
  readonly policy: string;
  readonly files: readonly {
    readonly file: string;
    readonly format: string;
    readonly trajectories: readonly { readonly id: string; readonly models: readonly string[]; readonly calls: number; readonly costRatio: number }[];
    readonly damaged: readonly { readonly line: number }[];
  }[];
  readonly total: Readonly<Record<"trajectories" | "calls" | "faults" | "costRatio" | "dollars", number>>;
}

describe("replay", { concurrency: 2 }, () => {
  test("--help lists the policies, the options and examples", async () => {
    const { code, out, err } = await run(["--help"]);
    assert.deepEqual([code, err], [0, ""]);
    for (const part of ["Usage: palimpsest replay", "<files...>", "--policy", "--views", "--json", "--trajectory", "--model", "sliding-window[:turns]", "clear_tool_uses_20250919", "Examples:", "Exit codes:"]) assert.ok(out.includes(part), part); // prettier-ignore
  });

  test("says for each trajectory and in sum what would have been sent", async () => {
    const { code, out, err } = await run([LINES, ARCHIVE, "--policy", "keep-last:2"]);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^Line 38 of \S+pi\.jsonl could not be read and was left out: /);
    assert.match(out, /\npi\.jsonl {2,}13 {2}/);
    assert.match(out, /\nranges\/1, inspect\.eval .*\n2\/1, inspect\.eval /);
    assert.match(out, /\nkeep-last:2: \$0\.\d+ instead of \$0\.\d+ \(\d+\.\d %\) for input tokens, both with prompt caching\.\n/);
    assert.match(out, /\nThe provider would refuse nothing that was not already wrong in the log\.\n$/);
  });

  test("plays a session whose clock stepped back, and those after it", async () => {
    const stepped = join(directory, "stepped-back.jsonl");
    let second = 3_000;
    const earlier = (): string => `"timestamp":"${new Date(Date.UTC(2026, 0, 5) + 1_000 * second--).toISOString()}"`;
    writeFileSync(stepped, readFileSync(join(FIXTURES, "claude-code.jsonl"), "utf8").replaceAll(/"timestamp":"[^"]*"/g, earlier));
    for (const policy of ["balanced", "none"]) {
      const { code, out, err } = await run([stepped, DOCUMENT, "--policy", policy, "--json"]);
      assert.deepEqual([code, err], [0, ""]);
      const { files } = JSON.parse(out) as Data;
      assert.deepEqual(files.map(({ trajectories }) => (trajectories[0]?.calls ?? 0) > 0), [true, true]); // prettier-ignore
    }
  });

  test("--json prints the measures, also of standard input", async () => {
    const { code, out, err } = await run(["-", "--policy", "none", "--model", "gpt-5.5", "--trajectory", "2/1", "--json"], readFileSync(ARCHIVE));
    assert.deepEqual([code, err], [0, ""]);
    const { policy, files, total } = JSON.parse(out) as Data;
    assert.deepEqual([policy, total.trajectories, total.costRatio, total.faults], ["none", 1, 1, 0]);
    assert.deepEqual(files.map(({ file, format }) => [file, format]), [["-", "inspect"]]); // prettier-ignore
    assert.deepEqual(files[0]?.trajectories.map(({ id, models }) => [id, models]), [["2/1", ["gpt-5.5"]]]); // prettier-ignore
  });

  test("--views and --json write whole files beside the table, and the same ones again", async () => {
    const folder = join(directory, "out");
    mkdirSync(folder);
    const [views, packed, json] = [join(folder, "views.jsonl"), join(folder, "views.jsonl.gz"), join(folder, "measures.json")];
    writeFileSync(views, "before");
    const { code, out, err } = await run([SESSION, DOCUMENT, "--policy", "balanced", "--views", views, "--json", json, "--force"]);
    assert.deepEqual([code, err, readdirSync(folder).sort()], [0, "", ["measures.json", "views.jsonl"]]);
    assert.match(out, /\nbalanced: /);
    const { total } = JSON.parse(readFileSync(json, "utf8")) as Data;
    const lines = readFileSync(views, "utf8");
    assert.equal(lines.match(/^\{"file":/gm)?.length, total.calls);
    await run([SESSION, DOCUMENT, "--policy", "balanced", "--views", packed]);
    assert.equal(gunzipSync(readFileSync(packed)).toString(), lines);
  });
});

describe("what cannot be done is said in one line, with nothing on standard output and exit code 2", { concurrency: 2 }, () => {
  const missing = join(directory, "nowhere", "file.json");
  const copy = join(directory, "copy.json");
  writeFileSync(copy, readFileSync(DOCUMENT));

  const REFUSED: Readonly<Record<string, readonly [args: readonly string[], line: RegExp]>> = {
    "no policy": [[DOCUMENT], /Required option '--policy <name>' not specified/],
    "an unknown policy": [[DOCUMENT, "--policy", "nope"], /policy: expected one of none, gentle, .*keep-last:results\[:batch\], .*, found "nope"\. Did you mean "none"\? \(INVALID_OPTION\)/],
    "a policy without its number": [[DOCUMENT, "--policy", "keep-last"], /found "keep-last" \(INVALID_OPTION\)/],
    "no file": [["--policy", "none"], /Missing required argument 'files'/],
    "a missing file, behind another": [[DOCUMENT, missing, "--policy", "none"], /Cannot read \S+file\.json: there is no such file \(UNREADABLE\)/],
    "an unknown trajectory": [[ARCHIVE, "--policy", "none", "--trajectory", "9"], /There is no trajectory 9 in these files; there are ranges\/1, 2\/1 \(/],
    "views that cannot be written": [[DOCUMENT, "--policy", "none", "--views", missing], /Cannot write \S+: there is no such folder\. Give another path after --views\.$/],
    "views on standard output": [[DOCUMENT, "--policy", "none", "--views", "-"], /Views cannot go to standard output: .* Give a path after --views\.$/],
    "measures that cannot be written": [[DOCUMENT, "--policy", "none", "--json", missing], /Cannot write \S+: there is no such folder\. Give another path after --json\.$/],
    "a file that is read and written": [[DOCUMENT, copy, "--policy", "none", "--json", copy], /copy\.json is an input, so it cannot be written to\. Give another path after --json\.$/],
  }; // prettier-ignore

  refusesEach(REFUSED, run);

  test("half a run leaves what was there", async () => {
    const folder = join(directory, "kept");
    mkdirSync(folder);
    const views = join(folder, "views.jsonl");
    writeFileSync(views, "before");
    const { code } = await run([DOCUMENT, missing, "--policy", "none", "--views", views, "--force"]);
    assert.deepEqual([code, readdirSync(folder), readFileSync(views, "utf8")], [2, ["views.jsonl"], "before"]);
  });
});
