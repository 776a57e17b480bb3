import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { modelInfo, type ModelInfo, type ModelOverride } from "./index.ts";

/** What is said of a name, and which model it is taken for. */
function heard(name: string): { readonly info: ModelInfo; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  return { info: modelInfo(name, { onWarning: (message) => warnings.push(message) }), warnings };
}

describe("names that are known, however they are written", () => {
  const rows: Readonly<Record<string, string>> = {
    "claude-opus-4-5-20251101": "claude-opus-4-5",
    "anthropic/claude-sonnet-4.6": "claude-sonnet-4-6",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0": "claude-sonnet-4-5",
    "claude-sonnet-4-5@20250929": "claude-sonnet-4-5",
    "openai/gpt-5": "gpt-5",
    "gpt-5.6-sol": "gpt-5.6-sol",
    "litellm_proxy/claude-3-5-sonnet-20241022": "claude-3-5-sonnet",
    "google/gemini-3-pro-preview": "gemini-3-pro-preview",
    "gemini-3.1-pro": "gemini-3.1-pro-preview",
    "claude-3-7-sonnet-20250219": "claude-3-7-sonnet",
    "claude-sonnet-4-20250514": "claude-sonnet-4",
    "gpt-4o-mini-2024-07-18": "gpt-4o-mini",
    "gpt-5.3-codex": "gpt-5.3-codex",
    o3: "o3",
  };
  for (const [name, id] of Object.entries(rows)) {
    test(name, () => {
      const { info, warnings } = heard(name);
      assert.deepEqual([info.id, warnings], [id, []]);
    });
  }
});

describe("names that are not: the nearest relative, and a warning", () => {
  const rows: Readonly<Record<string, string>> = {
    "claude-opus-6": "claude-opus-5-5",
    "claude-opus-5-2": "claude-opus-5",
    "claude-opus-5-3": "claude-opus-5-5",
    "claude-3-6-sonnet": "claude-3-5-sonnet", // as near to 3.7: the older
    "claude-mythos-5-2": "claude-fable-5-2",
    "claude-3-opus-20240229": "claude-opus-4",
    "claude-haiku-latest": "claude-haiku-5-5",
    "claude-next": "claude-sonnet-5-5",
    "gpt-5.3": "gpt-5.3-codex",
    "gpt-6.1": "gpt-6.1-sol",
    "gpt-7-luna": "gpt-6-luna",
    "gpt-4-turbo": "gpt-4o",
    "gpt-5.1-codex-mini": "gpt-5-mini",
    "o1-preview": "o3",
    "codex-mini-latest": "gpt-5.4-mini",
    "gemini-3.5-flash": "gemini-3.6-flash",
    "gemini-5": "gemini-3.1-pro-preview",
    "deepseek-v3-2-251201": "deepseek-flash",
    "deepseek-v5-pro": "deepseek-v4-pro",
  };
  for (const [name, relative] of Object.entries(rows)) {
    test(name, () => {
      const { info, warnings } = heard(name);
      assert.deepEqual(warnings, [`The model "${name}" is not in the price table. Assuming that it costs and behaves like ${relative}.`]);
      const { prices, cache } = modelInfo(relative);
      assert.deepEqual([info.id, info.prices, info.cache], [name, prices, cache]);
      assert.equal(info.assumptions[0], `everything is the same as for ${relative}`);
    });
  }

  test("a name that tells nothing", () => {
    const { info, warnings } = heard("kimi-k2.5");
    assert.deepEqual(warnings, ['The model "kimi-k2.5" is not known. Assuming prices of 1 (input), 5 (output), 0.1 (cache read), 1.25 and 2 (cache writes).']);
    assert.deepEqual(info.prices, { input: 1, output: 5, cacheRead: 0.1, cacheWrite: { "5m": 1.25, "1h": 2 } });
  });
});

describe("warnings", () => {
  test("each listener hears of a model once", () => {
    const onWarning = mock.fn();
    for (const name of ["claude-opus-7", "claude-opus-7", "claude-opus-8"]) modelInfo(name, { onWarning });
    assert.equal(onWarning.mock.callCount(), 2);
  });
  test("they are printed unless someone listens", (t) => {
    const { mock: printed } = t.mock.method(console, "warn", () => undefined);
    for (const name of ["claude-opus-9", "claude-opus-9"]) modelInfo(name);
    assert.deepEqual(
      printed.calls.map((call) => call.arguments),
      [['The model "claude-opus-9" is not in the price table. Assuming that it costs and behaves like claude-opus-5-5.']],
    );
  });
});

