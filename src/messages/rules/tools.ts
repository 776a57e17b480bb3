import { isText, isToolResult, isToolUse, type Block, type ToolResultBlock, type ToolUseBlock } from "../message.ts";
import { isRecord } from "../../errors/is-record.ts";
import type { PlacedBlock, Turn } from "../turns.ts";
import { pathOf, type Finding, type Request } from "./finding.ts";

export const ID_PATTERN: RegExp = /^[a-zA-Z0-9_-]+$/;
const MAX_NAME_LENGTH = 200;
const NOT_IN_RESULTS: ReadonlySet<string> = new Set(["tool_use", "tool_result", "thinking", "redacted_thinking"]);

/** A2.1–A2.3 and A2.6: calls and results are paired in neighbouring turns. One finding per call or result. */
export function checkPairs({ turns, history }: Request): Finding[] {
  const findings: Finding[] = [];
  const results = turns.map((turn) => (turn.role === "user" ? resultsOf(turn) : NO_RESULTS));
  turns.forEach((turn, number) => {
    if (turn.role === "user") checkResults(turn, turns[number - 1], results[number] ?? NO_RESULTS, findings);
    if (turn.role !== "assistant" || (history && isStillOpen(turns, number))) return;
    const answers = results[number + 1] ?? NO_RESULTS;
    const answered = answers.length > FEW ? new Set(answers.map(({ result }) => result.tool_use_id)) : undefined;
    for (const placed of turn.blocks) {
      if (!isToolUse(placed.part)) continue;
      const { id } = placed.part;
      if (answered === undefined ? answers.some(({ result }) => result.tool_use_id === id) : answered.has(id)) continue;
      findings.push({ rule: "A2.1", path: pathOf(placed), message: unanswered(placed.position, id) });
    }
  });
  return findings;
}

/** The number of calls searched linearly: most turns have one or two, and this runs over a whole request. */
const FEW = 16;
const NO_RESULTS: readonly PlacedResult[] = [];

/** Says whether more results may come: the turn is the last, or the last message has only some of its results. */
function isStillOpen(turns: readonly Turn[], number: number): boolean {
  const next = turns[number + 1];
  return next === undefined || (number + 2 === turns.length && next.role === "user" && next.blocks.every(({ part }) => isToolResult(part)));
}

