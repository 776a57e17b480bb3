import { allBlocks, blocksIn, isResult, type ApiRequest } from "../api-request.ts";
import type { Refusal } from "../refusal.ts";

/** A6: models with a window of up to 200 000 tokens accept 100 images, the others 600. */
const SMALL_WINDOW = 200_000;

export function* sizeRefusals({ messages }: ApiRequest, tokens: number, windowTokens: number): Generator<Refusal> {
  const blocks = allBlocks(messages).flatMap(({ block }) => [block, ...(isResult(block) ? blocksIn(block["content"]) : [])]);
  const images = blocks.filter(({ type }) => type === "image").length;
  const most = windowTokens <= SMALL_WINDOW ? 100 : 600;
  if (images > most) yield { rule: "A6", message: `messages: Too many images: ${images} > ${most}` };
  if (tokens > windowTokens) yield { rule: "A6", message: `prompt is too long: ${tokens} tokens > ${windowTokens} maximum` };
}
