import { blocksOf, isPaired, isServerCall, isServerResult, isText, isToolUse, type Message } from "../message.ts";
import { pathOf, type Finding, type Request } from "./finding.ts";

const MAX_MESSAGES = 100_000;

/** A1: messages, roles and empty content. */
export function checkStructure({ messages, target, history }: Request): Finding[] {
  const findings: Finding[] = [];
  const found = (rule: string, path: string, message: string): void => void findings.push({ rule, path, message });
  const [first] = messages;
  const last = messages.at(-1);

  if (first === undefined || last === undefined) found("A1.1", "messages", "messages: at least one message is required");
  if (messages.length > MAX_MESSAGES) found("A1.1", "messages", `messages: at most ${MAX_MESSAGES} messages are allowed, found ${messages.length}`);
  if (first?.role === "assistant" && !isSignedCompaction(first)) found("A1.2", "messages.0", 'messages: first message must use the "user" role');

  messages.forEach((message, position) => {
    const isFinalAssistant = message === last && message.role === "assistant";
    if (message.content.length === 0) {
      if (!isFinalAssistant && message.role !== "system") {
        found("A1.4", `messages.${position}`, `messages.${position}: all messages must have non-empty content except for the optional final assistant message`);
      }
      return;
    }
    blocksOf(message).forEach((part, block) => {
      if (!isText(part) || !isBlank(part.text)) return;
      const path = pathOf({ position, block });
      if (part.text === "") found("A1.5", path, "messages: text content blocks must be non-empty");
      else found("A1.6", path, "messages: text content blocks must contain non-whitespace text");
    });
  });

  if (last?.role === "assistant" && !history) checkFinalAssistant(last);
  return findings;

  function checkFinalAssistant(message: Message): void {
    const path = `messages.${messages.length - 1}`;
    const end = blocksOf(message).at(-1);
    if (target.prefill && end !== undefined && isText(end) && end.text.trim() !== "" && end.text !== end.text.trimEnd()) {
      found("A1.7", path, "messages: final assistant content cannot end with trailing whitespace");
    }
    if (isPaused(message)) return;
    if (!target.prefill) found("A1.8", path, "This model does not support assistant message prefill. The conversation must end with a user message.");
    else if (target.thinking !== "off") found("A1.9", path, "Assistant message prefill is not supported while thinking is enabled.");
  }
}

/** Does not copy the text, which may be long. */
function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

function isSignedCompaction(message: Message): boolean {
  const [first] = blocksOf(message);
  return first?.type === "compaction" && "signature" in first;
}

/** `pause_turn`: a turn of provider-run tools is resumed by sending it back (A1.8). */
function isPaused(message: Message): boolean {
  const blocks = blocksOf(message);
  return blocks.some(isServerCall) && !blocks.some(isToolUse) && blocks.at(-1)?.type !== "text" && blocks.some(isPaired);
}

/** A1.10 and A1.11: system messages inside the conversation. */
export function checkSystemMessages({ messages }: Request): Finding[] {
  const findings: Finding[] = [];
  messages.forEach((message, position) => {
    if (message.role !== "system") return;
    const path = `messages.${position}`;
    const before = messages[position - 1];
    const after = messages[position + 1];
    if (before === undefined) findings.push({ rule: "A1.10", path, message: `${path}: a system message cannot be the first message` });
    else if (before.role === "assistant" && !endsInServerResult(before)) {
      findings.push({
        rule: "A1.10",
        path,
        message: `${path}: a system message must follow a user message or an assistant message that ends in a server tool result`,
      });
    }
    if (after?.role === "user")
      findings.push({ rule: "A1.10", path, message: `${path}: a system message must be last or be followed by an assistant message` });
    findings.push(...checkSystemContent(message, path));
  });
  return findings;
}

const SYSTEM_BLOCKS: ReadonlySet<string> = new Set(["text", "tool_addition", "tool_removal"]);

function checkSystemContent(message: Message, path: string): Finding[] {
  const findings: Finding[] = [];
  const blocks = blocksOf(message);
  if (message.content.length === 0 && !("output_config" in message)) {
    findings.push({ rule: "A1.11", path, message: `${path}: a system message needs content or output_config` });
  }
  blocks.forEach((part, block) => {
    const at = `${path}.content.${block}`;
    if (!SYSTEM_BLOCKS.has(part.type)) findings.push({ rule: "A1.11", path: at, message: `${at}: system messages hold text only, found \`${part.type}\`` });
    if ("clear_at" in message && "cache_control" in part)
      findings.push({ rule: "A1.11", path: at, message: `${at}: cache_control is not allowed in a system message with clear_at` });
  });
  return findings;
}

function endsInServerResult(message: Message): boolean {
  const end = blocksOf(message).at(-1);
  return end !== undefined && isServerResult(end);
}