describe("overrides", () => {
  const withOverride = (name: string, override: ModelOverride, asked = name): ModelInfo =>
    modelInfo(asked, { models: { [name]: override }, onWarning: () => assert.fail("no warning expected") });

  test("are merged deeply", () => {
    const base = modelInfo("claude-opus-5");
    assert.deepEqual(
      withOverride("claude-opus-5", { prices: { input: 4, cacheWrite: { "1h": 9 } }, cache: { minimumTokens: 100 }, thinking: { bindsPrefix: true } }),
      {
        ...base,
        prices: { ...base.prices, input: 4, cacheWrite: { "5m": 6.25, "1h": 9 } },
        cache: { ...base.cache, minimumTokens: 100 },
        thinking: { ...base.thinking, bindsPrefix: true },
      },
    );
  });
  test("an empty one changes nothing, nor does undefined", () => {
    const base = modelInfo("gpt-6.1-sol");
    assert.deepEqual(withOverride("gpt-6.1-sol", {}), base);
    assert.deepEqual(withOverride("gpt-6.1-sol", { windowTokens: undefined, prices: { input: undefined } } as unknown as ModelOverride), base);
  });
  test("are found however either name is written", () =>
    assert.equal(withOverride("claude-opus-4.5", { windowTokens: 5 }, "anthropic/claude-opus-4-5-20251101").windowTokens, 5));
  test("leave other models alone", () => assert.deepEqual(modelInfo("gpt-5", { models: { "gpt-5.1": { windowTokens: 5 } } }), modelInfo("gpt-5")));
  test("add a model, like its nearest relative", () => {
    const info = withOverride("claude-opus-6", { prices: { input: 1 } });
    assert.deepEqual([info.id, info.prices.input, info.prices.output, info.thinking.bindsPrefix], ["claude-opus-6", 1, 20, true]);
  });
  test("add a model, like any other", () => {
    const info = withOverride("my-proxy", { like: "gpt-4o", windowTokens: 64_000 });
    assert.deepEqual([info.id, info.provider, info.prices.input, info.windowTokens], ["my-proxy", "openai", 2.5, 64_000]);
  });
  test("take an announced price back, because it was announced for the old one", () => {
    assert.notEqual(modelInfo("gemini-4-argon").nextPrices, null);
    assert.equal(withOverride("gemini-4-argon", { prices: { input: 1 } }).nextPrices, null);
  });
  test("can take long-context prices away, or bring them", () => {
    assert.equal(withOverride("gpt-5.5", { longContext: null }).longContext, null);
    assert.deepEqual(withOverride("gpt-5", { longContext: { overTokens: 10, prices: { input: 9 } } }).longContext, {
      overTokens: 10,
      prices: { input: 9, output: 10, cacheRead: 0.125, cacheWrite: {} },
    });
  });
  test("leave the rest of how a model caches", () => {
    const { cache } = modelInfo("gpt-6.1-sol");
    assert.deepEqual(withOverride("gpt-6.1-sol", { cache: { minimumTokens: 7 } }).cache, { ...cache, minimumTokens: 7 });
  });
  test("can change how a model caches", () => {
    const { cache } = withOverride("gpt-5", { cache: { kind: "message-ends", minimumTokens: 7 }, prices: { cacheWrite: { "30m": 2 } } });
    assert.deepEqual(cache, {
      kind: "message-ends",
      minimumTokens: 7,
      lookupBreakpoints: 80,
      maxBreakpoints: 4,
      ttlMs: { "30m": 1_800_000 },
      defaultTtl: "30m",
    });
  });

  const refused: readonly (readonly [string, unknown])[] = [
    ["price", { price: {} }],
    ["like", { like: 5 }],
    ["provider", { provider: "mistral" }],
    ["prices", { prices: 3 }],
    ["prices.input", { prices: { input: -1 } }],
    ["prices.cacheWrite.1d", { prices: { cacheWrite: { "1d": 1 } } }],
    ["prices.cacheWrite.12h", { cache: { ttlMs: { "12h": 1 } } }],
    ["longContext.overTokens", { longContext: {} }],
    ["longContext.prices.output", { longContext: { overTokens: 1, prices: { output: "5" } } }],
    ["cache.kind", { cache: { kind: "magic" } }],
    ["cache.stepTokens", { cache: { stepTokens: 128 } }],
    ["cache.minimumTokens", { cache: { minimumTokens: 0.5 } }],
    ["cache.ttlMs", { cache: { ttlMs: 5 } }],
    ["cache.defaultTtl", { cache: { defaultTtl: "12h" } }],
    ["prices.cacheWrite.30m", { cache: { kind: "message-ends" } }],
    ["windowTokens", { windowTokens: 0 }],
    ["thinking.mode", { thinking: { mode: "on" } }],
    ["tokenFactor", { tokenFactor: 0 }],
  ];
  for (const [path, override] of refused) {
    test(`out of range: ${path}`, () => {
      assert.throws(
        () => modelInfo("claude-opus-5", { models: { "claude-opus-5": override as ModelOverride } }),
        (error) => error instanceof PalimpsestError && error.code === "INVALID_OPTION" && error.data["path"] === `options.models.claude-opus-5.${path}`,
      );
    });
  }
});

for (const model of ["", "  ", undefined, 5]) {
  test(`no name: ${JSON.stringify(model)}`, () => {
    assert.throws(
      () => modelInfo(model as string),
      (error) => error instanceof PalimpsestError && error.code === "INVALID_INPUT" && error.data["path"] === "model",
    );
  });
}
