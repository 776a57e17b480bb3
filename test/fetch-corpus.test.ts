/** `npm run bench:corpus` against a server on this machine that serves, refuses, stalls, and serves something else. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { CORPUS_LIST, addressOf, readCorpusList, type CorpusFile } from "../bench/fetch/corpus-list.ts";
import { extractFrom, type Extract } from "../bench/fetch/extract.ts";
import { fetchCorpus, writeIndexes, type Outcome } from "../bench/fetch/fetch-corpus.ts";
import { CORPUS_OPEN, HOW_TO_GET_IT, openIndex } from "./support/corpus.ts";

const SESSION = '{"type":"user","text":"é 𐀀"}\n';
const RECORDS =
  '[\n {"task": 1, "reward": 0.0, "text": "\\u00e9"},\n {"task":2,"reward":1e-05,"text":"a\\/b"},\n {"task":3,"reward":12345678901234567890,"text":""}\n]';

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function listed(file: string, path: string, content: string, extract?: Extract): CorpusFile {
  const facts = { format: "claude-code-jsonl", repo: "owner/name", commit: "c0ffee", licence: "MIT", raw_bytes: Buffer.byteLength(content) };
  return { set: "open", file, path, ...facts, sha256_uncompressed: sha256(content), ...(extract === undefined ? {} : { extract }) };
}

const PLAIN = listed("claude-code/plain.jsonl", "a/with space/full.jsonl", SESSION);
const PACKED = listed("claude-code/packed.jsonl.gz", "b/full.jsonl", SESSION);
const OTHER = listed("claude-code/other.jsonl", "other.jsonl", SESSION);
const GONE = listed("claude-code/gone.jsonl", "gone.jsonl", SESSION);
const STALLS = listed("claude-code/stalls.jsonl", "stalls.jsonl", SESSION);
const BUSY = listed("claude-code/busy.jsonl", "busy.jsonl", SESSION);
const ENDLESS = listed("claude-code/endless.jsonl", "endless.jsonl", SESSION);
const LINES = listed("openhands-events/first.jsonl.gz", "lines.jsonl", "1\n2\n", { lines: 2 });
const PART = listed(
  "tau-bench/part.json",
  "records.json",
  '[{"task": 3, "reward": 12345678901234567890, "text": ""}, {"task": 1, "reward": 0.0, "text": "\\u00e9"}]',
  {
    ascii: true,
    keep: [{ list: "", by: ["task"], values: [[3], [1]] }],
  },
);

let server: Server;
let host = "";
let asked: string[] = [];
let folder = "";

const ANSWERS: Readonly<Record<string, (response: ServerResponse, times: number) => void>> = {
  "/owner/name/c0ffee/a/with%20space/full.jsonl": (response) => response.end(SESSION),
  "/owner/name/c0ffee/b/full.jsonl": (response) => response.end(SESSION),
  "/owner/name/c0ffee/other.jsonl": (response) => response.end(SESSION.replace("user", "USER")),
  "/owner/name/c0ffee/stalls.jsonl": (response) => response.write(SESSION.slice(0, 5)),
  "/owner/name/c0ffee/busy.jsonl": (response, times) => (times > 2 ? response.end(SESSION) : response.writeHead(503).end()),
  "/owner/name/c0ffee/endless.jsonl": (response) => response.end(SESSION.repeat(1000)),
  "/owner/name/c0ffee/lines.jsonl": (response) => response.end("1\n2\n3\n"),
  "/owner/name/c0ffee/records.json": (response) => response.end(RECORDS),
};

before(async () => {
  server = createServer((request, response) => {
    const url = request.url ?? "";
    asked.push(url);
    const answer = ANSWERS[url];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response, asked.filter((other) => other === url).length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  folder = mkdtempSync(join(tmpdir(), "palimpsest-corpus-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function run(...files: readonly CorpusFile[]): Promise<Outcome[]> {
  return fetchCorpus(files, { into: folder, host, timeoutMs: 400, retries: 2, retryDelayMs: 1, onFile: () => undefined });
}

function inFolder(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

async function reasonFor(file: CorpusFile): Promise<string> {
  const [outcome] = await run(file);
  assert.ok(outcome?.kind === "failed", outcome?.kind);
  assert.deepEqual(inFolder(), [], "nothing is left of it");
  return outcome.reason;
}

describe("a file", () => {
  test("lies where the list says, compressed where its name says so", async () => {
    assert.deepEqual((await run(PLAIN, PACKED)).map(({ kind }) => kind), ["fetched", "fetched"]); // prettier-ignore
    assert.equal(readFileSync(join(folder, "open", PLAIN.file), "utf8"), SESSION);
    assert.equal(gunzipSync(readFileSync(join(folder, "open", PACKED.file))).toString(), SESSION);
  });
  test("with another content is refused, and both hashes are named", async () => {
    const found = sha256(SESSION.replace("user", "USER"));
    assert.equal(await reasonFor(OTHER), `the content has the hash ${found}, expected ${OTHER.sha256_uncompressed}`);
  });
  test("that is not there any more is not asked for twice", async () => {
    assert.equal(await reasonFor(GONE), "it no longer exists (404)");
    assert.equal(asked.length, 1);
  });
  test("that stalls is given up after the time, three times", async () => {
    assert.equal(await reasonFor(STALLS), "no answer in 0.4 s");
    assert.equal(asked.length, 3);
  });
  test("of a busy server comes at the third time", async () => {
    assert.deepEqual((await run(BUSY)).map(({ kind }) => kind), ["fetched"]); // prettier-ignore
    assert.equal(asked.length, 3);
  });
  test("that is longer than it should be is not read to its end", async () => {
    assert.equal(await reasonFor(ENDLESS), `it is longer than expected: over ${ENDLESS.raw_bytes} bytes`);
  });
  test("of a host that does not answer is named with what the network says", async () => {
    const [outcome] = await fetchCorpus([PLAIN], {
      into: folder,
      host: "http://127.0.0.1:1",
      timeoutMs: 400,
      retries: 0,
      retryDelayMs: 1,
      onFile: () => undefined,
    });
    assert.match(outcome?.kind === "failed" ? outcome.reason : "", /^the connection failed: /);
  });
  test("of which a part is used is cut as it was cut for the list", async () => {
    assert.deepEqual((await run(LINES, PART)).map(({ kind }) => kind), ["fetched", "fetched"]); // prettier-ignore
    assert.equal(gunzipSync(readFileSync(join(folder, "open", LINES.file))).toString(), "1\n2\n");
  });
});

describe("a second run", () => {
  test("asks only for what is missing", async () => {
    await run(PLAIN, GONE);
    asked = [];
    assert.deepEqual((await run(PLAIN, PACKED)).map(({ kind }) => kind).sort(), ["fetched", "there"]); // prettier-ignore
    assert.deepEqual(asked, ["/owner/name/c0ffee/b/full.jsonl"]);
  });
  test("replaces what is damaged", async () => {
    await run(PACKED);
    writeFileSync(join(folder, "open", PACKED.file), "not gzip");
    assert.deepEqual((await run(PACKED)).map(({ kind }) => kind), ["fetched"]); // prettier-ignore
  });
});

test("the index has the files that are there, without what only fetching needs", async () => {
  await run(PLAIN, PART, GONE);
  writeIndexes([PLAIN, PART, GONE], folder);
  const rows = JSON.parse(readFileSync(join(folder, "open/INDEX.json"), "utf8")) as Record<string, unknown>[];
  assert.deepEqual(rows.map(({ file }) => file), [PLAIN.file, PART.file]); // prettier-ignore
  assert.ok(rows.every((row) => !("set" in row) && !("extract" in row)));
});

describe("the command", () => {
  const execute = promisify(execFile);
  const command = fileURLToPath(new URL("../bench/corpus.ts", import.meta.url));
  const call = async (...args: readonly string[]): Promise<{ code: number; out: string }> => {
    const all = ["--into", folder, "--host", host, "--index", join(folder, "list.json"), ...args];
    try {
      return { code: 0, out: (await execute(process.execPath, [command, ...all])).stdout };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout + stderr };
    }
  };

  test("says what it could not get, from where and why, and ends with 1", async () => {
    writeFileSync(join(folder, "list.json"), JSON.stringify({ files: [PLAIN, GONE] }));
    const { code, out } = await call();
    assert.equal(code, 1);
    assert.match(out, /1 fetched, 0 already there, 1 could not be fetched/);
    assert.ok(out.includes(`open/${GONE.file}\n  ${addressOf(GONE, host)}\n  it no longer exists (404)`), out);
    assert.deepEqual(inFolder(), ["INDEX.json", "list.json", "plain.jsonl"]);
  });
  test("with --only fetches a part, and ends with 0", async () => {
    writeFileSync(join(folder, "list.json"), JSON.stringify({ files: [PLAIN, GONE] }));
    assert.equal((await call("--only", "plain")).code, 0);
    assert.equal((await call("--only", "nothing like it")).code, 2);
  });
  test("refuses a list that would write elsewhere", async () => {
    writeFileSync(join(folder, "list.json"), JSON.stringify({ files: [{ ...PLAIN, file: "../../elsewhere" }] }));
    assert.notEqual((await call()).code, 0);
    assert.deepEqual(asked, []);
  });
});

describe("the list", () => {
  const files = readCorpusList(CORPUS_LIST);
  test("names every file once, with a commit and a hash", () => {
    assert.equal(new Set(files.map(({ set, file }) => `${set}/${file}`)).size, files.length);
    for (const { file, commit, sha256_uncompressed: hash, licence } of files) {
      assert.match(commit, /^[0-9a-f]{40}$/, file);
      assert.match(hash, /^[0-9a-f]{64}$/, file);
      assert.notEqual(licence, "", file);
    }
  });

  const index = openIndex();
  if (index.length === 0) test("the corpus is not there: the list was not compared with it", (t) => t.diagnostic(HOW_TO_GET_IT));
  for (const row of index) {
    const file = files.find((one) => one.set === "open" && one.file === row.file);
    test(`has ${row.file}, by the same hash`, () => assert.equal(file?.sha256_uncompressed, row.sha256_uncompressed));
    const extract = file?.extract;
    if (extract === undefined || "lines" in extract || !existsSync(join(CORPUS_OPEN, row.file))) continue;
    test(`cuts ${row.file} out of a file that is written in another way`, () => {
      const content = gunzipSync(readFileSync(join(CORPUS_OPEN, row.file)));
      assert.equal(sha256(extractFrom(respaced(content.toString()), extract)), row.sha256_uncompressed);
    });
  }
});

/** The same JSON with another spacing: what stands inside of strings, and numbers, stay as they are. */
function respaced(json: string): Buffer {
  return Buffer.from(json.replace(/"(?:[^"\\]|\\.)*"|[,:]\s*/g, (token) => (token.startsWith('"') ? token : `${token.trim()}\n   `)));
}
