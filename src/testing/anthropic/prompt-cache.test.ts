import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { InputCounts } from "../protocol.ts";
import { readApiRequest, type Json } from "./api-request.ts";
import { createPromptCache } from "./prompt-cache.ts";

/** What only OpenAI has. */
const NONE = { cacheWrite30m: 0, cacheWrite12h: 0 };

/** One letter is one block of 100 tokens; `*` after it marks it for five minutes, `!` for an hour. */
function blocks(letters: string): Json[] {
  return Array.from(letters.matchAll(/(\w)([*!]?)/g), ([, text = "", mark]) => ({
    type: "text",
    text,
    ...(mark === "" ? {} : { cache_control: { type: "ephemeral", ...(mark === "!" ? { ttl: "1h" } : {}) } }),
  }));
}

interface Sent {
  readonly atMinute: number;
  readonly system?: string;
  readonly user: string;
  readonly more?: Json;
  /** Hundreds of tokens: read, written for five minutes, written for an hour, the rest. */
  readonly expected: readonly [read: number, write5m: number, write1h: number, uncached: number];
}

const LONG = "abcdefghijklmnopqrstuvwxyz";

const CASES: Readonly<Record<string, readonly Sent[]>> = {
  "nothing is cached without a marker": [
    { atMinute: 0, user: LONG, expected: [0, 0, 0, 26] },
    { atMinute: 1, user: LONG, expected: [0, 0, 0, 26] },
  ],
  "a marker writes, and the next request reads what it wrote": [
    { atMinute: 0, user: "abcdefghijkl*", expected: [0, 12, 0, 0] },
    { atMinute: 1, user: "abcdefghijklmn*", expected: [12, 2, 0, 0] },
    { atMinute: 2, user: "abcdefghijklmnop", expected: [0, 0, 0, 16] },
  ],
  "below the minimum nothing is written, silently": [
    { atMinute: 0, user: "abc*", expected: [0, 0, 0, 3] },
    { atMinute: 1, user: "abc*", expected: [0, 0, 0, 3] },
    { atMinute: 2, user: "abcdefghij*", expected: [0, 10, 0, 0] },
  ],
  "an entry lives five minutes from its last use": [
    { atMinute: 0, user: "abcdefghijkl*", expected: [0, 12, 0, 0] },
    { atMinute: 4, user: "abcdefghijkl*", expected: [12, 0, 0, 0] },
    { atMinute: 8, user: "abcdefghijkl*", expected: [12, 0, 0, 0] },
    { atMinute: 14, user: "abcdefghijkl*", expected: [0, 12, 0, 0] },
  ],
  "an hour where it was asked for": [
    { atMinute: 0, user: "abcdefghijkl!", expected: [0, 0, 12, 0] },
    { atMinute: 50, user: "abcdefghijkl!mn*", expected: [12, 2, 0, 0] },
    { atMinute: 109, user: "abcdefghijkl!", expected: [12, 0, 0, 0] },
    { atMinute: 170, user: "abcdefghijkl!", expected: [0, 0, 12, 0] },
  ],
  "a change takes all that follows": [
    { atMinute: 0, user: "abcdefghijkl*", expected: [0, 12, 0, 0] },
    { atMinute: 1, user: "abcdefghijkx*", expected: [0, 12, 0, 0] },
  ],
  "an entry is found 20 positions back, counting the marked one, and no further": [
    { atMinute: 0, user: "abcdefghij*", expected: [0, 10, 0, 0] },
    { atMinute: 1, user: "abcdefghijklmnopqrstuvwxyzABC*", expected: [10, 19, 0, 0] },
    { atMinute: 2, system: "s", user: "abcdefghij*", expected: [0, 11, 0, 0] },
    { atMinute: 3, system: "s", user: "abcdefghijklmnopqrstuvwxyzABCD*", expected: [0, 31, 0, 0] },
  ],
  "stable content that was never marked is not found": [
    { atMinute: 0, user: "abcdefghijkl*", expected: [0, 12, 0, 0] },
    { atMinute: 1, user: "abcdefghijk*", expected: [0, 11, 0, 0] },
  ],
  "an earlier marker helps where the last one finds nothing": [
    { atMinute: 0, system: "abcdefghijkl*", user: "m", expected: [0, 12, 0, 1] },
    { atMinute: 1, system: "abcdefghijkl*", user: "mnopqrstuvwxyzABCDEFGHIJKLMN*", expected: [12, 28, 0, 0] },
  ],
  "mixed times to live: read up to A, an hour up to B, five minutes up to C": [
    { atMinute: 0, system: "abcdefghijkl!", user: "m", expected: [0, 0, 12, 1] },
    { atMinute: 1, system: "abcdefghijkl!", user: "mn!op*q", expected: [12, 2, 2, 1] },
  ],
  "`cache_control` of the request marks the last block": [
    { atMinute: 0, user: "abcdefghijkl", more: { cache_control: { type: "ephemeral" } }, expected: [0, 12, 0, 0] },
    { atMinute: 1, user: "abcdefghijklm", more: { cache_control: { type: "ephemeral" } }, expected: [12, 1, 0, 0] },
  ],
  "tool_choice is part of the messages, not of system": [
    { atMinute: 0, system: "abcdefghijkl*", user: "mno*", expected: [0, 15, 0, 0] },
    { atMinute: 1, system: "abcdefghijkl*", user: "mno*", more: { tool_choice: { type: "none" } }, expected: [12, 3, 0, 0] },
  ],
  "another model has another cache": [
    { atMinute: 0, user: "abcdefghijkl*", expected: [0, 12, 0, 0] },
    { atMinute: 1, user: "abcdefghijkl*", more: { model: "other" }, expected: [0, 12, 0, 0] },
  ],
};

describe("the prompt cache (F)", () => {
  for (const [name, requests] of Object.entries(CASES)) {
    it(name, () => {
      const cache = createPromptCache(1000, () => 100);
      requests.forEach(({ atMinute, system = "", user, more, expected }, index) => {
        const body = { model: "m", system: blocks(system), messages: [{ role: "user", content: blocks(user) }], ...more };
        const [cacheRead, cacheWrite5m, cacheWrite1h, uncached] = expected.map((hundreds) => hundreds * 100);
        const counts = cache.use(readApiRequest(body, {}), atMinute * 60_000);
        assert.deepEqual(counts, { uncached, cacheRead, cacheWrite5m, cacheWrite1h, ...NONE } as InputCounts, `request ${index}`);
      });
    });
  }

  it("counts a marker inside of a tool result at the result", () => {
    const cache = createPromptCache(0, () => 100);
    const content = [{ type: "text", text: "x", cache_control: { type: "ephemeral" } }];
    const body = {
      model: "m",
      messages: [
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content },
            { type: "text", text: "y" },
          ],
        },
      ],
    };
    assert.deepEqual(cache.use(readApiRequest(body, {}), 0), { uncached: 100, cacheRead: 0, cacheWrite5m: 100, cacheWrite1h: 0, ...NONE });
  });
});
