import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bytesOfArray, bytesOfBase64 } from "./payload-bytes.ts";
import { pdfPages } from "./pdf-pages.ts";

const filler = "x".repeat(200_000);

const FILES: readonly (readonly [what: string, file: string, pages: number])[] = [
  ["as Word writes it, at the start", `%PDF-1.7\n2 0 obj\n<</Type/Pages/Count 12/Kids[ 3 0 R 9 0 R] >>\nendobj\n${filler}`, 12],
  ["as Chrome writes it, at the end", `%PDF-1.4\n${filler}\n8 0 obj\n<</Type /Pages\n/Count 3\n/Kids [5 0 R]>>\nendobj\ntrailer`, 3],
  [
    "a tree: the root counts all",
    "1 0 obj <</Type /Pages /Count 4>> endobj 2 0 obj <</Count 10 /Type /Pages>> endobj 3 0 obj <</Type /Pages /Count 6>> endobj",
    10,
  ],
  [
    "bookmarks and single pages are not counted",
    "1 0 obj <</Type /Outlines /Count 40>> endobj 2 0 obj <</Type /Page>> endobj 3 0 obj <</Type /Pages /Count 2>> endobj",
    2,
  ],
  ["linearized, with a compressed tree", `%PDF-1.5\n7 0 obj\n<</Linearized 1/L 90210/O 9/E 8000/N 31/T 90000>>\nendobj\n${filler}`, 31],
  ["nothing to read: by its size", filler, 3],
  ["nothing at all", "", 1],
];

describe("the pages of a PDF", () => {
  for (const [what, file, pages] of FILES) {
    test(what, () => {
      assert.equal(pdfPages(bytesOfArray(Buffer.from(file, "latin1"))), pages);
      assert.equal(pdfPages(bytesOfBase64(Buffer.from(file, "latin1").toString("base64"), 0)), pages);
    });
  }
});
