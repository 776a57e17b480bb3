import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { user } from "../../../test/support/build.ts";
import type { Message } from "../../messages/message.ts";
import { loadTranscript, type Transcript } from "./load-transcript.ts";

const load = (content: string | Uint8Array): Promise<Transcript> => loadTranscript(Readable.from([Buffer.from(content)]));
const logs = ({ trajectories }: Transcript): readonly Message[][] => trajectories.map(({ log }) => log);

const line = (number: number, space = ""): string =>
  `{"type":${space}"user","uuid":"u${number}","parentUuid":${number === 0 ? "null" : `"u${number - 1}"`},"sessionId":"s","big":12345678901234567890,"message":{"role":"user","content":"q${number}"}}`;

describe("what no view changes comes back in the same bytes", () => {
  const CONTENTS: Readonly<Record<string, string | Buffer>> = {
    lines: `${line(0)}\n${line(1)}\n`,
    "lines with spaces, carriage returns, empty and damaged ones": `\n${line(0, "  ")}\r\n\r\n{"cut\r\n17\n${line(1)}`,
    "lines with a byte order mark": `\uFEFF${line(0)}\n`,
    "lines that are not in UTF-8": Buffer.concat([Buffer.from(`${line(0)}\n`), Buffer.from([0xff, 0x0a])]),
    "a document": '{\n    "messages": [ {"role": "user", "content": "q", "big": 12345678901234567890} ],\n    "z": 1.0 }\n\n',
    "a document on a line": '[{"role": "user", "content": "caf\\u00e9"}]',
    "a document on each line": '{"messages": [{"role": "user", "content": "a"}]}\n{"messages": []}\n',
    "a document with a byte order mark": '\uFEFF[\n{"role": "user", "content": "q"}\n]',
  };
  for (const [name, content] of Object.entries(CONTENTS)) {
    test(name, async () => {
      const transcript = await load(content);
      const written = transcript.encode(logs(transcript).map((log) => [...log]));
      assert.ok(Buffer.from(written).equals(Buffer.from(content)), String(written));
      assert.equal(typeof written, Buffer.isBuffer(content) ? "object" : "string");
    });
  }
});

describe("what a view changes", () => {
  test("leaves the other lines as they were", async () => {
    const transcript = await load(`${line(0, "  ")}\n\n${line(1)}\n{"cut\n${line(2, " ")}\n`);
    const [log = []] = logs(transcript);
    const text = transcript.encode([log.map((message, position) => (position === 1 ? { ...message, content: "short" } : message))]);
    assert.equal(text, `${line(0, "  ")}\n${line(1).replace("12345678901234567890", "12345678901234567000").replace('"q1"', '"short"')}\n${line(2, " ")}\n`);
  });

  test("keeps carriage returns, a byte order mark and an open end", async () => {
    const transcript = await load(`\uFEFF${line(0)}\r\n${line(1)}`);
    const [log = []] = logs(transcript);
    const text = String(transcript.encode([[...log, user("more")]]));
    assert.deepEqual(
      text.split("\r\n").map((part) => part.slice(0, 12)),
      [`\uFEFF${line(0).slice(0, 11)}`, line(1).slice(0, 12), '{"type":"use'],
    );
    assert.ok(!text.endsWith("\n"));
  });

  for (const indentation of ["  ", "    ", "\t"]) {
    test(`keeps the indentation ${JSON.stringify(indentation)} of a document`, async () => {
      const document = { model: "m", messages: [user("a"), user("b")] };
      const transcript = await load(`${JSON.stringify(document, null, indentation)}\n`);
      const [log = []] = logs(transcript);
      assert.equal(transcript.encode([log.slice(1)]), `${JSON.stringify({ ...document, messages: [user("b")] }, null, indentation)}\n`);
    });
  }

  test("changes one document of several", async () => {
    const lines = ["a", "b", "c"].map((content) => `{"messages":  [{"role": "user", "content": "${content}"}]}`);
    const transcript = await load(lines.join("\n"));
    assert.deepEqual(
      transcript.trajectories.map(({ id }) => id),
      ["request", "request#2", "request#3"],
    );
    const views = logs(transcript).map((log, number) => (number === 1 ? [user("changed")] : log));
    assert.equal(transcript.encode(views), `${lines[0]}\n{"messages":[{"role":"user","content":"changed"}]}\n${lines[2]}`);
  });

  test("needs a view for every trajectory", async () => {
    const transcript = await load(line(0));
    assert.throws(() => transcript.encode([]), { code: "INVALID_INPUT" });
  });
});

describe("an archive", () => {
  const sample = (id: number, content: string): Uint8Array =>
    strToU8(JSON.stringify({ id, epoch: 1, input: content, target: "", messages: [user(content)], output: {}, scores: {} }));
  const archive = zipSync({
    "header.json": strToU8('{"eval": {}}'),
    "samples/b_epoch_1.json": sample(2, "b"),
    "samples/a_epoch_1.json": sample(1, "a"),
    "samples/broken.json": strToU8("{"),
    "reductions.json": strToU8("[]"),
  });

  test("has its samples in the order of the file, and comes back in the same bytes", async () => {
    const transcript = await load(archive);
    assert.equal(transcript.format.name, "inspect");
    assert.deepEqual(
      logs(transcript)
        .flat()
        .map(({ content }) => content),
      ["b", "a"],
    );
    assert.deepEqual(Object.keys(transcript.trajectories[0] ?? {}).sort(), ["entries", "id", "log"], "what formats remember of a section is theirs");
    assert.deepEqual(transcript.damaged, [{ kind: "damaged", line: 3, reason: "samples/broken.json: it ends before its JSON is complete" }]);
    assert.ok(Buffer.from(transcript.encode(logs(transcript))).equals(Buffer.from(archive)));
  });

  test("with another view has all its other files, and the same bytes each time", async () => {
    const transcript = await load(archive);
    const views = logs(transcript).map((log, number) => (number === 1 ? [user("changed")] : log));
    const written = transcript.encode(views) as Uint8Array;
    const [before, now] = [unzipSync(archive), unzipSync(written)];
    assert.deepEqual(Object.keys(now), Object.keys(before));
    const changed = Object.keys(now).filter((name) => !Buffer.from(now[name] ?? []).equals(Buffer.from(before[name] ?? [])));
    assert.deepEqual(changed, ["samples/a_epoch_1.json"]);
    assert.deepEqual(JSON.parse(strFromU8(now["samples/a_epoch_1.json"] ?? new Uint8Array())).messages, [user("changed")]);
    assert.ok(Buffer.from(written).equals(Buffer.from(transcript.encode(views))));
  });

  test("without samples is none that can be read", async () => {
    await assert.rejects(load(zipSync({ "a.txt": strToU8("x") })), { code: "UNREADABLE" });
  });
});
