import { blocksOf, isThinking, isToolResult, isToolUse, type Block, type Message } from "../../src/messages/message.ts";

type Has = (messages: readonly Message[]) => boolean;

const anyBlock =
  (is: (block: Block, message: Message) => boolean): Has =>
  (messages) =>
    messages.some((message) => blocksOf(message).some((block) => is(block, message)));

const someText = (role: Message["role"], pattern: RegExp): Has =>
  anyBlock((block, message) => message.role === role && block.type === "text" && pattern.test(textOf(block)));

const ofType = (type: string, role?: Message["role"]): Has =>
  anyBlock((block, message) => block.type === type && (role === undefined || message.role === role));

const neighbours =
  (is: (a: Message, b: Message) => boolean): Has =>
  (messages) =>
    messages.some((message, index) => index > 0 && is(messages[index - 1] ?? message, message));

function textOf(block: Block): string {
  return "text" in block && typeof block.text === "string" ? block.text : "";
}

function resultTexts(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => blocksOf(message).filter(isToolResult)).map((result) => (typeof result.content === "string" ? result.content : ""));
}

const resultPart = (type: string): Has =>
  anyBlock((block) => isToolResult(block) && Array.isArray(block.content) && block.content.some((part: Block) => part.type === type));

const resultLength =
  (from: number, to: number): Has =>
  (messages) =>
    messages.some((message) =>
      blocksOf(message).some((block) => isToolResult(block) && typeof block.content === "string" && block.content.length >= from && block.content.length <= to),
    );

const holds = (message: Message, is: (block: Block) => boolean): boolean => blocksOf(message).some(is);

