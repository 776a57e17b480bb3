import type OpenAI from "openai";
import type { LoopOptions } from "./anthropic-loop.ts";

/** An agent loop over chat completions. Returns the last text. */
export async function chatLoop(client: OpenAI, options: LoopOptions): Promise<{ text: string; messages: OpenAI.ChatCompletionMessageParam[] }> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "system", content: "You are a careful agent." },
    { role: "user", content: options.task },
  ];
  const tools = options.tools.map((name): OpenAI.ChatCompletionTool => ({ type: "function", function: { name, parameters: { type: "object" } } }));
  for (;;) {
    const parameters = { model: options.model ?? "gpt-5.5", messages, tools };
    const completion = options.streamed
      ? await client.chat.completions.stream({ ...parameters, stream_options: { include_usage: true } }).finalChatCompletion()
      : await client.chat.completions.create(parameters);
    const message = completion.choices[0]?.message;
    if (message === undefined) throw new Error("no choice");
    messages.push(message);
    const calls = (message.tool_calls ?? []).filter((call) => call.type === "function");
    if (calls.length === 0) return { text: message.content ?? "", messages };
    for (const call of calls) {
      const { text } = options.run(call.function.name, JSON.parse(call.function.arguments));
      messages.push({ role: "tool", tool_call_id: call.id, content: text });
    }
  }
}
