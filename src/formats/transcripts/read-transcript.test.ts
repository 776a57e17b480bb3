import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { whyUnreadable } from "./reading/unreadable.ts";
import { readTranscript, type ReadOptions } from "./read-transcript.ts";
import type { Entry } from "./transcript-format.ts";
import { TRANSCRIPT_FORMATS } from "./transcript-formats.ts";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-read-"));
after(() => rmSync(folder, { recursive: true }));

function fileWith(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const lines = (...values: readonly unknown[]): string => values.map((value) => `${typeof value === "string" ? value : JSON.stringify(value)}\n`).join("");

const session = (number: number): object => ({
  type: number % 2 === 0 ? "user" : "assistant",
  uuid: `u${number}`,
  parentUuid: number === 0 ? null : `u${number - 1}`,
  sessionId: "s",
  message: { role: number % 2 === 0 ? "user" : "assistant", content: `Wort ${number} äöü` },
});
const rollout = { type: "response_item", payload: { type: "message", role: "user", content: [{ type: "input_text", text: "q" }] } };

async function readAll(source: string | Readable, options?: ReadOptions): Promise<{ format: string; entries: Entry[] }> {
  const { format, entries } = await readTranscript(source, options);
  const all: Entry[] = [];
  for await (const entry of entries) all.push(entry);
  return { format: format.name, entries: all };
}

const said = (entries: readonly Entry[]): unknown[] => entries.flatMap((entry) => (entry.kind === "message" ? [entry.message.content] : []));

async function failure(source: string | Readable, options?: ReadOptions): Promise<PalimpsestError> {
  const error = await readAll(source, options).then(
    ({ format }) => assert.fail(`was read as ${format}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof PalimpsestError, String(error));
  return error;
}

describe("the same transcript, however it comes", () => {
  const text = lines(session(0), session(1), session(2));
  const expected = ["Wort 0 äöü", "Wort 1 äöü", "Wort 2 äöü"];
  const bytes = Buffer.from(text);
  const SOURCES: Readonly<Record<string, () => string | Readable>> = {
    "a path": () => fileWith("plain.jsonl", text),
    "a path, packed": () => fileWith("packed.jsonl.gz", gzipSync(text)),
    "packed, under a name that does not say so": () => fileWith("packed.jsonl", gzipSync(text)),
    "not packed, under a name that says so": () => fileWith("plain.jsonl.gz", text),
    "a stream": () => Readable.from([bytes]),
    "a stream of text": () => Readable.from([text]),
    "a stream, byte by byte": () => Readable.from(Array.from(bytes, (byte) => Buffer.from([byte]))),
    "a packed stream, byte by byte": () => Readable.from(Array.from(gzipSync(bytes), (byte) => Buffer.from([byte]))),
    "with a byte order mark": () => Readable.from([`\uFEFF${text}`]),
    "with carriage returns and empty lines": () => Readable.from([`\r\n${text.replaceAll("\n", "\r\n\r\n")}`]),
    "without a line feed at the end": () => Readable.from([text.trimEnd()]),
  };
  for (const [name, source] of Object.entries(SOURCES)) {
    test(name, async () => {
      const { format, entries } = await readAll(source());
      assert.equal(format, "claude-code");
      assert.deepEqual(said(entries), expected);
    });
  }
});

describe("a damaged line is reported with its number, and reading goes on after it", () => {
  const CUT = JSON.stringify(session(1)).slice(0, 40);
  const CASES: Readonly<Record<string, readonly [content: string | Buffer, line: number, reason: RegExp]>> = {
    "cut off": [lines(session(0), CUT, session(2)), 2, /ends before/],
    "at the end": [lines(session(0), session(2)) + CUT, 3, /ends before/],
    "at the start": [lines(CUT, session(0), session(2)), 1, /ends before/],
    "cut after a bracket, at the start": [lines('{"message":{', session(0), session(2)), 1, /ends before/],
    "words of a shell at the start": [lines("Session log:", session(0), session(2)), 1, /not JSON/],
    "no object": [lines(session(0), 12, session(2)), 2, /not an object/],
    "not in UTF-8": [Buffer.concat([Buffer.from(lines(session(0))), Buffer.from([0x22, 0xff, 0x22, 0x0a]), Buffer.from(lines(session(2)))]), 2, /UTF-8/],
    "zeros, as a crash leaves them": [lines(session(0), session(2), "\0".repeat(50)), 3, /not JSON/],
  };
  for (const [name, [content, line, reason]] of Object.entries(CASES)) {
    test(name, async () => {
      const { entries } = await readAll(Readable.from([Buffer.from(content).subarray(0, 300), Buffer.from(content).subarray(300)]));
      const damaged = entries.filter((entry) => entry.kind === "damaged");
      assert.deepEqual(
        damaged.map((entry) => entry.line),
        [line],
      );
      assert.match(damaged[0]?.reason ?? "", reason);
      assert.deepEqual(said(entries), ["Wort 0 äöü", "Wort 2 äöü"]);
    });
  }

  test("a line that is no message of its format", async () => {
    const { entries } = await readAll(
      Readable.from([
        lines({ role: "user", content: "q" }, { role: "tool", tool_call_id: 5, content: "x" }, { role: "tool", tool_call_id: "a", content: "y" }),
      ]),
    );
    assert.deepEqual(
      entries.filter((entry) => entry.kind === "damaged").map((entry) => [entry.line, entry.reason.includes("tool_call_id")]),
      [[2, true]],
    );
  });
});

describe("what cannot be read is one error with the place", () => {
  const CASES: Readonly<Record<string, readonly [source: () => string | Readable, message: RegExp, data: object]>> = {
    "no such file": [() => join(folder, "absent.jsonl"), /absent\.jsonl: there is no such file/, {}],
    "a directory": [() => folder, /it is a directory/, {}],
    "an empty file": [() => fileWith("empty.json", ""), /it is empty/, {}],
    "nothing but blanks": [() => fileWith("blank.json", " \n\n"), /it is empty/, {}],
    "a binary file": [() => fileWith("binary", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3])), /it is binary/, {}],
    "binary without zeros": [() => fileWith("noise", Buffer.from([0xfe, 0xc3, 0xff, 0x0a, 0xff])), /binary or not in UTF-8/, { line: 1, offset: 0 }],
    "UTF-16": [() => fileWith("utf16.json", Buffer.from('\uFEFF[{"role":"user"}]', "utf16le")), /an encoding other than UTF-8/, {}],
    "no JSON": [() => fileWith("text.md", "# A heading\n\nSome words.\n"), /it is not JSON \(line 1\)/, { line: 1, offset: 0 }],
    "JSON that is cut off": [
      () => fileWith("cut.json", '[\n  {"role": "user",\n   "content": "he'),
      /ends before its JSON is complete \(line 3\)/,
      { line: 3, offset: 38 },
    ],
    "a line of JSON that is cut off": [
      () => fileWith("cut-line.json", '[{"role": "user", "content": "he'),
      /ends before its JSON is complete/,
      { line: 1, offset: 32 },
    ],
    "JSON with a mistake": [() => fileWith("wrong.json", '[\n  {"role": "user",\n   "content": x}\n]'), /from there on \(line 3\)/, { line: 3, offset: 35 }],
    "JSON of no known format": [() => fileWith("other.json", '{\n  "a": 1\n}'), /not a transcript of a known format/, {}],
    "a single message over several lines": [
      () => fileWith("one.json", JSON.stringify({ role: "user", content: "q" }, null, 2)),
      /not a transcript of a known format/,
      {},
    ],
    "lines of no known format": [() => fileWith("other.jsonl", lines({ a: 1 }, { b: 2 })), /not a transcript of a known format/, {}],
    "gzip that is cut off": [() => fileWith("cut.gz", gzipSync("x".repeat(5000)).subarray(0, 30)), /gzip data ends too early/, {}],
    "damaged gzip": [() => fileWith("bad.gz", Buffer.concat([gzipSync("x").subarray(0, 10), Buffer.from("garbage here")])), /gzip data is damaged/, {}],
    "a damaged archive": [() => fileWith("bad.eval", Buffer.from("PK\u0003\u0004 and no more")), /ZIP archive is damaged/, {}],
    "a message that is none": [() => fileWith("role.json", '[{"role": "user", "content": 5}]'), /messages\.0\.content: expected/, { line: 1 }],
    "a stream that fails": [() => Readable.from(failing()), /the stream: the cable was pulled/, {}],
  };
  for (const [name, [source, message, data]] of Object.entries(CASES)) {
    test(name, async () => {
      const error = await failure(source());
      assert.equal(error.code, "UNREADABLE");
      assert.match(error.message, message);
      const { path, reason, ...place } = error.data;
      assert.ok(typeof path === "string" && typeof reason === "string" && error.message.includes(reason));
      assert.deepEqual(place, data);
    });
  }

  test("no permission", async (t) => {
    const path = fileWith("secret.jsonl", lines(session(0)));
    chmodSync(path, 0);
    if (process.getuid?.() === 0) t.diagnostic("root may read everything: only the wording was checked");
    else assert.match((await failure(path)).message, /permission denied/);
    assert.equal(whyUnreadable(Object.assign(new Error("EACCES: permission denied, open"), { code: "EACCES" })), "permission denied");
  });

  test("a stream is called by its name", async () => {
    assert.match((await failure(Readable.from(["nope"]), { name: "standard input" })).message, /^Cannot read standard input: it is not JSON/);
  });
});

async function* failing(): AsyncGenerator<string> {
  yield await Promise.resolve(lines(session(0)));
  throw new Error("the cable was pulled");
}

describe("formats", () => {
  test("every name is there once", () => {
    const names = TRANSCRIPT_FORMATS.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
  });

  test("an unknown name is refused", async () => {
    await assert.rejects(readTranscript(Readable.from([]), { format: "nonsense" }), { code: "INVALID_OPTION" });
  });

  test("a name that does not fit", async () => {
    const error = await failure(fileWith("forced.jsonl", lines(session(0))), { format: "codex" });
    assert.equal(error.code, "FORMAT_MISMATCH");
    assert.deepEqual({ ...error.data, path: "" }, { path: "", expected: "codex", found: "claude-code", place: "line 1" });
    const unknown = await failure(fileWith("unknown.json", '{"a": 1}'), { format: "codex" });
    assert.deepEqual([unknown.code, unknown.data["found"]], ["FORMAT_MISMATCH", null]);
  });

  test("a name decides where several fit", async () => {
    const text = JSON.stringify([{ role: "user", content: "q" }]);
    for (const format of ["anthropic", "openai-chat", "openai-responses", "ai-sdk"])
      assert.equal((await readAll(Readable.from([text]), { format })).format, format);
    assert.equal((await readAll(Readable.from([text]))).format, "anthropic");
  });

  test("two formats in one file, within what is looked at first and far after it", async () => {
    for (const count of [2, 2000]) {
      const text = lines(...Array.from({ length: count }, (_, number) => session(number)), rollout, session(1));
      const error = await failure(fileWith("mixed.jsonl", text));
      assert.equal(error.code, "FORMAT_MISMATCH");
      assert.deepEqual([error.data["expected"], error.data["found"], error.data["place"]], ["claude-code", "codex", `line ${count + 1}`]);
    }
  });

  test("two formats in one array", async () => {
    const mixed = [
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
      { role: "tool", tool_call_id: "a", content: "x" },
    ];
    const error = await failure(fileWith("mixed.json", JSON.stringify(mixed)));
    assert.equal(error.code, "FORMAT_MISMATCH");
    assert.match(error.message, /mixed\.json, line 1: .*messages\.0\.content\.0 is anthropic, messages\.1\.tool_call_id is openai-chat/);
  });
});

describe("long files", () => {
  test("progress is told in bytes of the file", async () => {
    const path = fileWith("long.jsonl", lines(...Array.from({ length: 5000 }, (_, number) => session(number))));
    const told: (readonly [number, number | undefined])[] = [];
    const { entries } = await readAll(path, { onProgress: (bytesRead, totalBytes) => told.push([bytesRead, totalBytes]) });
    const [last] = told.slice(-1);
    assert.ok(told.length > 1 && last !== undefined && last[0] === last[1]);
    assert.equal(said(entries).length, 5000);
  });

  test("who stops early closes the stream", async () => {
    const stream = Readable.from([lines(...Array.from({ length: 1000 }, (_, number) => session(number))), lines(session(1000))]);
    const { entries } = await readTranscript(stream);
    for await (const entry of entries) if (entry.kind === "message") break;
    assert.ok(stream.destroyed);
    const refused = Readable.from([lines({ a: 1 })]);
    await assert.rejects(readTranscript(refused));
    assert.ok(refused.destroyed);
  });

  test("60 MB are read in a heap that could not hold them", () => {
    const script = `
      import { Readable } from "node:stream";
      import { readTranscript } from ${JSON.stringify(new URL("read-transcript.ts", import.meta.url).href)};
      const text = "a line of a long result, with ümlauts\\n".repeat(250);
      function* file() {
        for (let number = 0; number < 6000; number++) {
          const message = { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: text + number }] };
          yield JSON.stringify({ type: "user", uuid: "u" + number, parentUuid: null, sessionId: "s", message }) + "\\n";
          yield JSON.stringify({ type: "assistant", uuid: "a" + number, parentUuid: null, sessionId: "s", message: { role: "assistant", content: "on" } }) + "\\n";
        }
      }
      const { entries } = await readTranscript(Readable.from(file()));
      let messages = 0;
      for await (const entry of entries) if (entry.kind === "message") messages++;
      console.log(messages);`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ["--max-old-space-size=40", "--input-type=module", "-e", script], { encoding: "utf8" });
    assert.equal(status, 0, stderr.slice(0, 2000));
    assert.equal(stdout.trim(), "12000");
  });
});
