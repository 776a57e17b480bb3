import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { promisify } from "node:util";
import { runCli, type CliRun } from "../../test/support/run-cli.ts";

const PACKAGE: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

const VALID = [{ role: "user", content: "Hello" }];
const ORPHANED = [
  { role: "user", content: "List the files" },
  { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "bash", input: { command: "ls" } }] },
  { role: "user", content: "And?" },
];
/** Ends with the assistant: fine as a history, refused as a request. */
const ANSWERED = [...VALID, { role: "assistant", content: "Hello" }];

const directory = mkdtempSync(join(tmpdir(), "palimpsest-cli-"));
after(() => rmSync(directory, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** An error is one line on standard error, with a way out, and nothing else anywhere. */
function assertRefused(result: CliRun, line: RegExp): void {
  assert.match(result.err, line);
  assert.equal(result.err.trimEnd().split("\n").length, 1, `more than one line:\n${result.err}`);
  assert.equal(result.out, "");
  assert.equal(result.code, 2);
}

describe("usage", { concurrency: 4 }, () => {
  test("--help names the commands and shows examples", async () => {
    const { code, out, err } = await runCli(["--help"]);
    assert.match(out, /^Usage: palimpsest /);
    for (const part of ["demo", "check", "Examples:", "--debug", "--version"]) assert.ok(out.includes(part), part);
    assert.deepEqual([code, err], [0, ""]);
  });

  test("without a command it shows the same help", async () => {
    assert.deepEqual(await runCli([]), await runCli(["--help"]));
  });

  test("a command has help of its own", async () => {
    const { code, out } = await runCli(["check", "--help"]);
    assert.match(out, /^Usage: palimpsest check /);
    assert.match(out, /--history/);
    assert.equal(code, 0);
  });

  test("--version is the version in package.json", async () => {
    const { code, out } = await runCli(["--version"]);
    assert.ok(typeof PACKAGE === "object" && PACKAGE !== null && "version" in PACKAGE);
    assert.deepEqual([code, out], [0, `${String(PACKAGE.version)}\n`]);
  });

  for (const [name, args, line] of [
    ["an unknown command", ["squash"], /^palimpsest: Unknown command 'squash'\. See palimpsest --help\.$/m],
    ["a misspelt command", ["chek"], /^palimpsest: Unknown command 'chek' \(Did you mean check\?\) See palimpsest --help\.$/m],
    ["an unknown option", ["check", "--nope", "x"], /^palimpsest: Unknown option '--nope'\. See palimpsest --help\.$/m],
    ["a missing argument", ["check"], /^palimpsest: Missing required argument 'file'\. See palimpsest --help\.$/m],
    ["one argument too many", ["demo", "now"], /^palimpsest: Too many arguments/],
  ] as const) {
    test(`${name} is refused in one line`, async () => {
      assertRefused(await runCli(args), line);
    });
  }
});

describe("check", { concurrency: 4 }, () => {
  test("good messages have no findings", async () => {
    assert.deepEqual(await runCli(["check", file("good.json", VALID)]), {
      code: 0,
      out: "No findings in 1 message (anthropic, by the rules of anthropic).\n",
      err: "",
    });
  });

  test("a request body is read like the array in it", async () => {
    const { code } = await runCli(["check", file("body.json", { model: "m", max_tokens: 10, messages: VALID })]);
    assert.equal(code, 0);
  });

  test("an orphaned call is a finding: rule, path and message in a table, exit code 1", async () => {
    const { code, out, err } = await runCli(["check", file("bad.json", ORPHANED)]);
    assert.match(out, /^rule +path +message\n/);
    assert.match(out, /^A2\.1 +messages\.\S+ +.*toolu_1/m);
    assert.match(out, /\n\n1 finding in 3 messages \(anthropic, by the rules of anthropic\)\.\n$/);
    assert.deepEqual([code, err], [1, ""]);
  });

  test("--json prints the findings as data, with the same exit code", async () => {
    const { code, out } = await runCli(["check", file("bad2.json", ORPHANED), "--json"]);
    const data: unknown = JSON.parse(out);
    assert.ok(typeof data === "object" && data !== null && "findings" in data && "messages" in data && Array.isArray(data.findings));
    const [finding]: unknown[] = data.findings;
    assert.ok(typeof finding === "object" && finding !== null && "rule" in finding);
    assert.deepEqual([data.messages, data.findings.length, finding.rule, code], [3, 1, "A2.1", 1]);
  });

  test("--history leaves out the rules for the last message", async () => {
    const path = file("answered.json", ANSWERED);
    assert.deepEqual([(await runCli(["check", path])).code, (await runCli(["check", "--history", path])).code], [1, 0]);
  });

  test("- reads standard input", async () => {
    const [good, bad] = await Promise.all([VALID, ORPHANED].map((messages) => runCli(["check", "-"], { input: JSON.stringify(messages) })));
    assert.deepEqual([good?.code, bad?.code], [0, 1]);
  });

  test("a byte order mark is no fault", async () => {
    assert.equal((await runCli(["check", file("bom.json", `\uFEFF${JSON.stringify(VALID)}`)])).code, 0);
  });

  test("control characters in a file do not reach the terminal", async () => {
    const hostile = [...VALID, { role: "user", content: [{ type: "tool_result", tool_use_id: "\u001b[31mred\u0007", content: "x" }] }];
    const { out, code } = await runCli(["check", file("hostile.json", hostile)]);
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f]/);
    assert.equal(code, 1);
  });

  for (const [name, content, line] of [
    ["text that is not JSON", "{ role: user }", /\.json: it is not JSON.* \(UNREADABLE\)\. Give a session file, a request body or a message array/],
    ["JSON that ends too early", '{"messages":[{"role":"us', /it ends before its JSON is complete \(line 1\) \(UNREADABLE\)/],
    ["an empty file", " \n", /\.json: it is empty \(UNREADABLE\)/],
    ["binary", "\u0000\u0001\u0002\ufffd\u0000", /it is binary, or text in an encoding other than UTF-8 \(UNREADABLE\)/],
    ["JSON without messages", { prompt: "Hello" }, /it is JSON, but not a transcript of a known format \(UNREADABLE\)/],
  ] as const) {
    test(`${name} is refused in one line`, async () => {
      assertRefused(await runCli(["check", file(`${name.replaceAll(" ", "-")}.json`, content)]), line);
    });
  }

  test("a message without a role is refused with its place, if the format is given", async () => {
    assertRefused(
      await runCli(["check", "--format", "anthropic", file("roleless.json", [{ content: "Hello" }])]),
      /messages\.0\.role: expected|FORMAT_MISMATCH/,
    );
  });

  test("one message per line is read too", async () => {
    const { code, out } = await runCli(["check", file("lines.jsonl", '{"role":"user","content":"a"}\n{"role":"assistant","content":"b"}\n')]);
    assert.deepEqual([code, out], [0, "No findings in 2 messages (anthropic-lines, by the rules of anthropic).\n"]);
  });

  test("a missing file is named, with a way out", async () => {
    assertRefused(
      await runCli(["check", join(directory, "nowhere.json")]),
      /^palimpsest: Cannot read \S+nowhere\.json: there is no such file \(UNREADABLE\)\. Give .* and - is standard input\.$/m,
    );
  });

  test("a directory is no file", async () => {
    assertRefused(await runCli(["check", directory]), /it is a directory/);
  });

  test("only --debug shows the stack, wherever it stands", async () => {
    for (const args of [
      ["--debug", "check", "nowhere.json"],
      ["check", "nowhere.json", "--debug"],
    ]) {
      const { err, code } = await runCli(args);
      assert.match(err, /^palimpsest: Cannot read nowhere\.json.*\n.*PalimpsestError[\s\S]*\n +at /);
      assert.equal(code, 2);
    }
  });
});

