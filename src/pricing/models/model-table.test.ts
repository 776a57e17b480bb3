/**
 * The table against the file that it was taken from, which is no part of this repository: PALIMPSEST_PRICES names it.
 * What stands there and is not repeated here is pinned below.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { lineageOf } from "../names/lineage.ts";
import { modelKey } from "../names/model-key.ts";
import { MODELS } from "./model-table.ts";
import type { ModelInfo, Prices } from "./model.ts";
import { OLDER_MODELS } from "./older-models.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const named = process.env["PALIMPSEST_PRICES"] ?? "";
const file = resolve(root, named);

interface PriceRow {
  readonly in: number;
  readonly out: number;
  readonly cr: number;
  readonly cw5m?: number;
  readonly cw1h?: number;
  readonly cw30m?: number | null;
  readonly cw12h?: number;
}
interface Row extends PriceRow {
  readonly minCache?: number | null;
  readonly ctx?: number;
  readonly asOf: string;
  readonly longCtx?: Partial<PriceRow> & { readonly over: number; readonly inMul?: number; readonly outMul?: number };
  readonly peakMul?: number;
  readonly "from_2026-12-01"?: PriceRow;
}

function pricesIn(row: PriceRow): Prices {
  const written = { "5m": row.cw5m, "1h": row.cw1h, "30m": row.cw30m ?? undefined, "12h": row.cw12h };
  const cacheWrite = Object.fromEntries(Object.entries(written).filter(([, price]) => price !== undefined));
  return { input: row.in, output: row.out, cacheRead: row.cr, cacheWrite };
}

function longPrices({ longCtx, ...row }: Row): Prices {
  const { inMul = 1, outMul = 1, over: _over, ...given } = longCtx ?? { over: 0 };
  const factors = { in: inMul, out: outMul, cr: inMul, cw5m: inMul, cw1h: inMul, cw30m: inMul, cw12h: inMul };
  const scaled = Object.entries(factors).flatMap(([key, factor]) => {
    const price = row[key as keyof PriceRow];
    return typeof price === "number" ? [[key, price * factor]] : [];
  });
  return pricesIn({ ...(Object.fromEntries(scaled) as PriceRow), ...given });
}

const byId = new Map(MODELS.map((model) => [model.id, model]));
function modelOf(id: string): ModelInfo {
  return byId.get(id) ?? assert.fail(`${id} is not in the table`);
}

const where = named !== "" ? {} : { skip: "PALIMPSEST_PRICES does not name a price table" };

describe("the price table", where, () => {
  const { _note, ...providers } = named !== "" ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, Row>>) : {};

  for (const [provider, rows] of Object.entries(providers)) {
    for (const [id, row] of Object.entries(rows)) {
      test(id, () => {
        const model = modelOf(id);
        const next = row["from_2026-12-01"];
        assert.equal(model.provider, provider);
        assert.deepEqual(model.prices, pricesIn(row));
        assert.deepEqual(model.longContext, row.longCtx === undefined ? null : { overTokens: row.longCtx.over, prices: longPrices(row) });
        assert.deepEqual(model.nextPrices, next === undefined ? null : { from: "2026-12-01", prices: pricesIn(next) });
        assert.equal(model.peakHours?.factor, row.peakMul);
        assert.equal(model.asOf, row.asOf);
        if (typeof row.minCache === "number") assert.equal(model.cache.minimumTokens, row.minCache);
        if (row.ctx !== undefined) assert.equal(model.windowTokens, row.ctx);
        // What the file does not say is an assumption, and says so.
        const lacks = [row.minCache === null, row.ctx === undefined, provider === "deepseek"].filter(Boolean).length;
        assert.ok(model.assumptions.length >= lacks, `${id} states ${model.assumptions.length} assumptions, ${lacks} are needed`);
      });
    }
  }

  test("has no model that the file lacks, but for those named as older", () => {
    const listed = Object.values(providers).flatMap((rows) => Object.keys(rows));
    const older = OLDER_MODELS.map(({ id }) => id);
    assert.deepEqual(
      MODELS.map(({ id }) => id),
      [...listed, ...older],
    );
  });
});

describe("literals", () => {
  const anthropicCache = { kind: "markers", lookbackBlocks: 20, maxBreakpoints: 4, ttlMs: { "5m": 300_000, "1h": 3_600_000 }, defaultTtl: "5m" };

  test("claude-fable-5-2", () => {
    assert.deepEqual(modelOf("claude-fable-5-2"), {
      id: "claude-fable-5-2",
      provider: "anthropic",
      prices: { input: 8, output: 40, cacheRead: 0.2, cacheWrite: { "5m": 10, "1h": 16 } },
      longContext: null,
      peakHours: null,
      nextPrices: null,
      cache: { ...anthropicCache, minimumTokens: 512 },
      windowTokens: 1_000_000,
      thinking: { mode: "adaptive", bindsPrefix: true, keepsEarlierTurns: true },
      prefill: false,
      tokenFactor: 1.1 * 1.325,
      asOf: "2026-11-09",
      source: "developersdigest.tech 2026-11-09 (input, output, cache read)",
      assumptions: ["cache writes are 1.25 and 2 times the input price", "the smallest cacheable prompt is that of Fable 5.1"],
    });
  });
  test("claude-sonnet-4-5", () => {
    const { prices, cache, thinking, tokenFactor } = modelOf("claude-sonnet-4-5");
    assert.deepEqual(
      { prices, cache, thinking, tokenFactor },
      {
        prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: { "5m": 3.75, "1h": 6 } },
        cache: { ...anthropicCache, minimumTokens: 1024 },
        thinking: { mode: "manual", bindsPrefix: false, keepsEarlierTurns: false },
        tokenFactor: 1.1,
      },
    );
  });
  test("the tokenizer changed after 4.6", () =>
    assert.deepEqual(
      ["claude-opus-4-6", "claude-opus-4-7"].map((id) => modelOf(id).tokenFactor),
      [1.1, 1.4575],
    ));
  test("who keeps thinking of earlier turns", () =>
    assert.deepEqual(
      ["claude-opus-4-1", "claude-opus-4-5", "claude-sonnet-4-5", "claude-sonnet-4-6", "claude-haiku-4-5", "claude-fable-5"].map(
        (id) => modelOf(id).thinking.keepsEarlierTurns,
      ),
      [false, true, false, true, false, true],
    ));
  test("gpt-6.1-terra", () => {
    const { prices, longContext, cache } = modelOf("gpt-6.1-terra");
    assert.deepEqual(
      { prices, longContext, cache },
      {
        prices: { input: 1, output: 5, cacheRead: 0.05, cacheWrite: { "30m": 1.25, "12h": 2.5 } },
        longContext: { overTokens: 272_000, prices: { input: 2, output: 7.5, cacheRead: 0.1, cacheWrite: { "30m": 2.5, "12h": 5 } } },
        cache: {
          kind: "message-ends",
          minimumTokens: 1024,
          lookupBreakpoints: 80,
          maxBreakpoints: 4,
          ttlMs: { "30m": 1_800_000, "12h": 43_200_000 },
          defaultTtl: "30m",
        },
      },
    );
  });
  test("gpt-5.5", () => {
    const { prices, cache } = modelOf("gpt-5.5");
    assert.deepEqual(prices, { input: 5, output: 30, cacheRead: 0.5, cacheWrite: {} });
    assert.deepEqual(cache, { kind: "prefix", minimumTokens: 1024, stepTokens: 128, idleMs: 1_800_000 });
  });
  test("deepseek-flash", () => {
    const { peakHours, cache } = modelOf("deepseek-flash");
    assert.deepEqual(peakHours, {
      factor: 2,
      hoursUtc: [
        [1, 4],
        [6, 10],
      ],
    });
    assert.deepEqual(cache, { kind: "prefix", minimumTokens: 64, stepTokens: 64, idleMs: 3_600_000 });
  });
  test("older models have prices of their own, and the rules of a listed one", () => {
    const { prices, cache, windowTokens, assumptions } = modelOf("claude-3-5-haiku");
    assert.deepEqual(prices, { input: 0.8, output: 4, cacheRead: 0.08000000000000002, cacheWrite: { "5m": 1, "1h": 1.6 } });
    assert.deepEqual([cache.minimumTokens, windowTokens, assumptions[0]], [2048, 200_000, "everything except the prices is the same as for claude-haiku-4-5"]);
  });
});

describe("every row", () => {
  test("has a name that leads to it alone", () => assert.equal(new Set(MODELS.map(({ id }) => modelKey(id))).size, MODELS.length));
  test("belongs to the family that its name tells", () => {
    for (const { id, provider } of MODELS) assert.equal(lineageOf(id).provider, provider, id);
  });
  test("has a price for every time to live, in a long context too", () => {
    for (const { id, cache, prices, longContext } of MODELS) {
      const ttls = "ttlMs" in cache ? Object.keys(cache.ttlMs).sort() : [];
      for (const { cacheWrite } of [prices, longContext?.prices ?? prices]) assert.deepEqual(Object.keys(cacheWrite).sort(), ttls, id);
    }
  });
  test("all older ones are like a listed one", () => assert.equal(MODELS.filter(({ id }) => OLDER_MODELS.some((older) => older.id === id)).length, 13));
});
