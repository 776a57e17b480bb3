import type OpenAI from "openai";
import type { LoopOptions } from "./anthropic-loop.ts";

/** An agent loop over the Responses API that keeps everything itself. `store`: the provider keeps its answers too. Returns the last text. */
export async function responsesLoop(
  client: OpenAI,
  options: LoopOptions & { readonly store?: boolean },
): Promise<{ text: string; messages: OpenAI.Responses.ResponseInput }> {
  const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: options.task }];
  const tools = options.tools.map((name): OpenAI.Responses.FunctionTool => ({ type: "function", name, parameters: { type: "object" }, strict: false }));
  for (;;) {
    const parameters = {
      model: options.model ?? "gpt-6-sol",
      instructions: "You are a careful agent.",
      input,
      tools,
      ...(options.store === true ? {} : { store: false, include: ["reasoning.encrypted_content" as const] }),
    };
    const response = options.streamed ? await client.responses.stream(parameters).finalResponse() : await client.responses.create(parameters);
    input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
    const calls = response.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
    if (calls.length === 0) return { text: response.output_text, messages: input };
    for (const call of calls) {
      const { text } = options.run(call.name, JSON.parse(call.arguments));
      input.push({ type: "function_call_output", call_id: call.call_id, output: text });
    }
  }
}
