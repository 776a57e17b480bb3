import { blocksOf, isThinking, type Block, type Message } from "../message.ts";
import type { LogIndex } from "../index-log.ts";
import { openLoop } from "../tool-loop.ts";
import { pathOf, type Finding, type Request } from "./finding.ts";

/** A4: what can be checked about thinking without knowing what the provider sent. */
export function checkThinking(request: Request): Finding[] {
  const { messages, turns, target, history } = request;
  const findings: Finding[] = [];
  messages.forEach((message, position) => {
    if (message.role === "assistant") findings.push(...checkMessage(message, position));
  });
  for (const turn of turns) {
    const end = turn.blocks.at(-1);
    if (turn.role === "assistant" && end !== undefined && isThinking(end.part)) {
      findings.push({ rule: "A4.5", path: pathOf(end), message: `messages.${end.position}: The final block in an assistant message cannot be \`thinking\`.` });
    }
  }
  if (target.thinking === "manual" && !history) findings.push(...checkLoopStart(request));
  const last = messages.at(-1);
  if (target.thinking === "off" && !history && last?.role === "assistant" && blocksOf(last).some(isThinking)) {
    findings.push({
      rule: "A4.6",
      path: `messages.${messages.length - 1}`,
      message: "When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`.",
    });
  }
  return findings;
}

function checkMessage(message: Message, position: number): Finding[] {
  const findings: Finding[] = [];
  const blocks = blocksOf(message);
  const [first] = blocks;
  if (first !== undefined && !isThinking(first) && blocks.some(isThinking)) {
    findings.push({
      rule: "A4.4",
      path: `messages.${position}`,
      message: `If an assistant message contains any thinking blocks, the first block must be \`thinking\` or \`redacted_thinking\`. Found \`${first.type}\`.`,
    });
  }
  blocks.forEach((part, block) => {
    if (isThinking(part) && !isSigned(part)) {
      const path = pathOf({ position, block });
      findings.push({ rule: "A4.7", path, message: `${path}: Invalid \`signature\` in \`thinking\` block` });
    }
  });
  return findings;
}

function isSigned(block: Block): boolean {
  if (block.type === "redacted_thinking") return "data" in block && typeof block.data === "string";
  return "signature" in block && typeof block.signature === "string" && block.signature !== "";
}

/** A4.2, manual mode: the turn that the results continue must start with thinking, in its first message or in its last. */
export function lacksLoopThinking(messages: readonly Message[], index: LogIndex): boolean {
  const start = messages.at(-1)?.role === "user" ? openLoop(index) : undefined;
  const latest = messages.findLastIndex((message) => message.role === "assistant");
  return start !== undefined && ![start, latest].some((position) => startsWithThinking(messages[position]));
}

function checkLoopStart({ messages, index }: Request): Finding[] {
  if (!lacksLoopThinking(messages, index)) return [];
  const latest = messages.findLastIndex((message) => message.role === "assistant");
  const found = messages[latest];
  const type = found === undefined ? "nothing" : (blocksOf(found)[0]?.type ?? "nothing");
  const path = pathOf({ position: latest, block: 0 });
  return [
    {
      rule: "A4.2",
      path,
      message: `${path}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
    },
  ];
}

function startsWithThinking(message: Message | undefined): boolean {
  const first = message === undefined ? undefined : blocksOf(message)[0];
  return first !== undefined && isThinking(first);
}