function checkResults(turn: Turn, previous: Turn | undefined, results: readonly PlacedResult[], findings: Finding[]): void {
  if (results.length === 0) return;
  const calls = previous?.role === "assistant" ? previous.blocks.flatMap(({ part }) => (isToolUse(part) ? [part.id] : [])) : [];
  const known = calls.length > FEW ? new Set(calls) : undefined;
  // A single result cannot be a duplicate, so most turns need no set.
  const answered = results.length > 1 ? new Set<string>() : undefined;
  for (const { placed, result, comesFirst } of results) {
    const id = result.tool_use_id;
    if (!(known === undefined ? calls.includes(id) : known.has(id))) {
      const path = pathOf(placed);
      findings.push({
        rule: "A2.2",
        path,
        message: `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      });
    } else if (answered?.has(id) === true) {
      const path = pathOf(placed);
      findings.push({ rule: "A2.6", path, message: `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}` });
    } else if (!comesFirst) {
      // The provider reports it as a call without a result.
      findings.push({ rule: "A2.3", path: pathOf(placed), message: unanswered(previous?.last ?? turn.first, id) });
    }
    answered?.add(id);
  }
}

interface PlacedResult {
  readonly placed: PlacedBlock;
  readonly result: ToolResultBlock;
  readonly comesFirst: boolean;
}

/**
 * A result comes first if nothing precedes it in its own message, and no message without results precedes it in the turn. A
 * message of results may end in text even if more results follow in the next one: split results are accepted (A2.4).
 */
function resultsOf(turn: Turn): PlacedResult[] {
  const results: PlacedResult[] = [];
  let textAbove = false;
  let startsWithResult = true;
  let otherInMessage = false;
  for (const placed of turn.blocks) {
    if (placed.block === 0) {
      textAbove ||= !startsWithResult;
      startsWithResult = isToolResult(placed.part);
      otherInMessage = false;
    }
    if (isToolResult(placed.part)) results.push({ placed, result: placed.part, comesFirst: !textAbove && !otherInMessage });
    else otherInMessage = true;
  }
  return results;
}

function unanswered(position: number, id: string): string {
  return `messages.${position}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

/** A2.5 and A2.7–A2.17: rules for single calls and results. */
export function checkToolBlocks({ turns }: Request): Finding[] {
  const findings: Finding[] = [];
  const ids = new Set<string>();
  const toolsets = new Map<string, unknown>();
  for (const turn of turns) {
    for (const placed of turn.blocks) {
      const { part } = placed;
      if (isToolUse(part)) {
        if (ids.has(part.id)) findings.push({ rule: "A2.5", path: pathOf(placed), message: `${pathOf(placed)}: \`tool_use\` ids must be unique` });
        ids.add(part.id);
        if ("toolset_name" in part) toolsets.set(part.id, part.toolset_name);
        if (!isPlainCall(part)) findings.push(...checkCall(part, pathOf(placed)));
      } else if (isToolResult(part) && !isPlainResult(part, toolsets)) {
        findings.push(...checkResult(part, pathOf(placed), toolsets));
      }
    }
  }
  return findings;
}

/** A fast check without building a path, because nearly every call passes it. */
function isPlainCall({ id, name, input }: ToolUseBlock): boolean {
  return ID_PATTERN.test(id) && name.length <= MAX_NAME_LENGTH && isRecord(input);
}

function isPlainResult({ tool_use_id: id, content, is_error: isError }: ToolResultBlock, toolsets: ReadonlyMap<string, unknown>): boolean {
  return typeof content === "string" && isError !== true && ID_PATTERN.test(id) && !toolsets.has(id);
}

function checkCall(call: ToolUseBlock, path: string): Finding[] {
  const findings: Finding[] = [];
  if (!ID_PATTERN.test(call.id)) findings.push({ rule: "A2.7", path, message: `${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'` });
  if (call.name.length > MAX_NAME_LENGTH)
    findings.push({ rule: "A2.8", path, message: `${path}.tool_use.name: String should have at most ${MAX_NAME_LENGTH} characters` });
  if (!isRecord(call.input)) findings.push({ rule: "A2.9", path, message: `${path}.tool_use.input: Input should be a valid dictionary` });
  return findings;
}

function checkResult(result: ToolResultBlock, path: string, toolsets: ReadonlyMap<string, unknown>): Finding[] {
  const findings: Finding[] = [];
  const parts: readonly Block[] = typeof result.content === "string" ? [] : (result.content ?? []);
  if (!ID_PATTERN.test(result.tool_use_id))
    findings.push({ rule: "A2.7", path, message: `${path}.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'` });
  const foreign = parts.find((part) => NOT_IN_RESULTS.has(part.type));
  if (foreign !== undefined)
    findings.push({ rule: "A2.10", path, message: `${path}.tool_result.content: \`${foreign.type}\` blocks are not allowed in a tool result` });
  if (result.is_error === true) {
    const isEmpty = typeof result.content === "string" ? result.content === "" : parts.every((part) => isText(part) && part.text === "");
    if (isEmpty) findings.push({ rule: "A2.12", path, message: `${path}.tool_result: content cannot be empty if \`is_error\` is true` });
    if (!parts.every(isText)) findings.push({ rule: "A2.13", path, message: `${path}.tool_result: all content must be type \`text\` if \`is_error\` is true` });
  }
  if (toolsets.has(result.tool_use_id)) findings.push(...checkToolsetResult(result, path, toolsets.get(result.tool_use_id), parts));
  return findings;
}

const TOOLSET_CONTENT: ReadonlySet<string> = new Set(["text", "image", "browser_state"]);

function checkToolsetResult(result: ToolResultBlock, path: string, toolset: unknown, parts: readonly Block[]): Finding[] {
  const echoed = "toolset_name" in result && result.toolset_name === toolset;
  if (echoed && parts.every((part) => TOOLSET_CONTENT.has(part.type))) return [];
  return [
    { rule: "A2.17", path, message: `${path}.tool_result: the result of a toolset must name it as the call does, and hold text, images or browser state only` },
  ];
}
