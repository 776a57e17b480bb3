import { allBlocks, isCall, isRecord, isResult, isThought, pathOf, textOf, type ApiRequest, type Placed, type Turn } from "../api-request.ts";
import type { Refusal } from "../refusal.ts";

const BINDING_BETA = "thinking-binding-controls-2026-08-01";

/** A4, as far as the request alone shows it. `ThinkingLedger` knows what was signed under which prefix. */
export function* thinkingRefusals(request: ApiRequest): Generator<Refusal> {
  yield* bindingOption(request);
  yield* unsigned(request);
  yield* notFirst(request);
  yield* endsInThought(request);
  yield* finalTurn(request);
}

/** A4.9 */
function* bindingOption({ body, betas }: ApiRequest): Generator<Refusal> {
  const thinking = isRecord(body["thinking"]) ? body["thinking"] : {};
  if (thinking["block_binding"] === undefined || thinking["block_binding"] === null) return;
  if (!betas.has(BINDING_BETA) || thinking["type"] === "disabled") yield { rule: "A4.9", message: "block_binding: Extra inputs are not permitted" };
}

/** A4.7: thinking needs a signature. */
function* unsigned({ messages }: ApiRequest): Generator<Refusal> {
  for (const placed of allBlocks(messages)) {
    if (!isThought(placed.block)) continue;
    const name = placed.block.type === "thinking" ? "signature" : "data";
    if (textOf(placed.block[name]) === "") yield { rule: "A4.7", message: `${pathOf(placed)}.${placed.block.type}.${name}: Field required` };
  }
}

/** A4.4, in each message; a compaction block may precede the thinking. */
function* notFirst({ messages }: ApiRequest): Generator<Refusal> {
  for (const { role, blocks } of messages) {
    const first = blocks.find(({ type }) => type !== "compaction");
    if (role === "assistant" && first !== undefined && !isThought(first) && blocks.some(isThought))
      yield {
        rule: "A4.4",
        message: `If an assistant message contains any thinking blocks, the first block must be \`thinking\` or \`redacted_thinking\`. Found \`${first.type}\`.`,
      };
  }
}

/** A4.5: neighbouring assistant messages count as one, but a system message separates them. */
function* endsInThought({ messages }: ApiRequest): Generator<Refusal> {
  for (const [position, { role, blocks }] of messages.entries()) {
    const last = blocks.at(-1);
    const goesOn =
      messages[position + 1]?.role === "assistant" && messages.slice(position + 1).find(({ blocks: more }) => more.length > 0)?.role === "assistant";
    if (role === "assistant" && last !== undefined && isThought(last) && !goesOn)
      yield { rule: "A4.5", message: `messages.${position}: The final block in an assistant message cannot be \`${last.type}\`.` };
  }
}

/** A4.2 and A4.6: the assistant turn that the model continues is a whole tool loop. */
function* finalTurn({ turns, thinking }: ApiRequest): Generator<Refusal> {
  const loop = openLoop(turns);
  const [first] = loop[0]?.blocks ?? [];
  if (first === undefined) return;
  if (thinking === "manual" && !isThought(first.block))
    yield {
      rule: "A4.2",
      message: `${pathOf(first)}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.block.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`.`,
    };
  if (thinking === "off" && loop.at(-1)?.blocks.some(isThinkingPlace) === true)
    yield {
      rule: "A4.6",
      message:
        "When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.",
    };
}

function isThinkingPlace({ block }: Placed): boolean {
  return isThought(block);
}

/** Returns the assistant turns after the last user turn that is not an answer to calls; none if a new loop begins. */
function openLoop(turns: readonly Turn[]): readonly Turn[] {
  const start = turns.findLastIndex((turn) => turn.role === "user" && !answersCalls(turn)) + 1;
  const loop = turns.slice(start).filter(({ role }) => role === "assistant");
  const isGoingOn = turns.at(-1)?.role === "assistant" || loop.some(({ blocks }) => blocks.some(({ block }) => isCall(block)));
  return isGoingOn ? loop : [];
}

function answersCalls({ blocks }: Turn): boolean {
  return blocks.some(({ block }) => isResult(block));
}
