import { isThinking, textBlock, type Block, type Message } from "../../messages/message.ts";
import type { OpenRequest, Request } from "../../messages/request.ts";
import { answersCalls } from "../../messages/tool-loop.ts";
import type { ModelInfo, Provider } from "../models/model.ts";
import { contentJson } from "./content-json.ts";
import type { Meter } from "./meter.ts";
import { createPrefixHash, digestOf } from "./prefix-hash.ts";
import type { PromptPlace } from "./prompt-place.ts";

/** A tool or a block, and the prompt up to its end. */
export interface PromptBlock {
  readonly at: PromptPlace;
  readonly role: Message["role"] | "tools";
  readonly value: unknown;
  /** Equal for equal prompts up to here. */
  readonly prefix: number;
  /** Tokens up to here. */
  readonly endTokens: number;
}

export function tokensIn(prompt: readonly PromptBlock[]): number {
  return prompt.at(-1)?.endTokens ?? 0;
}

/** Fields of the request that are hashed with the prompt, by the level from which on a change invalidates the cache (F). */
const SETTINGS: { readonly [P in Provider]: Readonly<Record<PromptPlace["part"], readonly string[]>> } = {
  anthropic: { tools: [], system: ["speed"], messages: ["tool_choice", "thinking", "output_config"] },
  openai: { tools: ["parallel_tool_calls", "text", "response_format", "reasoning", "reasoning_effort", "verbosity"], system: [], messages: [] },
  gemini: { tools: [], system: [], messages: [] },
  deepseek: { tools: [], system: [], messages: [] },
};

const SALT = { tools: 1, system: 2, user: 3, assistant: 4, setting: 5 } as const;

/**
 * Returns the prompt as the provider reads it: tools, system, messages (F), block by block. Borders between messages of the same role
 * do not count, because the provider joins them (A1.3).
 */
export function promptOf(request: Request, { provider, thinking }: ModelInfo, meter: Meter): PromptBlock[] {
  const { tools = [], system = [], messages } = request;
  const prompt: PromptBlock[] = [];
  const hash = createPrefixHash();
  let endTokens = 0;

  const enter = (part: PromptPlace["part"]): void => {
    for (const name of SETTINGS[provider][part]) {
      const setting = (request as OpenRequest)[name];
      if (setting !== undefined) hash.add(digestOf(`${name}:${contentJson(setting, name)}`), SALT.setting);
    }
  };
  const add = (role: PromptBlock["role"], value: unknown, source: object | string, at: PromptPlace): void => {
    const { digest, tokens } = meter.measure(value, source, at);
    endTokens += tokens;
    prompt.push({ at, role, value, prefix: hash.add(digest, SALT[role]), endTokens });
  };
  const addContent = (role: Message["role"], content: string | readonly Block[], place: Omit<PromptPlace, "block">, isForgotten = false): void => {
    if (typeof content === "string") add(role, textBlock(content), content, { ...place, block: 0 });
    else
      content.forEach((value, block) => {
        if (!isForgotten || !isThinking(value)) add(role, value, value, { ...place, block });
      });
  };

  enter("tools");
  tools.forEach((tool, block) => add("tools", tool, tool as object, { part: "tools", position: 0, block }));
  enter("system");
  addContent("system", system === "" ? [] : system, { part: "system", position: 0 });
  enter("messages");
  const remembered = thinking.keepsEarlierTurns ? 0 : lastSpoken(messages);
  messages.forEach(({ role, content }, position) => addContent(role, content, { part: "messages", position }, position < remembered));
  return prompt;
}

/** Returns the position at which the user last spoke, rather than answered calls. Some models drop the thinking before it (F). */
function lastSpoken(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === "user" && !answersCalls(message));
}
