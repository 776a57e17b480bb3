import assert from "node:assert/strict";
import { it } from "node:test";
import type OpenAI from "openai";
import { forFormat } from "../src/formats/for-format.ts";
import { openaiResponses } from "../src/formats/openai-responses/openai-responses.ts";

type Input = OpenAI.Responses.ResponseInputItem[];

const responses = forFormat(openaiResponses);

/** Compiles only if the SDK's items go in, and what comes out can be sent, without a cast. */
async function shorten(input: Input): Promise<Input> {
  const pruned: Input = responses.pruneMessages(input, { strategy: "summarize", maxTurns: 40 });
  const summarized: Input = await responses.summarizeAndPrune(pruned, { strategy: "summarize", maxTurns: 20 }, () => Promise.resolve("So far."));
  const collapsed: Input = responses.collapseToolChains(summarized, { collapseAfterTurns: 10 });
  const { messages } = responses.compactOldToolResults(collapsed, { inputTokens: 0 });
  assert.deepEqual(responses.checkMessages(messages, { store: false }), []);
  return responses.render(messages, []);
}

/** Stands for `client.responses.create`, which takes an array that may be written to. */
function askOpenai(params: OpenAI.Responses.ResponseCreateParams & { input: Input }): Input {
  return params.input;
}

it("takes and gives the SDK's items", async () => {
  const input: Input = [
    { role: "user", content: "Do it." },
    { type: "function_call", call_id: "a", name: "bash", arguments: "{}" },
    responses.compressToolResult({ type: "function_call_output", call_id: "a", output: "done" }, { maxToolResultTokens: 9 }),
  ];
  assert.deepEqual(askOpenai({ model: "gpt-6.1", store: false, input: await shorten(input) }), input);
});
