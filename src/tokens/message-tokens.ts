import { isRecord } from "../errors/is-record.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { parseMessages } from "../messages/parse-messages.ts";
import type { Block, Message } from "../messages/message.ts";
import { CLAUDE_IMAGES, type ImageFormula } from "./image-tokens.ts";
import { TokenMeter } from "./token-meter.ts";

/** Text in o200k tokens, to be multiplied by the model's factor, and media in the model's own tokens. */
export interface Estimate {
  readonly textTokens: number;
  readonly mediaTokens: number;
}

export function messageTokens(message: Message): number {
  return contentTokens(message.content);
}

export function contentTokens(content: string | readonly Block[] | undefined): number {
  const meter = new TokenMeter(CLAUDE_IMAGES);
  meter.add(content);
  return meter.textTokens + meter.mediaTokens;
}

export function estimateMessages(messages: readonly Message[], images: ImageFormula): Estimate {
  parseMessages(messages);
  if (!isRecord(images)) throw invalid("INVALID_INPUT", "images", "the formula of a model", images);
  const meter = new TokenMeter(images);
  for (const message of messages) meter.add(message.content);
  return { textTokens: meter.textTokens, mediaTokens: meter.mediaTokens };
}
