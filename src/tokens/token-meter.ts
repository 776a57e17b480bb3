import { areBlocks } from "../messages/message-shape.ts";
import { isText, isThinking, isToolResult, isToolUse, type Block, type ThinkingBlock } from "../messages/message.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import type { ImageFormula } from "./image-tokens.ts";
import { embeddedMediaOf, mediaOf, mediaOfDataUrl, type Media } from "./media-payload.ts";
import { mediaTokens } from "./media-tokens.ts";
import { isCipher, plainJson } from "./plain-json.ts";

const BARE_BYTES: Media = { kind: "other", bytes: undefined };

/** Adds up the tokens of message contents. */
export class TokenMeter {
  textTokens = 0;
  mediaTokens = 0;
  readonly #images: ImageFormula;

  constructor(images: ImageFormula) {
    this.#images = images;
  }

  add(content: string | readonly Block[] | undefined): void {
    if (typeof content === "string") this.textTokens += estimateTokens(content);
    else for (const block of content ?? []) this.#addBlock(block);
  }

  #addBlock(block: Block): void {
    if (isText(block)) this.textTokens += estimateTokens(block.text);
    else if (isToolResult(block)) this.add(block.content);
    else if (isToolUse(block)) {
      this.textTokens += estimateTokens(block.name);
      this.#addJson(block.input);
    } else if (isThinking(block)) this.textTokens += thinkingTokens(block);
    else if (!isNote(block)) {
      const text = textOfDocument(block);
      if (text !== undefined) this.add(text);
      else if (!this.#take(mediaOf(block))) this.#addJson(block);
    }
  }

  /** Counts a value as JSON, except for files in it, which are counted as files. */
  #addJson(value: unknown): void {
    const json = plainJson(value) ?? this.#jsonWithoutFiles(value);
    if (json !== undefined) this.textTokens += estimateTokens(json);
  }

  #jsonWithoutFiles(value: unknown): string | undefined {
    const isTaken = (held: unknown): boolean => this.#takeEmbedded(held);
    return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, written: unknown) {
      // Look at the held value, not at `written`, in which a Buffer is already an array of numbers.
      if (isTaken(this[key])) return "";
      return typeof written === "bigint" ? `${written}` : written;
    });
  }

  #takeEmbedded(held: unknown): boolean {
    if (typeof held === "string") return this.#take(mediaOfDataUrl(held)) || this.#takeCipher(held);
    if (typeof held !== "object" || held === null) return false;
    return this.#take(ArrayBuffer.isView(held) ? BARE_BYTES : embeddedMediaOf(held));
  }

  #take(media: Media | undefined): boolean {
    if (media !== undefined) this.mediaTokens += mediaTokens(media, this.#images);
    return media !== undefined;
  }

  #takeCipher(text: string): boolean {
    const isTaken = isCipher(text);
    if (isTaken) this.textTokens += tokensInCipher(text);
    return isTaken;
  }
}

/** The AI SDK keeps a note about the start of a streamed Anthropic answer, and does not send it. */
function isNote({ type, kind }: Block & { readonly kind?: unknown }): boolean {
  return type === "custom" && kind === "anthropic.message_start";
}

/** An Anthropic document may hold text or blocks instead of a file. */
function textOfDocument(block: Block): string | readonly Block[] | undefined {
  const { source } = block as Block & { readonly source?: Readonly<Record<"type" | "data" | "content", unknown>> | null };
  if (block.type !== "document" || typeof source !== "object" || source === null) return undefined;
  const content = source.type === "text" ? source.data : source.type === "content" ? source.content : undefined;
  return typeof content === "string" || areBlocks(content) ? (content as string | readonly Block[]) : undefined;
}

/**
 * The signature holds the full thinking, encrypted; the text is empty or a summary (A4.7). The provider counts the encrypted thinking,
 * as the usage in recorded sessions shows.
 */
function thinkingTokens(block: ThinkingBlock): number {
  const { thinking, signature, data } = block as ThinkingBlock & Readonly<Record<"thinking" | "signature" | "data", unknown>>;
  const hiddenTokens = [signature, data].map((cipher) => (typeof cipher === "string" ? tokensInCipher(cipher.slice(ENVELOPE_CHARS)) : 0));
  return Math.max(...hiddenTokens, typeof thinking === "string" ? estimateTokens(thinking) : 0);
}

/**
 * Characters of every signature that hold no thinking: keys, the model's name, a checksum. In recorded sessions a signature has 240
 * characters plus four for every three bytes of thinking, so the signature of a short thought is mostly this.
 */
const ENVELOPE_CHARS = 240;

/** Four characters of base64 are three bytes, and a token of the encrypted text is about four bytes. */
function tokensInCipher(base64: string): number {
  return Math.round((base64.length * 3) / 16);
}
