import { latin1Text, type PayloadBytes } from "./payload-bytes.ts";

/** The page tree lies near the start or the end of nearly every file, and reading all of one would take longer than the rest of the estimate. */
const WINDOW_BYTES = 65_536;
/** Where the page tree is compressed, the size of the file must do. A page of text takes less, a scanned one more. */
const BYTES_PER_PAGE = 75_000;

/** How many pages a PDF file has: as it says, or else as its size suggests. */
export function pdfPages(bytes: PayloadBytes): number {
  const start = latin1Text(bytes, 0, WINDOW_BYTES);
  const end = latin1Text(bytes, Math.max(WINDOW_BYTES, bytes.length - WINDOW_BYTES), bytes.length);
  return statedPages(`${start}\nendobj\n${end}`) ?? Math.max(1, Math.ceil(bytes.length / BYTES_PER_PAGE));
}

/** The root of the page tree counts all pages, its branches only theirs. A linearized file begins with the number. */
function statedPages(text: string): number | undefined {
  const counts = text
    .split("endobj")
    .filter((object) => /\/Type\s*\/Pages\b|\/Linearized\b/.test(object))
    .flatMap((object) => /\/(?:Count|N)\s+(\d{1,5})\b/.exec(object)?.[1] ?? []);
  return counts.length === 0 ? undefined : Math.max(1, ...counts.map(Number));
}
