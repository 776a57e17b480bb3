import fc from "fast-check";
import type { Block } from "../../src/messages/message.ts";
import { assistantBlock, result, unsignedThinking, userBlock, type ResultPlan } from "./blocks.ts";
import { shownText, sizedText } from "./odd-text.ts";

/**
 * A plan says what happens in a conversation; ids, signatures, checkpoints and the order that the provider
 * demands come from `assemble`. So plans can be generated and shrunk freely and always give a legal transcript.
 */
export interface CallPlan {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ResultPlan;
}

/**
 * Provider-run tools of an assistant turn: none, a search or an MCP call with its result in the turn, a search that
 * is still pending beside client calls (A3.2), or a program that makes the client calls (A3.3).
 */
export type ServerPlan = "none" | "search" | "mcp" | "pending" | "program";

/** How an assistant turn is cut into messages; the provider merges them again (A1.3). */
export type SplitPlan = "whole" | "middle" | "each-block";

export interface SystemPlan {
  readonly texts: readonly string[];
  readonly asString: boolean;
  readonly messages: number;
  readonly clears: boolean;
}

export interface AssistantPlan {
  readonly thinking: readonly Block[];
  readonly blocks: readonly Block[];
  readonly server: ServerPlan;
  /** Thinking again after the server tool, in the same message. */
  readonly interleaved: readonly Block[];
  readonly split: SplitPlan;
  readonly asString: boolean;
  readonly systemInside: boolean;
}

export interface RoundPlan extends AssistantPlan {
  readonly calls: readonly CallPlan[];
  readonly textBehindCalls: readonly Block[];
  readonly order: "as-called" | "reversed" | "rotated";
  /** After which results a new user message begins. */
  readonly spread: readonly boolean[];
  /** What the user says beside the results. */
  readonly beside: readonly Block[];
  readonly besideOwnMessage: boolean;
  readonly system: SystemPlan | null;
}

export interface UserPlan {
  readonly messages: readonly (readonly Block[])[];
  readonly asString: boolean;
  readonly system: SystemPlan | null;
}

export interface ExchangePlan {
  readonly user: UserPlan;
  readonly rounds: readonly RoundPlan[];
  readonly answer: AssistantPlan | null;
}

export type ThinkingMode = "adaptive" | "manual" | "off";

/** `arbitrary` in `weight` of `outOf` cases, else null. */
function sometimes<T>(weight: number, outOf: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: outOf - weight, arbitrary: fc.constant(null) }, { weight, arbitrary });
}

function rarely(outOf: number): fc.Arbitrary<boolean> {
  return fc.oneof({ weight: outOf - 1, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
}

const NAMES: readonly string[] = ["bash", "read_file", "mcp__github__search", "a", "Edit-2", "compact", "n".repeat(128)];

const input: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.constant({}),
  shownText.map((command) => ({ command })),
  fc.record({ path: fc.constantFrom("src/a.ts", "b.md", ""), content: sizedText }),
  fc.record({ query: shownText, options: fc.record({ limit: fc.integer(), deep: fc.array(fc.boolean(), { maxLength: 2 }) }) }),
);

const call: fc.Arbitrary<CallPlan> = fc.record({ name: fc.constantFrom(...NAMES), input, result });

export const systemPlan: fc.Arbitrary<SystemPlan> = fc.record({
  texts: fc.array(shownText, { minLength: 1, maxLength: 2 }),
  asString: fc.boolean(),
  messages: fc.constantFrom(1, 1, 1, 2),
  clears: rarely(6),
});

function thinkingFor(mode: ThinkingMode): fc.Arbitrary<Block[]> {
  if (mode === "off") return fc.constant([]);
  const some = fc.array(unsignedThinking, { minLength: 1, maxLength: 2 });
  // In manual mode the final assistant turn must start with thinking (A4.2), so every turn does.
  return mode === "manual" ? some : fc.oneof({ weight: 3, arbitrary: fc.constant<Block[]>([]) }, { weight: 2, arbitrary: some });
}

function assistantFields(mode: ThinkingMode) {
  return {
    thinking: thinkingFor(mode),
    server: fc.oneof(
      { weight: 14, arbitrary: fc.constant<ServerPlan>("none") },
      { weight: 5, arbitrary: fc.constantFrom<ServerPlan>("search", "mcp", "pending", "program") },
    ),
    interleaved: mode === "off" ? fc.constant<Block[]>([]) : fc.array(unsignedThinking, { maxLength: 1 }),
    split: fc.oneof({ weight: 6, arbitrary: fc.constant<SplitPlan>("whole") }, { weight: 2, arbitrary: fc.constantFrom<SplitPlan>("middle", "each-block") }),
    asString: fc.boolean(),
    systemInside: rarely(3),
  };
}

export function answerPlan(mode: ThinkingMode): fc.Arbitrary<AssistantPlan> {
  return fc.record({ ...assistantFields(mode), blocks: fc.array(assistantBlock, { minLength: 1, maxLength: 3 }) });
}

export function roundPlan(mode: ThinkingMode): fc.Arbitrary<RoundPlan> {
  return fc.record({
    ...assistantFields(mode),
    blocks: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(assistantBlock, { maxLength: 2 }) }),
    calls: fc.oneof({ weight: 3, arbitrary: fc.tuple(call) }, { weight: 2, arbitrary: fc.array(call, { minLength: 2, maxLength: 4 }) }),
    textBehindCalls: fc.oneof({ weight: 7, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(assistantBlock, { maxLength: 1 }) }),
    order: fc.constantFrom("as-called", "as-called", "reversed", "rotated"),
    spread: fc.array(rarely(4), { maxLength: 3 }),
    beside: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(userBlock, { minLength: 1, maxLength: 2 }) }),
    besideOwnMessage: rarely(4),
    system: sometimes(1, 15, systemPlan),
  });
}

export const userPlan: fc.Arbitrary<UserPlan> = fc.record({
  messages: fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.array(userBlock, { minLength: 1, maxLength: 3 })) },
    { weight: 1, arbitrary: fc.array(fc.array(userBlock, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 3 }) },
  ),
  asString: fc.boolean(),
  system: sometimes(1, 12, systemPlan),
});

export function exchangePlan(mode: ThinkingMode): fc.Arbitrary<ExchangePlan> {
  return fc.record({
    user: userPlan,
    rounds: fc.array(roundPlan(mode), { maxLength: 3 }),
    answer: fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: answerPlan(mode) }),
  });
}
