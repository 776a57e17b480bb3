import { imageSize } from "./image-size.ts";
import { imageTokens, UNKNOWN_IMAGE_TOKENS, type ImageFormula } from "./image-tokens.ts";
import type { Media } from "./media-payload.ts";
import { pdfPages } from "./pdf-pages.ts";

/** Anthropic says 1,500 to 3,000 per page: its text, and the page as an image. */
const TOKENS_PER_PDF_PAGE = 2_250;
/** An exact count would need decoding. */
const BYTES_PER_TEXT_TOKEN = 4;
/** For a document that the message only refers to. */
const UNKNOWN_PDF_PAGES = 5;

/** Estimates the cost of a file in a message. Base64 is never counted as text, because no model reads it as text. */
export function mediaTokens({ kind, bytes }: Media, images: ImageFormula): number {
  switch (kind) {
    case "image":
      return imageTokens(bytes && imageSize(bytes), images);
    case "pdf":
      return TOKENS_PER_PDF_PAGE * (bytes === undefined ? UNKNOWN_PDF_PAGES : pdfPages(bytes));
    case "text":
      return bytes === undefined ? UNKNOWN_IMAGE_TOKENS : Math.ceil(bytes.length / BYTES_PER_TEXT_TOKEN);
    case "other":
      // Audio, video and office files: no provider documents a cost that can be computed in advance.
      return UNKNOWN_IMAGE_TOKENS;
  }
}
