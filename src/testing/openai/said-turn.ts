import type { ProtocolOptions, Turn } from "../protocol.ts";

/** A turn with all defaults that both protocols need. */
export interface SaidTurn {
  /** Always hidden: OpenAI shows no reasoning. */
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly SaidCall[];
  readonly stop: "end" | "tools" | "length";
  readonly outputTokens: number;
  /** Included in the output tokens. */
  readonly reasoningTokens: number;
}

export interface SaidCall {
  readonly id: string;
  readonly name: string;
  /** For a custom tool, its text input. */
  readonly arguments: string;
  readonly isCustom: boolean;
  readonly namespace: string | undefined;
}

export function sayTurn(turn: Turn, { newId, tokensOf }: ProtocolOptions): SaidTurn {
  const thinking = [turn.thinking ?? "", turn.redactedThinking ?? ""].filter((text) => text !== "").join("\n");
  const text = turn.text ?? "";
  const calls = (turn.calls ?? []).map(({ id, name, input, namespace }): SaidCall => ({
    id: id ?? newId("call_"),
    name,
    arguments: typeof input === "string" ? input : JSON.stringify(input),
    isCustom: typeof input === "string",
    namespace,
  }));
  const counted = [thinking, text].filter((said) => said !== "").reduce((sum, said) => sum + tokensOf(said), 0);
  const outputTokens = turn.outputTokens ?? calls.reduce((sum, call) => sum + tokensOf({ name: call.name, arguments: call.arguments }), counted);
  return {
    thinking,
    text,
    calls,
    stop: stopOf(turn),
    outputTokens,
    reasoningTokens: thinking === "" ? 0 : Math.min(tokensOf(thinking), outputTokens),
  };
}

/** OpenAI has no pause, so such a turn just ends. */
function stopOf({ stop, calls = [] }: Turn): SaidTurn["stop"] {
  if (stop === "pause") return "end";
  return stop ?? (calls.length > 0 ? "tools" : "end");
}
