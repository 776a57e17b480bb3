import type { RenderTarget } from "../edits/render.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { checkMessages } from "../messages/check-messages.ts";
import {
  isServerCall,
  isServerResult,
  isText,
  isToolResult,
  isToolUse,
  textBlock,
  type Block,
  type Message,
  type ToolResultBlock,
} from "../messages/message.ts";
import { ID_PATTERN } from "../messages/rules/tools.ts";
import { asBlocks } from "./commit-content.ts";

/** What a model reads in place of a result that never came. */
export const INTERRUPTED_RESULT =
  "[No result was recorded for this call: it was interrupted before the tool answered. Call the tool again if the result is still needed.]";

/** Precedes a result that arrived after the model had gone on without it. */
export function lateResultNote(callId: string): string {
  return `[The result of call ${callId} came late:]`;
}

/**
 * Returns a view in which every call has its result right after it (A2.1, A2.3). A call that a crash left open, followed by something else,
 * gets a result that says so. Results are shown before messages that came ahead of them. A result that arrived after the model had gone on
 * without it is shown as text. Calls of the last response may stay open if nothing but results came after them.
 * Messages that are already correct stay the same objects.
 */
export function answeredView(view: readonly Message[]): Message[] {
  const answered: Message[] = [];
  const interrupted = new Set<string>();
  for (let from = 0; from < view.length;) {
    const afterResponse = endOf(view, from, (role) => role === "assistant");
    const end = endOf(view, afterResponse, (role) => role !== "assistant");
    const response = view.slice(from, afterResponse);
    const following = view.slice(afterResponse, end);
    const calls = callsIn(response);
    const isWaiting = end === view.length && leading(following, calls) === following.length;
    answered.push(...response, ...(isWaiting ? following : answer(calls, following, { interrupted, takesOnlyResults: hasOpenServerCall(response) })));
    from = end;
  }
  return answered;
}

/** Refuses a view that the provider would refuse. */
export function requireSendable(view: Message[], target: RenderTarget): Message[] {
  if (view.length === 0) throw new PalimpsestError("EMPTY_THREAD", "The thread has no messages yet, so there is nothing to call a model with.");
  const waiting = waitingCalls(view);
  if (waiting.length > 0) {
    const message = `Calls wait for their results: ${waiting.join(", ")}. Pass the results to toolResult(), with isError if a call was interrupted, or add a user message to go on without them.`;
    throw new PalimpsestError("RESULTS_MISSING", message, { calls: waiting });
  }
  const { seenFrom: _, ...rules } = target;
  const findings = checkMessages(view, rules);
  const [first] = findings;
  if (first === undefined) return view;
  throw new PalimpsestError("INVALID_INPUT", `The view cannot be sent: ${first.message} (${first.rule})`, {
    path: first.path,
    expected: "a view that the provider accepts",
    found: first.rule,
    findings,
  });
}

/** Returns the ids of the last response's calls that have no result. */
function waitingCalls(view: readonly Message[]): string[] {
  const last = view.findLastIndex(({ role }) => role === "assistant");
  const first = view.findLastIndex(({ role }, position) => role !== "assistant" && position < last) + 1;
  const answered = view.slice(last + 1).flatMap(({ content }) => asBlocks(content).flatMap((block) => (isToolResult(block) ? [block.tool_use_id] : [])));
  return callsIn(view.slice(first, last + 1)).filter((id) => !answered.includes(id));
}

function endOf(view: readonly Message[], from: number, goesOn: (role: Message["role"]) => boolean): number {
  let end = from;
  while (end < view.length && goesOn(view[end]?.role ?? "user")) end++;
  return end;
}

function callsIn(response: readonly Message[]): string[] {
  // A call whose id the provider refuses (A2.7) cannot be answered either: its result would be another fault.
  return response.flatMap(({ content }) => asBlocks(content).flatMap((block) => (isToolUse(block) && ID_PATTERN.test(block.id) ? [block.id] : [])));
}

/** While a call that the provider runs waits for the client's results, the provider accepts nothing else (A3.2). */
function hasOpenServerCall(response: readonly Message[]): boolean {
  const blocks = response.flatMap(({ content }) => asBlocks(content));
  const answered = new Set(blocks.flatMap((block) => (isServerResult(block) ? [block.tool_use_id] : [])));
  return blocks.some((block) => isServerCall(block) && !answered.has(block.id));
}

