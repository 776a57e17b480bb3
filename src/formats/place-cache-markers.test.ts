import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Message } from "../messages/message.ts";
import type { OpenRequest } from "../messages/request.ts";
import { faults } from "../../test/support/provider-judge.ts";
import { anyTranscript, checkProperty, deepFreeze, validTranscript } from "../../test/support/transcripts.ts";
import { placeCacheMarkers } from "./place-cache-markers.ts";
import fc from "fast-check";

const MARKER = { type: "ephemeral" } as const;
const LONG = { type: "ephemeral", ttl: "1h" } as const;

const thread: Message[] = [
  { role: "user", content: "q" },
  { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "bash", input: {} }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "r" }] },
  { role: "assistant", content: [{ type: "thinking", thinking: "hm", signature: "s" }, { type: "text", text: "a" }] }, // prettier-ignore
  { role: "user", content: "next" },
];

/** Where the markers are: "position.block" with the ttl if it is 1h. */
function markersIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message, position) =>
    (typeof message.content === "string" ? [] : message.content).flatMap((block, number) => {
      const marker = (block as { cache_control?: { ttl?: string } }).cache_control;
      return marker === undefined ? [] : [`${position}.${number}${marker.ttl === "1h" ? " 1h" : ""}`];
    }),
  );
}

describe("placeCacheMarkers", () => {
  it("puts one at the tail and one on the frontier", () => {
    assert.deepEqual(markersIn(placeCacheMarkers({ messages: thread }).messages), ["4.0"]);
    assert.deepEqual(markersIn(placeCacheMarkers({ messages: thread }, { frontier: 2 }).messages), ["2.0", "4.0"]);
    assert.deepEqual(markersIn(placeCacheMarkers({ messages: thread }, { frontier: 4 }).messages), ["4.0"]);
  });

  const cases: readonly (readonly [string, OpenRequest, readonly string[]])[] = [
    [
      "not on empty text",
      {
        messages: [
          ...thread.slice(0, 4),
          {
            role: "user",
            content: [
              { type: "text", text: "x" },
              { type: "text", text: " " },
            ],
          },
        ],
      },
      ["2.0", "4.0"],
    ],
    ["not on thinking", { messages: [...thread.slice(0, 3), { role: "assistant", content: [{ type: "thinking", thinking: "t", signature: "s" }] }] }, ["2.0"]],
    ["not on a block of an unknown kind", { messages: [...thread.slice(0, 4), { role: "user", content: [{ type: "new_thing" }] }] }, ["2.0", "3.1"]],
    ["not on a system message", { messages: [...thread, { role: "system", content: "be brief" }] }, ["2.0", "4.0"]],
    ["the automatic one is the tail's", { messages: thread, cache_control: MARKER }, ["2.0"]],
    ["as long as the automatic one after it", { messages: thread, cache_control: LONG }, ["2.0 1h"]],
    ["the caller's count: one is left, for the tail", { messages: thread, system: [mark("s")], tools: [{ name: "a", cache_control: MARKER }, { name: "b", cache_control: MARKER }] }, ["4.0"]], // prettier-ignore
    ["the caller's count: none is left", { messages: thread, tools: [1, 2, 3, 4].map((n) => ({ name: `t${n}`, cache_control: MARKER })) }, []],
    ["none twice in one place", { messages: [...thread.slice(0, 4), { role: "user", content: [mark("next")] }] }, ["2.0", "4.0"]],
  ];
  for (const [name, request, expected] of cases) {
    it(name, () => {
      assert.deepEqual(markersIn(placeCacheMarkers(deepFreeze(request), { frontier: 2 }).messages), expected);
    });
  }

  it("takes the caller's ttl into account, so that no 1h comes after 5m", () => {
    const long = { messages: [...thread.slice(0, 4), { role: "user", content: [{ ...mark("n"), cache_control: LONG }] } as Message] };
    assert.deepEqual(markersIn(placeCacheMarkers(long, { frontier: 2 }).messages), ["2.0 1h", "4.0 1h"]);
    const short = { messages: thread, system: [mark("s")] };
    assert.deepEqual(markersIn(placeCacheMarkers(short, { ttl: "1h" }).messages), ["4.0"]);
    assert.deepEqual(markersIn(placeCacheMarkers({ messages: thread }, { ttl: "1h" }).messages), ["4.0 1h"]);
  });

  it("gives the same request back if there is nothing to add, and untouched messages as the same objects", () => {
    const request = { messages: [...thread.slice(0, 4), { role: "user", content: [mark("next")] } as Message] };
    assert.equal(placeCacheMarkers(request), request);
    const marked = placeCacheMarkers({ messages: thread, model: "m" });
    assert.equal(marked.model, "m");
    thread.slice(0, 4).forEach((message, position) => assert.equal(marked.messages[position], message));
  });

  it("refuses a frontier outside of the messages", () => {
    assert.throws(() => placeCacheMarkers({ messages: thread }, { frontier: 5 }), { code: "INVALID_OPTION" });
    assert.throws(() => placeCacheMarkers({ messages: thread }, { frontier: -1 }), { code: "INVALID_OPTION" });
  });

  it("never adds a fault, on any history", () => {
    checkProperty("markers: valid", [validTranscript(), fc.nat(), fc.boolean()], (messages, pick, long) => {
      const marked = placeCacheMarkers({ messages }, { frontier: pick % messages.length, ttl: long ? "1h" : "5m" });
      assert.deepEqual(faults(marked.messages), []);
      assert.equal(placeCacheMarkers(marked, { frontier: pick % messages.length }).messages.length, messages.length);
    });
    checkProperty("markers: faulty", [anyTranscript(), fc.nat()], (messages, pick) => {
      if (messages.length === 0) return;
      const before = faults(messages).filter((fault) => fault.startsWith("A6"));
      const marked = placeCacheMarkers(deepFreeze({ messages }), { frontier: pick % messages.length });
      const after = faults(marked.messages).filter((fault) => fault.startsWith("A6"));
      assert.deepEqual(after, before);
    });
  });
});

function mark(text: string): { type: string; text: string; cache_control: typeof MARKER } {
  return { type: "text", text, cache_control: MARKER };
}
