import { answersCalls, blocksIn, digest, field, isCall, isThought, type JudgedBlock, type JudgedMessage, type Request, type Turn } from "./judged-request.ts";

/** A4, as far as one request shows it. That thinking is bound to what came before it (A4.1, A4.8) is `BindingWorld`'s. */
export function thinkingFaults(request: Request): string[] {
  const { messages } = request;
  return [
    ...messages.filter((message) => message.role === "assistant").flatMap(notFirst),
    ...responses(messages).flatMap(endsInThought),
    ...messages.flatMap((message) => blocksIn(message).flatMap(unsigned)),
    ...finalTurnFaults(request),
  ];
}

/** A4.4, in each message: merging does not help. A compaction block may come before it. */
function notFirst(message: JudgedMessage): string[] {
  const blocks = blocksIn(message);
  const thought = blocks.find(isThought);
  const first = blocks.find((block) => block.type !== "compaction");
  return thought === undefined || first === undefined || isThought(first) ? [] : [`A4.4:${digest(thought)}`];
}

/** Neighbouring assistant messages are one response; a system message ends it. */
function responses(messages: readonly JudgedMessage[]): JudgedBlock[][] {
  const found: JudgedBlock[][] = [];
  messages.forEach((message, position) => {
    if (message.role !== "assistant") return;
    if (messages[position - 1]?.role === "assistant") found.at(-1)?.push(...blocksIn(message));
    else found.push([...blocksIn(message)]);
  });
  return found;
}

/** A4.5, on the merged messages. */
function endsInThought(blocks: readonly JudgedBlock[]): string[] {
  const last = blocks.at(-1);
  return last !== undefined && isThought(last) ? [`A4.5:${digest(last)}`] : [];
}

/** A4.7: that there is a signature; whether it fits is not decided here. */
function unsigned(block: JudgedBlock): string[] {
  if (!isThought(block)) return [];
  const mark = field(block, block.type === "thinking" ? "signature" : "data");
  return typeof mark === "string" && mark !== "" ? [] : [`A4.7:${digest(block)}`];
}

/** A4.2 and A4.6: the assistant turn that the model is to go on with, which is a whole tool loop. */
function finalTurnFaults({ turns, target }: Request): string[] {
  if (target.history || target.thinking === "adaptive") return [];
  const loop = openLoop(turns);
  const first = loop[0]?.blocks[0];
  if (first === undefined) return [];
  if (target.thinking === "manual") return isThought(first) ? [] : ["A4.2:"];
  const thought = loop.at(-1)?.blocks.find(isThought);
  return thought === undefined ? [] : [`A4.6:${digest(thought)}`];
}

/** The assistant turns of the loop at the end: those after the last user turn that answers no call. Empty where the model begins anew. */
function openLoop(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  if (last?.role === "user" && !answersCalls(last)) return [];
  const start = turns.findLastIndex((turn) => turn.role === "user" && !answersCalls(turn)) + 1;
  const loop = turns.slice(start).filter((turn) => turn.role === "assistant");
  return loop.some((turn) => turn.blocks.some(isCall)) || last?.role === "assistant" ? loop : [];
}
