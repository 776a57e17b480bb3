import { imageSize } from "./image-size.ts";
import { imageTokens, UNKNOWN_IMAGE_TOKENS, type ImageFormula } from "./image-tokens.ts";
import type { Media } from "./media-payload.ts";
import { pdfPages } from "./pdf-pages.ts";

/** Anthropic says 1,500 to 3,000 a page: its text, and the page as an image. */
const TOKENS_PER_PDF_PAGE = 2_250;
/** It would have to be decoded to say more. */
const BYTES_PER_TEXT_TOKEN = 4;
/** A document that the message only points to. */
const UNKNOWN_PDF_PAGES = 5;

/** What a file in a message costs: never its base64, which no model reads as text. */
export function mediaTokens({ kind, bytes }: Media, images: ImageFormula): number {
  switch (kind) {
    case "image":
      return imageTokens(bytes && imageSize(bytes), images);
    case "pdf":
      return TOKENS_PER_PDF_PAGE * (bytes === undefined ? UNKNOWN_PDF_PAGES : pdfPages(bytes));
    case "text":
      return bytes === undefined ? UNKNOWN_IMAGE_TOKENS : Math.ceil(bytes.length / BYTES_PER_TEXT_TOKEN);
    case "other":
      // Sound, video and office files: no provider says what those cost before it has seen them.
      return UNKNOWN_IMAGE_TOKENS;
  }
}
