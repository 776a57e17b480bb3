import type Anthropic from "@anthropic-ai/sdk";
import type { ToolOutput } from "./busy-agent.ts";

export interface LoopOptions {
  readonly streamed: boolean;
  readonly task: string;
  readonly tools: readonly string[];
  readonly run: (name: string, input: unknown) => ToolOutput;
  readonly model?: string;
  readonly thinking?: Anthropic.ThinkingConfigParam;
}

/** An agent loop as people write it, with the SDK and an array of messages. Returns the last text. */
export async function anthropicLoop(client: Anthropic, options: LoopOptions): Promise<{ text: string; messages: Anthropic.MessageParam[] }> {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: options.task }];
  const tools = options.tools.map((name): Anthropic.Tool => ({ name, description: `The tool ${name}.`, input_schema: { type: "object" } }));
  for (;;) {
    const parameters = {
      model: options.model ?? "claude-fable-5-2",
      max_tokens: 1000,
      system: "You are a careful agent.",
      messages,
      tools,
      thinking: options.thinking ?? { type: "adaptive" },
    } satisfies Anthropic.MessageCreateParamsNonStreaming;
    const message = options.streamed ? await client.messages.stream(parameters).finalMessage() : await client.messages.create(parameters);
    messages.push({ role: "assistant", content: message.content });
    const calls = message.content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return { text: message.content.map((block) => (block.type === "text" ? block.text : "")).join(""), messages };
    messages.push({
      role: "user",
      content: calls.map((call) => {
        const output = options.run(call.name, call.input);
        return { type: "tool_result", tool_use_id: call.id, content: contentOf(output), ...(output.isError ? { is_error: true } : {}) };
      }),
    });
  }
}

function contentOf({ text, image }: ToolOutput): NonNullable<Anthropic.ToolResultBlockParam["content"]> {
  if (image === undefined) return text;
  return [
    { type: "text", text },
    { type: "image", source: { type: "base64", media_type: "image/png", data: image } },
  ];
}
