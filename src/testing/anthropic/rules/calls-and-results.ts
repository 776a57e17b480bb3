import { allBlocks, isCall, isResult, pathOf, textOf, type ApiRequest, type Placed, type Turn } from "../api-request.ts";
import type { Refusal } from "../refusal.ts";

/** A2.1 to A2.6: every call has one result at the head of the next turn, and every result a call in the turn before. */
export function* pairRefusals({ messages, turns }: ApiRequest): Generator<Refusal> {
  yield* repeatedIds(allBlocks(messages).filter(({ block }) => isCall(block)));
  for (const [number, turn] of turns.entries()) {
    if (turn.role === "assistant") {
      yield* strayResults(turn);
      yield* unanswered(turn, turns[number + 1]);
    } else {
      yield* strayCalls(turn);
      yield* unexpectedResults(turn, turns[number - 1]);
    }
  }
}

/** A2.5 */
function* repeatedIds(calls: readonly Placed[]): Generator<Refusal> {
  const seen = new Set<unknown>();
  for (const call of calls) {
    if (seen.has(call.block["id"])) yield { rule: "A2.5", message: `${pathOf(call)}: \`tool_use\` ids must be unique` };
    seen.add(call.block["id"]);
  }
}

function* strayResults({ blocks }: Turn): Generator<Refusal> {
  for (const placed of blocks) {
    if (isResult(placed.block)) yield { rule: "A2.2", message: `${pathOf(placed)}: \`tool_result\` blocks can only be in \`user\` messages` };
  }
}

function* strayCalls({ blocks }: Turn): Generator<Refusal> {
  for (const placed of blocks) {
    if (isCall(placed.block)) yield { rule: "A2.1", message: `${pathOf(placed)}: \`tool_use\` blocks can only be in \`assistant\` messages` };
  }
}

/** A2.1, and A2.3 in the same words: results come before all else in their turn. */
function* unanswered({ blocks }: Turn, next: Turn | undefined): Generator<Refusal> {
  const calls = blocks.filter(({ block }) => isCall(block));
  const answers = next?.blocks ?? [];
  const head = answers.findIndex(({ block }) => !isResult(block));
  const all = resultIds(answers);
  const first = resultIds(head === -1 ? answers : answers.slice(0, head));
  const missing = calls.filter(({ block }) => !all.has(textOf(block["id"])));
  const late = calls.filter(({ block }) => !first.has(textOf(block["id"])));
  const [open] = late;
  if (open === undefined) return;
  const ids = late.map(({ block }) => textOf(block["id"])).join(", ");
  yield {
    rule: missing.length > 0 ? "A2.1" : "A2.3",
    message: `messages.${open.position}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  };
}

/** A2.2, A2.6 */
function* unexpectedResults({ blocks }: Turn, previous: Turn | undefined): Generator<Refusal> {
  const called = new Set((previous?.blocks ?? []).filter(({ block }) => isCall(block)).map(({ block }) => textOf(block["id"])));
  const answered = new Set<string>();
  for (const placed of blocks) {
    if (!isResult(placed.block)) continue;
    const id = textOf(placed.block["tool_use_id"]);
    if (!called.has(id))
      yield {
        rule: "A2.2",
        message: `${pathOf(placed)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      };
    if (answered.has(id))
      yield {
        rule: "A2.6",
        message: `${pathOf(placed)}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      };
    answered.add(id);
  }
}

function resultIds(blocks: readonly Placed[]): ReadonlySet<string> {
  return new Set(blocks.filter(({ block }) => isResult(block)).map(({ block }) => textOf(block["tool_use_id"])));
}
