import {
  blocksIn,
  digest,
  field,
  isBlank,
  isCall,
  isResult,
  isServerAnswer,
  isServerUse,
  textField,
  type JudgedMessage,
  type Request,
} from "./judged-request.ts";

/** A1: roles, empty content, system messages, what may come last. A5: compaction blocks. */
export function structureFaults(request: Request): string[] {
  const { messages } = request;
  if (messages.length === 0) return ["A1.1:"];
  return [
    ...(messages.length > 100_000 ? ["A1.1:"] : []),
    ...firstFaults(messages),
    ...messages.flatMap((message, index) => emptyFaults(message, index === messages.length - 1)),
    ...systemFaults(request),
    ...lastFaults(request),
    ...compactionFaults(messages),
  ];
}

/** A1.2: a user message is first, or a compaction block that the provider signed. */
function firstFaults(messages: readonly JudgedMessage[]): string[] {
  const first = messages.find((message) => message.role !== "system");
  if (first?.role !== "assistant") return [];
  const opening = blocksIn(first)[0];
  return opening?.type === "compaction" && field(opening, "signature") !== undefined ? [] : ["A1.2:"];
}

/** A1.4, A1.5, A1.6 */
function emptyFaults(message: JudgedMessage, last: boolean): string[] {
  if (message.role === "system") return [];
  if (message.content.length === 0) return last && message.role === "assistant" ? [] : [`A1.4:${message.role}`];
  return blocksIn(message).flatMap((block) => {
    if (block.type !== "text") return [];
    const text = textField(block, "text");
    if (text === "") return [`A1.5:${message.role}`];
    return isBlank(text) ? [`A1.6:${message.role}`] : [];
  });
}

const SYSTEM_BLOCKS: ReadonlySet<string> = new Set(["text", "tool_addition", "tool_removal"]);

/** A1.10, A1.11. Neighbouring system messages are one section, and each of them is at fault where the section is. */
function systemFaults({ messages }: Request): string[] {
  return messages.flatMap((message, index) => {
    if (message.role !== "system") return [];
    const after = messages.slice(index + 1).find((other) => other.role !== "system");
    const fits = followsRightly(messages, index) && (after === undefined || after.role === "assistant");
    return [...(fits ? [] : [`A1.10:${digest(message.content)}`]), ...systemContentFaults(message)];
  });
}

/** After a user message, or after a server tool's result, but never between a call and its result. */
function followsRightly(messages: readonly JudgedMessage[], index: number): boolean {
  const spoken = messages.slice(0, index).filter((message) => message.role !== "system");
  const before = spoken.at(-1);
  if (before === undefined || before.role === "user") return before !== undefined;
  const last = blocksIn(before).at(-1);
  const turn = spoken.slice(spoken.findLastIndex((message) => message.role === "user") + 1);
  const answeredLater = new Set(
    messages.slice(index).flatMap((message) =>
      blocksIn(message)
        .filter(isResult)
        .map((block) => field(block, "tool_use_id")),
    ),
  );
  const dividesPair = turn.some((message) => blocksIn(message).some((block) => isCall(block) && answeredLater.has(field(block, "id"))));
  return last !== undefined && isServerAnswer(last) && !dividesPair;
}

function systemContentFaults(message: JudgedMessage): string[] {
  const name = `A1.11:${digest(message.content)}`;
  const blocks = blocksIn(message);
  const empty = message.content.length === 0 && field(message, "output_config") === undefined;
  const blank = message.content.length > 0 && blocks.some((block) => block.type === "text" && isBlank(textField(block, "text")));
  const foreign = blocks.some((block) => !SYSTEM_BLOCKS.has(block.type));
  const marked = field(message, "clear_at") !== undefined && blocks.some((block) => field(block, "cache_control") !== undefined);
  return empty || blank || foreign || marked ? [name] : [];
}

/** A1.7, A1.8, A1.9: an assistant message last is a prefill, unless a provider-run tool is to be resumed. */
function lastFaults({ messages, turns, target }: Request): string[] {
  const last = messages.at(-1);
  if (target.history || last?.role !== "assistant") return [];
  if (pausedTurn(turns.at(-1)?.blocks ?? [])) return [];
  if (!target.prefill) return ["A1.8:"];
  const end = blocksIn(last).at(-1);
  const text = end?.type === "text" ? textField(end, "text") : "";
  return [...(text !== text.trimEnd() ? ["A1.7:"] : []), ...(target.thinking === "off" ? [] : ["A1.9:"])];
}

function pausedTurn(blocks: readonly { readonly type: string }[]): boolean {
  const answered = new Set(blocks.filter(isServerAnswer).map((block) => textField(block, "tool_use_id")));
  return blocks.some((block) => isServerUse(block) && !answered.has(textField(block, "id")));
}

/** A5: a signed compaction block is the only one and the first block of all; no compaction block is empty. */
function compactionFaults(messages: readonly JudgedMessage[]): string[] {
  const found = messages.flatMap((message, position) =>
    blocksIn(message).flatMap((block, index) => (block.type === "compaction" ? [{ block, first: position === 0 && index === 0 }] : [])),
  );
  const signed = found.filter(({ block }) => field(block, "signature") !== undefined);
  return [
    ...found.filter(({ block }) => field(block, "content") === "").map(({ block }) => `A5.empty:${digest(block)}`),
    ...signed.filter(({ first }) => !first).map(({ block }) => `A5.misplaced:${digest(block)}`),
    ...(signed.length > 1 ? ["A5.ambiguous:"] : []),
  ];
}