/** The fields of `demo --json` that are checked here. */
interface DemoData {
  readonly messages: number;
  readonly messagesShown: number;
  readonly rounds: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly shortenings: readonly { position: number; what: string; pass: string; reason: string; tokensBefore: number; tokensAfter: number }[];
  readonly excerpt: { readonly before: string; readonly after: string };
  readonly proofs: readonly { claim: string; holds: boolean }[];
}

describe("demo", { concurrency: 4 }, () => {
  async function demoData(): Promise<DemoData> {
    const { code, out, err } = await runCli(["demo", "--json"]);
    assert.deepEqual([code, err], [0, ""]);
    return JSON.parse(out) as DemoData;
  }

  test("--json: every edit has a place, a pass and a reason, makes its place smaller, and the largest saving comes first", async () => {
    const demo = await demoData();
    assert.ok(demo.tokensAfter < demo.tokensBefore / 2 && demo.messagesShown < demo.messages && demo.rounds >= 40);
    assert.ok(demo.shortenings.length > 12, "enough for the list to be cut");
    const savings = demo.shortenings.map(({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter);
    assert.deepEqual(
      savings,
      savings.toSorted((a, b) => b - a),
    );
    for (const shortening of demo.shortenings) {
      assert.ok(shortening.position >= 0 && shortening.position < demo.messages);
      assert.match(shortening.what, /^(bash|read_file|grep|write_file|edit_file) \S/);
      assert.ok(shortening.pass !== "" && shortening.reason !== "" && shortening.tokensAfter < shortening.tokensBefore);
    }
    assert.ok(demo.excerpt.after.length < demo.excerpt.before.length);
  });

  test("every proof holds", async () => {
    const { proofs } = await demoData();
    assert.deepEqual(
      proofs.map(({ claim, holds }) => [claim.split(":")[0], holds]),
      [
        ["Accepted", true],
        ["Undone", true],
        ["Untouched", true],
      ],
    );
  });

  test("the text says the same numbers, in at most 100 plain columns", async () => {
    const [{ code, out, err }, demo] = await Promise.all([runCli(["demo"]), demoData()]);
    assert.deepEqual([code, err], [0, ""]);
    const said = (value: number): string => value.toLocaleString("en-US");
    assert.ok(out.includes(`${said(demo.tokensBefore)} → ${said(demo.tokensAfter)} tokens`));
    assert.ok(out.includes(`${said(demo.messages)} messages, ${said(demo.rounds)} rounds`));
    assert.ok(out.includes(`… and ${demo.shortenings.length - 12} more (--all)`));
    for (const { claim } of demo.proofs) assert.ok(out.includes(`yes  ${claim}`), claim);
    for (const line of out.split("\n")) assert.ok(line.length <= 100, line);
    assert.ok(!out.includes("\u001b"), "no colours in a pipe");
  });

  test("--all lists every edit", async () => {
    const [{ out }, demo] = await Promise.all([runCli(["demo", "--all"]), demoData()]);
    assert.equal(out.match(/^ +\d+ {2}\S.* [\d,]+ {2}→ +[\d,]+$/gm)?.length, demo.shortenings.length);
    assert.doesNotMatch(out, /--all/);
  });

  test("the sample at its end runs as printed", async () => {
    const { out } = await runCli(["demo"]);
    const sample = out
      .slice(out.lastIndexOf("  import {"))
      .trim()
      .replace('"palimpsest"', JSON.stringify(new URL("../index.ts", import.meta.url).href));
    const program = file(
      "sample.mjs",
      `const messages = [{ role: "user", content: "Hello" }];
      const last = { usage: { input_tokens: 45_000, output_tokens: 1 } };
      const request = { max_tokens: 1 };
      const client = { messages: { create: async (body) => body } };
      ${sample}
      console.log(JSON.stringify(next));`,
    );
    assert.deepEqual(JSON.parse((await promisify(execFile)(process.execPath, [program])).stdout), {
      max_tokens: 1,
      messages: [{ role: "user", content: "Hello" }],
    });
  });
});
