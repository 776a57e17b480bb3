import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { cases, seed } from "../../../test/support/transcripts.ts";
import { createBiller } from "../../pricing/index.ts";
import { readApiRequest, type Json } from "./api-request.ts";
import { createPromptCache } from "./prompt-cache.ts";
import { cacheRefusals } from "./rules/cache.ts";

/** A request: how many blocks its prompt has, where it is marked, what is changed, and how long after the one before it is sent. */
interface Sent {
  readonly systemBlocks: number;
  readonly blocks: number;
  readonly changed: number | undefined;
  readonly markers: readonly { readonly at: number; readonly isLong: boolean }[];
  readonly isAutomatic: boolean;
  readonly waitMinutes: number;
  readonly choice: string | undefined;
}

const sent: fc.Arbitrary<Sent> = fc.record({
  systemBlocks: fc.constantFrom(0, 2, 2, 2, 2, 2, 2),
  blocks: fc.integer({ min: 20, max: 45 }),
  changed: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat({ max: 45 }) }),
  markers: fc.array(fc.record({ at: fc.constantFrom(1, 4, 9, 15, 28, 40), isLong: fc.boolean() }), { minLength: 1, maxLength: 4 }),
  isAutomatic: fc.nat({ max: 3 }).map((number) => number === 0),
  waitMinutes: fc.constantFrom(0, 1, 1, 3, 3, 6, 40, 70),
  choice: fc.constantFrom(...Array.from({ length: 8 }, () => undefined), "none"),
});

/** Two readings of section F that share no code: what a session costs (src/pricing), and what the double reports. */
it("the double's cache and the bills of palimpsest/pricing agree", () => {
  const seen = { requests: 0, reads: 0, longWrites: 0 };
  fc.assert(
    fc.property(fc.array(sent, { minLength: 2, maxLength: 8 }), (requests) => {
      const cache = createPromptCache(512, () => 100);
      const biller = createBiller("claude-opus-5", { tokensOf: () => 100 });
      let nowMs = 0;
      for (const request of requests) {
        nowMs += request.waitMinutes * 60_000;
        const body = bodyOf(request);
        const read = readApiRequest(body, {});
        if (cacheRefusals(read).next().done !== true) continue;
        const counts = cache.use(read, nowMs);
        const { uncached, cacheRead, cacheWrite } = biller.bill({ ...body, atMs: nowMs } as unknown as Parameters<typeof biller.bill>[0]);
        assert.deepEqual(counts, {
          uncached,
          cacheRead,
          cacheWrite5m: cacheWrite["5m"] ?? 0,
          cacheWrite1h: cacheWrite["1h"] ?? 0,
          cacheWrite30m: 0,
          cacheWrite12h: 0,
        });
        seen.requests += 1;
        seen.reads += cacheRead > 0 ? 1 : 0;
        seen.longWrites += counts.cacheWrite1h > 0 ? 1 : 0;
      }
    }),
    { numRuns: 3 * cases(), seed: seed(), endOnFailure: true },
  );
  assert.ok(seen.requests > 500 && seen.reads > 100 && seen.longWrites > 100, JSON.stringify(seen));
});

function bodyOf({ systemBlocks, blocks, changed, markers, isAutomatic, choice }: Sent): Json {
  const all = Array.from({ length: systemBlocks + blocks }, (_, index): Json => {
    const marker = markers.find(({ at }) => at === index);
    const ttl = marker?.isLong === true ? { ttl: "1h" } : {};
    const text = index === changed ? `changed ${index}` : `block ${index}`;
    return { type: "text", text, ...(marker === undefined ? {} : { cache_control: { type: "ephemeral", ...ttl } }) };
  });
  return {
    model: "claude-opus-5",
    system: all.slice(0, systemBlocks),
    messages: [{ role: "user", content: all.slice(systemBlocks) }],
    ...(isAutomatic ? { cache_control: { type: "ephemeral" } } : {}),
    ...(choice === undefined ? {} : { tool_choice: { type: choice } }),
  };
}
