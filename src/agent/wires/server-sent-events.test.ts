import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkAsyncProperty } from "../../../test/support/check-property.ts";
import { DONE, parseEvent, readServerSentEvents, toServerSentEvent, writeServerSentEvent, type ServerSentPart } from "./server-sent-events.ts";

function streamOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let from = 0; from < bytes.length; from += size) controller.enqueue(bytes.subarray(from, from + size));
      controller.close();
    },
  });
}

async function partsOf(text: string, size = text.length): Promise<ServerSentPart[]> {
  return await collect(readServerSentEvents(streamOf(new TextEncoder().encode(text), Math.max(size, 1))));
}

async function collect(parts: AsyncIterable<ServerSentPart>): Promise<ServerSentPart[]> {
  const all: ServerSentPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

describe("readServerSentEvents", () => {
  const streams: readonly (readonly [what: string, text: string, parts: readonly ServerSentPart[]])[] = [
    ["an event with a name", 'event: ping\ndata: {"type": "ping"}\n\n', [{ kind: "event", event: "ping", data: '{"type": "ping"}' }]],
    ["events without a name, and the end of a chat", "data: {}\n\ndata: [DONE]\n\n", [{ kind: "event", data: "{}" }, DONE]],
    [
      "lines that end as Windows has them",
      "data: a\r\n\r\ndata: b\r\n\r\n",
      [
        { kind: "event", data: "a" },
        { kind: "event", data: "b" },
      ],
    ],
    ["data of several lines", "data: a\ndata:\ndata: b\n\n", [{ kind: "event", data: "a\n\nb" }]],
    [
      "a comment between events",
      ": OPENROUTER PROCESSING\n\ndata: a\n\n",
      [
        { kind: "comment", comment: "OPENROUTER PROCESSING" },
        { kind: "event", data: "a" },
      ],
    ],
    [
      "ids and a time to wait",
      "retry: 300\nid: 7\ndata: a\n\n",
      [
        { kind: "retry", retryMs: 300 },
        { kind: "event", id: "7", data: "a" },
      ],
    ],
    ["fields that nobody knows", "odd: 1\ndata: a\n\n", [{ kind: "event", data: "a" }]],
    ["an event that broke off", 'data: a\n\ndata: {"b', [{ kind: "event", data: "a" }]],
    ["nothing", "", []],
  ];
  for (const [what, text, parts] of streams)
    for (const size of [1, 2, 1000])
      it(`reads ${what}, ${size} bytes at a time`, async () => {
        assert.deepEqual(await partsOf(text, size), parts);
      });

  it("gives each event as soon as it has come", async () => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const events = readServerSentEvents(new ReadableStream({ start: (given) => void (controller = given) }));
    controller?.enqueue(new TextEncoder().encode("data: a\n\ndata: b"));
    assert.deepEqual((await events.next()).value, { kind: "event", data: "a" });
  });

  it("releases the stream when the reader stops", async () => {
    let isCancelled = false;
    const bytes = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: a\n\ndata: b\n\n")),
      cancel: () => void (isCancelled = true),
    });
    for await (const part of readServerSentEvents(bytes)) {
      assert.deepEqual(part, { kind: "event", data: "a" });
      break;
    }
    assert.equal(isCancelled, true);
  });

  it("reads what was written, however it is cut", async () => {
    const line = fc.string({ unit: "grapheme", maxLength: 10 }).filter((text) => !/[\r\n\0]/.test(text));
    const part: fc.Arbitrary<ServerSentPart> = fc.oneof(
      fc.record({ kind: fc.constant("event" as const), data: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")) }),
      fc.record({ kind: fc.constant("event" as const), event: line.filter((text) => text !== ""), id: line, data: line }),
      fc.record({ kind: fc.constant("comment" as const), comment: line }),
      fc.record({ kind: fc.constant("retry" as const), retryMs: fc.nat() }),
    );
    await checkAsyncProperty("read after write", [fc.array(part, { maxLength: 5 }), fc.integer({ min: 1, max: 9 })], async (parts, size) => {
      const bytes = Buffer.concat(parts.map(writeServerSentEvent));
      assert.deepEqual(
        await collect(readServerSentEvents(streamOf(bytes, size))),
        parts.map((part) => ({ ...part })),
      );
    });
  });
});

describe("events of an API", () => {
  it("are named by their type, if they have one", () => {
    assert.deepEqual(toServerSentEvent({ type: "ping" }), { kind: "event", event: "ping", data: '{"type":"ping"}' });
    assert.deepEqual(toServerSentEvent({ choices: [] }), { kind: "event", data: '{"choices":[]}' });
  });

  it("are read back from their data", () => {
    assert.deepEqual(parseEvent(toServerSentEvent({ type: "ping" })), { type: "ping" });
  });

  const without: readonly ServerSentPart[] = [
    DONE,
    { kind: "comment", comment: "{}" },
    { kind: "retry", retryMs: 1 },
    { kind: "event", data: '{"a' },
    { kind: "event", data: "[]" },
  ];
  for (const part of without)
    it(`are not in ${JSON.stringify(part)}`, () => {
      assert.equal(parseEvent(part), undefined);
    });
});
