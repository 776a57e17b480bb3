import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { startProviderDouble, type Fault, type ProviderDouble, type ProviderDoubleOptions } from "../index.ts";

const open: ProviderDouble[] = [];
after(() => Promise.all(open.map((double) => double.close())));

async function start(options: ProviderDoubleOptions): Promise<{ double: ProviderDouble; client: Anthropic }> {
  const double = await startProviderDouble(options);
  open.push(double);
  return { double, client: new Anthropic({ apiKey: "key", baseURL: double.url, maxRetries: 0 }) };
}

const ASK = { model: "claude-opus-5", max_tokens: 2000, messages: [{ role: "user", content: "hello" }] } satisfies Anthropic.MessageCreateParams;
const LOOK = { text: "I look around.", calls: [{ name: "look", input: { at: "the door" } }] };

describe("faults", () => {
  const STATUSES: readonly (readonly [status: number, type: string])[] = [
    [429, "rate_limit_error"],
    [500, "api_error"],
    [529, "overloaded_error"],
  ];
  for (const [status, type] of STATUSES) {
    it(`${status}, and the SDK tries again at once`, async () => {
      const { client, double } = await start({ script: [{ text: "hi" }] });
      double.failNext(status, 2);
      await assert.rejects(client.messages.create(ASK), (error: InstanceType<typeof Anthropic.APIError>) => {
        assert.equal(error.status, status);
        assert.match(error.message, new RegExp(type));
        return true;
      });
      const answer = await client.messages.create(ASK, { maxRetries: 1 });
      assert.equal(answer.stop_reason, "end_turn");
      assert.deepEqual(
        double.requests.map((request) => [request.status, request.fault, request.rule]),
        [
          [status, status, undefined],
          [status, status, undefined],
          [200, undefined, undefined],
        ],
      );
    });
  }

  for (const fault of ["reset", "half-event"] as const satisfies Fault[]) {
    it(`${fault}, in the middle of a stream and without one`, async () => {
      const { client, double } = await start({ script: [LOOK, { text: "not used up" }] });
      double.failNext(fault, 2);
      const seen: string[] = [];
      await assert.rejects(async () => {
        for await (const event of await client.messages.create({ ...ASK, stream: true })) seen.push(event.type);
        assert.ok(seen.includes("message_stop"), "the stream was cut short");
      });
      assert.equal(seen[0], "message_start");
      assert.ok(!seen.includes("message_stop"));
      await assert.rejects(client.messages.create(ASK));
      assert.equal((await client.messages.create(ASK)).stop_reason, "tool_use");
    });
  }

  it("error-event: the stream ends in the provider's error; without a stream it is a status", async () => {
    const { client } = await start({ script: [{ ...LOOK, fault: "error-event" }, { fault: "error-event" }, { text: "hi" }] });
    await assert.rejects(client.messages.stream(ASK).finalMessage(), /overloaded_error/);
    await assert.rejects(client.messages.create(ASK), /529/);
    assert.equal((await client.messages.create(ASK)).stop_reason, "end_turn");
  });

  it("hang: nothing comes until the client gives up, or the double is closed", async () => {
    const { client, double } = await start({ script: [{ fault: "hang" }, { ...LOOK, fault: "hang" }] });
    await assert.rejects(client.messages.create(ASK, { timeout: 50 }), /timed out/);
    const stream = await client.messages.create({ ...ASK, stream: true });
    setTimeout(() => void double.close(), 50);
    await assert.rejects(async () => {
      for await (const _ of stream) continue;
    });
  });

  it("a fault in a turn is used up with its turn", async () => {
    const { client, double } = await start({ script: [{ fault: 500 }, { text: "hi" }] });
    await client.messages.create(ASK, { maxRetries: 1 });
    assert.deepEqual(
      double.requests.map(({ status }) => status),
      [500, 200],
    );
  });
});
