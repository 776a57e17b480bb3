import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { checked, FALLBACK_REASONS, type CheckOptions, type Fallback } from "./checked.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";

const TEXT = `${"the build went on and on\n".repeat(60)}order ORD-17 failed\n[recall handle: k3x9a0bz]\n`;
const PARTS = TEXT.replace("[recall handle: k3x9a0bz]", "[recall handles: k3x9a0bz-1 k3x9a0bz-2]");

const RANGE = TEXT.replace("[recall handle: k3x9a0bz]", "[recall handles: k3x9a0bz-1…-40]");

interface Asked {
  readonly summary: string;
  readonly heard: readonly Fallback[];
}

async function ask(answer: string | Error, more: CheckOptions & { readonly instructions?: string; readonly text?: string } = {}): Promise<Asked> {
  const { instructions, text = TEXT, ...options } = more;
  const heard: Fallback[] = [];
  const summarizer: Summarizer = () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
  const fallback: Summarizer = () => Promise.resolve("fallback");
  const summarize = checked(summarizer, { fallback, onFallback: (event) => heard.push(event), ...options });
  return { summary: await summarize({ text, system: "", ...(instructions === undefined ? {} : { instructions }) }), heard };
}

test("the reasons, each with what it means", () => {
  assert.deepEqual(Object.keys(FALLBACK_REASONS), ["failed", "empty", "too-long", "invented-handle", "id-missing"]);
});

describe("what passes", () => {
  const rows: readonly [string, string, Parameters<typeof ask>[1]?][] = [
    ["a summary", "The build failed for one order."],
    ["a handle of the input", "All of it: [recall handle: k3x9a0bz]"],
    ["parts of the input, and all of it", "[recall handles: k3x9a0bz-1 k3x9a0bz-2], or recall({ handle: 'k3x9a0bz' })", { text: PARTS }],
    ["a range of the input", "[recall handles: k3x9a0bz-1…-40]", { text: RANGE }],
    [
      "parts of a range of the input",
      "handles: k3x9a0bz-3…-7, k3x9a0bz-40; recall({ handle: 'k3x9a0bz-2..-4' }), all: [recall handle: k3x9a0bz]",
      { text: RANGE },
    ],
    ["a range of parts that the input names one by one", "[recall handles: k3x9a0bz-1…-2]", { text: PARTS }],
    ["words about handles", "It says how a recall handle is used, and the handles of doors."],
    ["what was to be kept", "ORD-17 failed", { keep: ["ORD-17"], instructions: "keep `ORD-17`" }],
    ["what was to be kept and is not in the input", "one order failed", { keep: ["ORD-18"], instructions: 'keep "ORD-19"' }],
    ["the input itself", TEXT],
  ];
  for (const [name, answer, more] of rows) test(name, async () => assert.deepEqual(await ask(answer, more), { summary: answer, heard: [] }));
});

describe("what the fallback takes over", () => {
  const boom = new Error("boom");
  const rows: readonly [Fallback, string | Error, Parameters<typeof ask>[1]?][] = [
    [{ reason: "failed", detail: boom }, boom],
    [{ reason: "empty", detail: undefined }, ""],
    [{ reason: "empty", detail: undefined }, " \n "],
    [{ reason: "empty", detail: undefined }, undefined as unknown as string],
    [{ reason: "too-long", detail: undefined }, `${TEXT}!`],
    [{ reason: "too-long", detail: undefined }, "😀".repeat(TEXT.length / 2)],
    [{ reason: "invented-handle", detail: "zzzzzzzz" }, "[recall handle: zzzzzzzz] has the rest"],
    [{ reason: "invented-handle", detail: "zzzzzzzz" }, 'call recall({ "handle": "zzzzzzzz" })'],
    [{ reason: "invented-handle", detail: "zzzzzzzz-1" }, "[recall handles: zzzzzzzz-1 zzzzzzzz-2]"],
    [{ reason: "invented-handle", detail: "zzzzzzzz" }, "[recall handles: k3x9a0bz-1 zzzzzzzz]", { text: PARTS }],
    [{ reason: "invented-handle", detail: "k3x9a0bz-3" }, "The handles: k3x9a0bz-1, k3x9a0bz-3", { text: PARTS }],
    [{ reason: "invented-handle", detail: "k3x9a0bz-1" }, "[recall handle: k3x9a0bz-1]"],
    [{ reason: "invented-handle", detail: "k3x9a0bz-1…-41" }, "[recall handles: k3x9a0bz-1…-41]", { text: RANGE }],
    [{ reason: "invented-handle", detail: "k3x9a0bz-41" }, "[recall handles: k3x9a0bz-2 k3x9a0bz-41]", { text: RANGE }],
    [{ reason: "invented-handle", detail: "k3x9a0bz-0…-3" }, "handle: k3x9a0bz-0…-3", { text: RANGE }],
    [{ reason: "invented-handle", detail: "k3x9a0bz-7…-3" }, "[recall handles: k3x9a0bz-7…-3]", { text: RANGE }],
    [{ reason: "invented-handle", detail: "zzzzzzzz-1…-40" }, "[recall handles: zzzzzzzz-1…-40]", { text: RANGE }],
    [{ reason: "invented-handle", detail: "k3x9a0bz-1…-3" }, "[recall handles: k3x9a0bz-1…-3]", { text: PARTS }],
    [{ reason: "id-missing", detail: "ORD-17" }, "one order failed", { keep: ["ORD-17"] }],
    [{ reason: "id-missing", detail: "ORD-17" }, "one order failed", { instructions: "keep `ORD-17`" }],
  ];
  for (const [fallback, answer, more] of rows) {
    test(`${fallback.reason}: ${String(answer).slice(0, 40)}`, async () => {
      const { summary, heard } = await ask(answer, more);
      assert.deepEqual(heard, [fallback]);
      assert.equal(summary, `[The summarizer's own answer was not used: ${fallback.reason}. This is the fallback's.]\nfallback`);
    });
  }
});

test("a text that is shorter than the line gets the fallback's answer without it", async () => {
  const { summary, heard } = await ask("", { text: "short text" });
  assert.deepEqual([summary, heard.length], ["fallback", 1]);
});

test("by default the fallback is extractive, and it stays within the target with the line", async () => {
  const summary = await checked(() => Promise.resolve(""))({ text: TEXT, system: "", targetTokens: 90, instructions: "orders" });
  assert.match(summary, /^\[The summarizer's own answer was not used: empty\. This is the fallback's\.\]\n[^]*order ORD-17 failed/);
  assert.ok(estimateTokens(summary) <= 90);
});

test("what the caller aborts is thrown, not summarized", async () => {
  const stop = new AbortController();
  const summarize = checked(({ signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error))), {
    fallback: () => Promise.resolve("fallback"),
  });
  const asked = summarize({ text: TEXT, system: "", signal: stop.signal });
  stop.abort(new Error("enough"));
  await assert.rejects(asked, /enough/);
});

test("options that make no sense are refused", () => {
  const summarizer: Summarizer = () => Promise.resolve("");
  for (const options of [{ keep: "a" }, { keep: [1] }, { fallback: "x" }, { onFallback: 1 }, { other: 1 }])
    assert.throws(() => checked(summarizer, options as CheckOptions), PalimpsestError);
  assert.throws(() => checked("x" as unknown as Summarizer), PalimpsestError);
});
