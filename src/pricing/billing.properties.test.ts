/** What holds of every bill, whatever is sent. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { res, text, think } from "../../test/support/build.ts";
import { checkProperty, deepFreeze, sameBytes } from "../../test/support/check-property.ts";
import { blocksOf, type Block, type Message } from "../messages/message.ts";
import { costOf, createBiller, modelInfo, type BilledRequest, type RequestBill } from "./index.ts";

const MODEL_IDS = ["claude-opus-5-5", "claude-sonnet-4-5", "claude-haiku-5-5", "gpt-6.1-sol", "gpt-5.5", "gemini-2.5-pro", "deepseek-flash", "no-such-model"];
const quiet = { onWarning: () => undefined };
const sized = { ...quiet, tokensOf: (value: unknown): number => Number(/\d+/.exec(JSON.stringify(value))?.[0]) };

const model = fc.constantFrom(...MODEL_IDS);
const tokens = fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 150_000 }));
const anyBlock: fc.Arbitrary<Block> = fc.tuple(tokens, fc.constantFrom("a", "b")).map(([size, name]) => text(`${size} ${name}`));
const result: fc.Arbitrary<Block> = tokens.map((size) => res("x", `${size}`));
const thinking: fc.Arbitrary<Block> = tokens.map((size) => think("s", `${size}`));
const message: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom("user", "assistant"),
  content: fc.oneof(tokens.map(String), fc.array(fc.oneof(anyBlock, result, thinking), { maxLength: 4 })),
});

/** A thread: a log that grows, is edited here and there, and is sent again and again, with markers at random. */
const thread: fc.Arbitrary<BilledRequest[]> = fc
  .tuple(
    fc.array(message, { minLength: 1, maxLength: 12 }),
    fc.option(fc.array(anyBlock, { maxLength: 2 }), { nil: undefined }),
    fc.array(
      fc.record({
        length: fc.nat(12),
        edited: fc.option(fc.nat(12), { nil: undefined }),
        markers: fc.array(fc.nat(20), { maxLength: 3 }),
        automatic: fc.boolean(),
        gapMinutes: fc.constantFrom(0, 1, 4, 6, 40, 700),
        outputTokens: fc.nat(2000),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    fc.constantFrom("5m", "1h", undefined),
    fc.boolean(),
  )
  .map(([log, system, sends, ttl, isTimed]) => {
    let atMs = 1_790_000_000_000;
    return sends.map(({ length, edited, markers, automatic, gapMinutes, outputTokens }): BilledRequest => {
      atMs += gapMinutes * 60_000;
      const marker = { type: "ephemeral" as const, ...(ttl === undefined ? {} : { ttl }) };
      const shown = log.slice(0, length).map((entry, position): Message => (position === edited ? { role: entry.role, content: "7 edited" } : entry));
      return {
        messages: withMarkers(shown, new Set(markers), marker),
        ...(system === undefined ? {} : { system }),
        ...(automatic ? { cache_control: marker } : {}),
        ...(isTimed ? { atMs } : {}),
        outputTokens,
      };
    });
  });

function withMarkers(messages: readonly Message[], at: ReadonlySet<number>, marker: object): Message[] {
  let number = 0;
  return messages.map((entry) =>
    typeof entry.content === "string"
      ? entry
      : {
          ...entry,
          content: entry.content.map((block) => {
            const isMarked = at.has(number++) && block.type !== "thinking";
            return isMarked ? { ...block, cache_control: marker, prompt_cache_breakpoint: { mode: "explicit" } } : block;
          }),
        },
  );
}

const writtenTokens = ({ cacheWrite }: RequestBill): number => Object.values(cacheWrite).reduce((sum, count) => sum + count, 0);

describe("a bill", () => {
  test("bills every token exactly once, and nothing below zero", () => {
    checkProperty("once", [thread, model], (requests, id) => {
      for (const bill of costOf(requests, id, sized).requests) {
        assert.equal(bill.uncached + bill.cacheRead + writtenTokens(bill), bill.inputTokens);
        for (const number of [bill.uncached, bill.cacheRead, ...Object.values(bill.cacheWrite), bill.dollars]) assert.ok(number >= 0);
      }
    });
  });

  test("counts all that was sent, but for thinking that the model forgets", () => {
    checkProperty("all", [thread, model], (requests, id) => {
      const { thinking: rules } = modelInfo(id, quiet);
      const bills = costOf(requests, id, sized).requests;
      requests.forEach(({ system, messages }, number) => {
        const blocks: readonly unknown[] = [...((system ?? []) as readonly Block[]), ...messages.flatMap(blocksOf)];
        const total = blocks.reduce((sum: number, block) => sum + sized.tokensOf(block), 0);
        const billed = bills[number]?.inputTokens ?? 0;
        assert.ok(rules.keepsEarlierTurns ? billed === total : billed <= total, `${billed} of ${total}`);
      });
    });
  });

  test("is the same for the same requests, as a whole or one by one, for the same objects or equal ones", () => {
    checkProperty("same", [thread, model], (requests, id) => {
      const bill = costOf(requests, id, quiet);
      assert.deepEqual(costOf(structuredClone(requests), id, quiet), bill);
      const biller = createBiller(id, quiet);
      assert.deepEqual(
        requests.map((request) => biller.bill(request)),
        bill.requests,
      );
    });
  });

  test("leaves the requests as they are", () => {
    checkProperty("untouched", [thread, model], (requests, id) => {
      const before = structuredClone(requests);
      costOf(deepFreeze(requests), id, quiet);
      return sameBytes(before, requests);
    });
  });

  test("never reads what no earlier request sent", () => {
    checkProperty("reads", [thread, model], (requests, id) => {
      const { requests: bills } = costOf(requests, id, sized);
      assert.equal(bills[0]?.cacheRead, 0);
      bills.forEach(({ cacheRead }, number) => {
        const largest = Math.max(0, ...bills.slice(0, number).map(({ inputTokens }) => inputTokens));
        assert.ok(cacheRead <= largest, `${cacheRead} read, ${largest} sent before`);
      });
    });
  });
});

describe("a log that only grows, with a marker at its tail", () => {
  const turns = fc.array(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: 25 })), { minLength: 1, maxLength: 12 });
  const claude = fc.constantFrom("claude-opus-5-5", "claude-sonnet-4-5", "claude-opus-4-5");

  /** Every turn adds this many blocks of this size. */
  function growing(added: readonly (readonly [number, number])[]): BilledRequest[] {
    const messages: Message[] = [];
    return added.map(([size, count], number) => {
      const content = Array.from({ length: count }, (_, block) => ({ type: "text", text: `${size} ${number}.${block}` }));
      messages.push({ role: "user", content });
      return { messages: [...messages], cache_control: { type: "ephemeral" } };
    });
  }

  test("never costs more than writing all of it each time", () => {
    checkProperty("bounded", [turns, claude], (added, id) => {
      const { prices } = modelInfo(id);
      const { total } = costOf(growing(added), id, sized);
      assert.ok(total.dollars <= (total.inputTokens * (prices.cacheWrite["5m"] ?? 0)) / 1_000_000 + 1e-9);
    });
  });

  test("is written once, if no turn adds 20 blocks and the first is large enough", () => {
    checkProperty("written once", [turns, claude], (added, id) => {
      const small = added.map(([size, count], number): [number, number] => [number === 0 ? 5000 : size, Math.min(count, 19)]);
      const { requests: bills } = costOf(growing(small), id, sized);
      bills.forEach((bill, number) => {
        assert.equal(bill.cacheRead, number === 0 ? 0 : bills[number - 1]?.inputTokens);
        assert.equal(bill.uncached, 0);
      });
    });
  });
});