/** Everything that a random transcript must be able to hold. A generator that no longer reaches one of these tests less than it says. */
export const FEATURES: Readonly<Record<string, Has>> = {
  "one message only": (messages) => messages.length === 1,
  "up to 25 messages": (messages) => messages.length > 1 && messages.length <= 25,
  "more than 60 messages": (messages) => messages.length > 60,
  "parallel calls": (messages) => messages.some((message) => blocksOf(message).filter(isToolUse).length > 1),
  "calls over several assistant messages": neighbours((a, b) => a.role === "assistant" && b.role === "assistant" && holds(a, isToolUse) && holds(b, isToolUse)),
  "results over several user messages": neighbours((a, b) => a.role === "user" && b.role === "user" && holds(a, isToolResult) && holds(b, isToolResult)),
  "results in another order than the calls": neighbours((a, b) => {
    const [first] = blocksOf(a).filter(isToolUse);
    const [answer] = blocksOf(b).filter(isToolResult);
    return first !== undefined && answer !== undefined && first.id !== answer.tool_use_id;
  }),
  "neighbouring user messages": neighbours((a, b) => a.role === "user" && b.role === "user"),
  "neighbouring assistant messages": neighbours((a, b) => a.role === "assistant" && b.role === "assistant"),
  "text behind a call": anyBlock((block, message) => isToolUse(block) && blocksOf(message).at(-1)?.type === "text"),
  "text beside a result": (messages) => messages.some((message) => holds(message, isToolResult) && holds(message, (block) => block.type === "text")),
  thinking: ofType("thinking", "assistant"),
  "redacted thinking": ofType("redacted_thinking", "assistant"),
  "thinking without text": anyBlock((block) => block.type === "thinking" && "thinking" in block && block.thinking === ""),
  "thinking in two turns of one loop": (messages) =>
    messages.some(
      (message, index) =>
        index > 1 && holds(message, isThinking) && holds(messages[index - 2] ?? message, isThinking) && holds(messages[index - 1] ?? message, isToolResult),
    ),
  "thinking twice in one message, apart": anyBlock((block, message) => {
    const kinds = blocksOf(message).map(isThinking);
    return isThinking(block) && kinds.lastIndexOf(true) > kinds.indexOf(false);
  }),
  "a message of thinking only": (messages) => messages.some((message) => message.content.length > 0 && blocksOf(message).every(isThinking)),
  "image of the user": ofType("image", "user"),
  "document of the user": ofType("document", "user"),
  "image in a result": resultPart("image"),
  "document in a result": resultPart("document"),
  "server tool with its result": anyBlock(
    (block, message) => block.type === "server_tool_use" && holds(message, (other) => other.type === "web_search_tool_result"),
  ),
  "pending server tool beside a call": anyBlock(
    (block, message) => block.type === "server_tool_use" && holds(message, isToolUse) && !holds(message, (other) => other.type.endsWith("_tool_result")),
  ),
  "late server result": anyBlock((block, message) => block.type.endsWith("_tool_result") && !isToolResult(block) && blocksOf(message)[0] === block),
  "server tool still pending at the end": (messages) =>
    holds(messages.at(-2) ?? { role: "user", content: [] }, (block) => block.type === "server_tool_use") &&
    holds(messages.at(-1) ?? { role: "user", content: [] }, isToolResult),
  "programmatic call": anyBlock((block) => isToolUse(block) && "caller" in block),
  "mcp tool": ofType("mcp_tool_use"),
  "reminder block": ofType("system_reminder", "user"),
  "reminder text": someText("user", /^\s*<system-reminder>[^]*<\/system-reminder>\s*$/),
  "reminder span": someText("user", /^\w[^]*<system-reminder>/),
  "reminder in a result": (messages) => resultTexts(messages).some((text) => text.includes("<system-reminder>")),
  "checkpoint text": someText("user", /^<checkpoint:[a-z0-9]{6}>$/),
  "checkpoint block": ofType("checkpoint", "user"),
  "checkpoint behind results": (messages) =>
    messages.some(
      (message) =>
        holds(message, isToolResult) &&
        /^<checkpoint:|^$/.test(textOf(blocksOf(message).at(-1) ?? { type: "" })) &&
        ["text", "checkpoint"].includes(blocksOf(message).at(-1)?.type ?? ""),
    ),
  "checkpoint text of the assistant": someText("assistant", /^<checkpoint:[a-z0-9]{6}>$/),
  "checkpoint text as a result": (messages) => resultTexts(messages).includes("<checkpoint:zz9zz9>"),
  "checkpoint inside longer text": someText("user", /see <checkpoint:[a-z0-9]{6}>/),
  "checkpoint with a wrong id": someText("user", /^<checkpoint:(ABC123|abc12|abc1234)>$/),
  "system message": (messages) => messages.some((message) => message.role === "system"),
  "two system messages": neighbours((a, b) => a.role === "system" && b.role === "system"),
  "system message inside an assistant turn": neighbours((a, b) => a.role === "assistant" && b.role === "system"),
  "system message with clear_at": (messages) => messages.some((message) => "clear_at" in message),
  "string content": (messages) => messages.some((message) => typeof message.content === "string"),
  "array content": (messages) => messages.some((message) => typeof message.content !== "string"),
  "error result": anyBlock((block) => isToolResult(block) && block.is_error === true),
  "result without content": anyBlock((block) => isToolResult(block) && block.content === undefined),
  "result with an empty list": anyBlock((block) => isToolResult(block) && Array.isArray(block.content) && block.content.length === 0),
  "result of 0 characters": resultLength(0, 0),
  "result of 12 characters": resultLength(12, 12),
  "result of 13 characters": resultLength(13, 13),
  "result of 501 to 535 characters": resultLength(501, 535),
  "result of 2000 characters": resultLength(2000, 2000),
  "very long result": resultLength(20_000, 1e9),
  "lone surrogate": (messages) => !JSON.stringify(messages).isWellFormed() || /\\ud[89a-f]/.test(JSON.stringify(messages)),
  emoji: (messages) => JSON.stringify(messages).includes("😀"),
  "Chinese characters": (messages) => JSON.stringify(messages).includes("请读取"),
  "control characters": someText("user", /\u0000/), // eslint-disable-line no-control-regex
  "truncation marker": (messages) => resultTexts(messages).some((text) => text.endsWith("\n[truncated]")),
  "budget marker": (messages) => resultTexts(messages).some((text) => text.endsWith("[truncated for context management]")),
  "collapse marker": someText("assistant", /Result summarized — called 3 turns ago/),
  "unknown block of the user": ofType("block_of_next_year", "user"),
  "unknown block of the assistant": ofType("block_of_next_year", "assistant"),
  "fallback block": ofType("fallback"),
  "mcp tool listing": ofType("mcp_tool_listing"),
  "compaction block": ofType("compaction"),
  "signed compaction first": (messages) => blocksOf(messages[0] ?? { role: "user", content: [] })[0]?.type === "compaction",
  "unknown field on a block": anyBlock((block) => "x-trace" in block),
  "unknown field on a message": (messages) => messages.some((message) => "usage" in message),
  "cache marker": anyBlock((block) => "cache_control" in block),
  "four cache markers": (messages) => JSON.stringify(messages).split('"cache_control"').length === 5,
  "cache marker inside a result": anyBlock(
    (block) => isToolResult(block) && Array.isArray(block.content) && block.content.some((part: Block) => "cache_control" in part),
  ),
  "id that is a member of every object": anyBlock((block) => isToolUse(block) && block.id === "__proto__"),
};
