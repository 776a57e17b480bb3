import { TripWire } from "@mastra/core/agent";
import { TokenLimiterProcessor, ToolCallFilter } from "@mastra/core/processors";
import type { MeasuredPolicy } from "../../measure/measure-policy.ts";
import { UnitCutter, UnitJoiner, type ShownUnit, type Unit } from "./units.ts";

/** Removes the oldest messages until the rest is within the limit, for each request. */
export function mastraTokenLimiter(limit: number): MeasuredPolicy {
  return processed(`@mastra/core TokenLimiter ${limit / 1000}k`, () => new TokenLimiterProcessor({ limit }));
}

/** Calls and results before the last tool steps are taken out. */
export function mastraToolCallFilter(filterAfterToolSteps: number): MeasuredPolicy {
  return processed(`@mastra/core ToolCallFilter after ${filterAfterToolSteps} steps`, () => new ToolCallFilter({ filterAfterToolSteps }));
}

type Prompt = readonly { readonly content: unknown; readonly providerOptions?: { readonly bench?: { readonly key: string } } }[];

/** What both have in common, of what Mastra hands to a processor before a model call. */
interface Processor {
  processLLMRequest(args: never): Promise<unknown>;
}

function processed(name: string, create: () => Processor): MeasuredPolicy {
  return {
    name,
    start() {
      const processor = create();
      const cutter = new UnitCutter();
      const joiner = new UnitJoiner();
      const units: Unit[] = [];
      const prompt: object[] = [];
      return {
        async next(log) {
          for (const unit of cutter.cut(log)) prompt.push(promptMessage(unit, String(units.push(unit) - 1)));
          const left = (await promptFrom(processor, prompt)) ?? (prompt as unknown as Prompt);
          return { messages: joiner.join(log, left.flatMap((message) => shownUnit(message, units))), recoverable: [] }; // prettier-ignore
        },
      };
    },
  };
}

/** None: nothing is taken out. What a processor refuses to shorten (system messages alone above its limit) can only go out whole. */
async function promptFrom(processor: Processor, prompt: readonly object[]): Promise<Prompt | undefined> {
  try {
    const answer = (await processor.processLLMRequest({ prompt, state: {} } as never)) as { readonly prompt?: Prompt } | undefined;
    return answer?.prompt;
  } catch (error) {
    if (error instanceof TripWire) return undefined;
    throw error;
  }
}

function promptMessage(unit: Unit, key: string): object {
  const providerOptions = { bench: { key } };
  switch (unit.role) {
    case "tool":
      return { role: "tool", providerOptions, content: [{ type: "tool-result", toolCallId: unit.callId, toolName: unit.toolName, output: { type: "text", value: unit.text } }] }; // prettier-ignore
    case "assistant": {
      const calls = unit.calls.map(({ id, name, input }) => ({ type: "tool-call", toolCallId: id, toolName: name, input }));
      return { role: "assistant", providerOptions, content: [...(unit.text === "" && calls.length > 0 ? [] : [{ type: "text", text: unit.text }]), ...calls] };
    }
    case "user":
      return { role: "user", providerOptions, content: [{ type: "text", text: unit.text }] };
    case "system":
      return { role: "system", providerOptions, content: unit.text };
  }
}

function shownUnit({ content, providerOptions }: Prompt[number], units: readonly Unit[]): ShownUnit[] {
  const unit = units[Number(providerOptions?.bench?.key)];
  if (unit === undefined) return [];
  if (unit.role !== "assistant" || !Array.isArray(content)) return [{ unit }];
  const left = new Set((content as readonly { readonly toolCallId?: string }[]).flatMap(({ toolCallId }) => toolCallId ?? []));
  return [{ unit, without: new Set(unit.calls.flatMap(({ id, block }) => (left.has(id) ? [] : [block]))) }];
}
