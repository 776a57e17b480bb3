import type OpenAI from "openai";
import type { LoopOptions } from "./anthropic-loop.ts";

export interface ChainedOptions extends LoopOptions {
  /** Called after each answer, before the next request: with a client to go on with. */
  readonly between?: (client: OpenAI, turn: number) => OpenAI | Promise<OpenAI>;
}

/** An agent loop over the Responses API that leaves the conversation to the provider: each request goes on from the last answer. Returns the last text. */
export async function chainedLoop(first: OpenAI, options: ChainedOptions): Promise<{ text: string; answers: OpenAI.Responses.Response[] }> {
  const tools = options.tools.map((name): OpenAI.Responses.FunctionTool => ({ type: "function", name, parameters: { type: "object" }, strict: false }));
  let client = first;
  let input: OpenAI.Responses.ResponseInput = [{ role: "user", content: options.task }];
  const answers: OpenAI.Responses.Response[] = [];
  for (;;) {
    const previous = answers.at(-1)?.id;
    const parameters = {
      model: options.model ?? "gpt-6-sol",
      instructions: "You are a careful agent.",
      input,
      tools,
      ...(previous === undefined ? {} : { previous_response_id: previous }),
    };
    const response = options.streamed ? await client.responses.stream(parameters).finalResponse() : await client.responses.create(parameters);
    answers.push(response);
    const calls = response.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
    if (calls.length === 0) return { text: response.output_text, answers };
    input = calls.map((call) => ({ type: "function_call_output", call_id: call.call_id, output: options.run(call.name, JSON.parse(call.arguments)).text }));
    client = (await options.between?.(client, answers.length)) ?? client;
  }
}