interface Answering {
  /** Calls of earlier responses that were shown as interrupted. */
  readonly interrupted: Set<string>;
  /** A late result must go inside another result, not as text beside it. */
  readonly takesOnlyResults: boolean;
}

/** Returns the messages to show between a response and the next one. */
function answer(calls: readonly string[], following: readonly Message[], { interrupted, takesOnlyResults }: Answering): readonly Message[] {
  const open = [...calls];
  const takes = (block: Block): block is ToolResultBlock => {
    const place = isToolResult(block) ? open.indexOf(block.tool_use_id) : -1;
    if (place !== -1) open.splice(place, 1);
    return place !== -1;
  };
  /** Results that are already in the right place: their messages stay as they are. */
  const first = following.slice(0, leading(following, calls));
  for (const { content } of first) asBlocks(content).forEach(takes);
  const moved: ToolResultBlock[] = [];
  const late: Block[] = [];
  const rest = following.slice(first.length).flatMap((message) => {
    const { content } = message;
    if (typeof content === "string" || !content.some(isToolResult)) return [message];
    const blocks = content.flatMap((block): Block[] => {
      if (takes(block)) moved.push(block);
      else if (!isToolResult(block) || !interrupted.has(block.tool_use_id)) return [block];
      else if (takesOnlyResults) late.push(...lateResult(block));
      else return lateResult(block);
      return [];
    });
    return blocks.length === 0 ? [] : [{ ...message, content: blocks }];
  });
  const isAsItMustBe = open.length === 0 && (moved.length === 0 || isHead(following[first.length], moved));
  const hasLate = following.some(({ content }) => asBlocks(content).some((block) => isToolResult(block) && interrupted.has(block.tool_use_id)));
  if (isAsItMustBe && !hasLate) return following;
  for (const id of open) interrupted.add(id);
  const given = [...moved, ...open.map(interruptedResult)];
  return withinLastResult(late, [...first, ...(given.length === 0 ? [] : [{ role: "user" as const, content: given }]), ...rest]);
}

/** Puts late results inside the last result or, if there is none, in a message of their own. */
function withinLastResult(late: readonly Block[], messages: readonly Message[]): readonly Message[] {
  if (late.length === 0) return messages;
  const position = messages.findLastIndex(({ content }) => asBlocks(content).some(isToolResult));
  const message = messages[position];
  if (message === undefined) return [...messages, { role: "user", content: [...late] }];
  const blocks = asBlocks(message.content);
  const place = blocks.findLastIndex(isToolResult);
  const content = blocks.map((block, number) =>
    number === place && isToolResult(block) ? { ...block, content: [...asBlocks(block.content ?? "").filter(isShown), ...late] } : block,
  );
  return messages.toSpliced(position, 1, { ...message, content });
}

/** The provider refuses an empty text beside other blocks (A1.5). */
function isShown(block: Block): boolean {
  return !isText(block) || block.text !== "";
}

/** Returns how many leading messages hold nothing but results of these calls. */
function leading(following: readonly Message[], calls: readonly string[]): number {
  const isTheirs = ({ content }: Message): boolean =>
    typeof content !== "string" && content.length > 0 && content.every((block) => isToolResult(block) && calls.includes(block.tool_use_id));
  const end = following.findIndex((message) => !isTheirs(message));
  return end === -1 ? following.length : end;
}

/** Returns whether the message begins with exactly these results. */
function isHead(message: Message | undefined, results: readonly ToolResultBlock[]): boolean {
  return results.every((result, number) => message?.content[number] === result);
}

function interruptedResult(id: string): ToolResultBlock {
  return { type: "tool_result", tool_use_id: id, content: INTERRUPTED_RESULT, is_error: true };
}

function lateResult({ tool_use_id: id, content = "" }: ToolResultBlock): Block[] {
  const [first, ...others] = asBlocks(content);
  if (first !== undefined && isText(first)) return [textBlock(`${lateResultNote(id)}\n${first.text}`), ...others];
  return [textBlock(lateResultNote(id)), ...asBlocks(content)];
}
