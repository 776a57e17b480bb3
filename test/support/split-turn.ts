import type { Block } from "../../src/messages/message.ts";
import type { SplitPlan } from "./plans.ts";

/** Cuts the blocks of an assistant turn into messages, each of which may hold thinking only if it begins with it (A4.4). */
export function splitTurn(blocks: readonly Block[], split: SplitPlan): readonly (readonly Block[])[] {
  const pieces = cut(blocks, split);
  return pieces.every(thinkingIsFirst) ? pieces : [blocks];
}

function cut(blocks: readonly Block[], split: SplitPlan): readonly (readonly Block[])[] {
  if (blocks.length < 2 || split === "whole") return [blocks];
  if (split === "each-block") return blocks.map((entry) => [entry]);
  const middle = Math.ceil(blocks.length / 2);
  return [blocks.slice(0, middle), blocks.slice(middle)];
}

function thinkingIsFirst(blocks: readonly Block[]): boolean {
  const first = blocks.findIndex((entry) => entry.type === "thinking" || entry.type === "redacted_thinking");
  return first <= 0;
}
