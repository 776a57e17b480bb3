import { latin1Text, type PayloadBytes } from "./payload-bytes.ts";

/** In nearly every file the page tree is near the start or the end. Reading the whole file would take longer than the rest of the estimate. */
const WINDOW_BYTES = 65_536;
/** If the page tree is compressed, pages are estimated from the file size. A page of text is smaller, a scanned one larger. */
const BYTES_PER_PAGE = 75_000;

/** Returns the page count that a PDF file states, or else an estimate from its size. */
export function pdfPages(bytes: PayloadBytes): number {
  const start = latin1Text(bytes, 0, WINDOW_BYTES);
  const end = latin1Text(bytes, Math.max(WINDOW_BYTES, bytes.length - WINDOW_BYTES), bytes.length);
  return statedPages(`${start}\nendobj\n${end}`) ?? Math.max(1, Math.ceil(bytes.length / BYTES_PER_PAGE));
}

/** The root of the page tree counts all pages, its branches only their own. A linearized file begins with the number. */
function statedPages(text: string): number | undefined {
  const counts = text
    .split("endobj")
    .filter((object) => /\/Type\s*\/Pages\b|\/Linearized\b/.test(object))
    .flatMap((object) => /\/(?:Count|N)\s+(\d{1,5})\b/.exec(object)?.[1] ?? []);
  return counts.length === 0 ? undefined : Math.max(1, ...counts.map(Number));
}
