import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { imageSize, type ImageSize } from "./image-size.ts";
import { bytesOfArray, bytesOfBase64 } from "./payload-bytes.ts";

const bytes = (...values: (number | string | Uint8Array)[]): Buffer =>
  Buffer.concat(values.map((value) => (typeof value === "number" ? Buffer.of(value) : typeof value === "string" ? Buffer.from(value, "latin1") : value)));
const big = (value: number, count: number): Buffer => {
  const buffer = Buffer.alloc(count);
  buffer.writeUIntBE(value, 0, count);
  return buffer;
};
const little = (value: number, count: number): Buffer => big(value, count).reverse();

const segment = (marker: number, length: number): Buffer => bytes(0xff, marker, big(length + 2, 2), new Uint8Array(length));
const frame = (marker: number): Buffer => bytes(0xff, marker, big(17, 2), 8, big(768, 2), big(1024, 2));
const webp = (chunk: string, ...rest: (number | Uint8Array)[]): Buffer => bytes("RIFF", little(99, 4), "WEBP", chunk, little(99, 4), ...rest);

const HEADERS: readonly (readonly [what: string, header: Buffer, size: ImageSize | undefined])[] = [
  ["PNG", bytes("\x89PNG\r\n\x1a\n", big(13, 4), "IHDR", big(70_000, 4), big(300, 4)), { width: 70_000, height: 300 }],
  ["GIF", bytes("GIF89a", little(640, 2), little(480, 2)), { width: 640, height: 480 }],
  ["JPEG", bytes("\xff\xd8", segment(0xe0, 14), frame(0xc0)), { width: 1024, height: 768 }],
  [
    "JPEG, progressive, behind metadata and a thumbnail",
    bytes("\xff\xd8", segment(0xe1, 60_000), segment(0xe2, 50_000), frame(0xc2)),
    { width: 1024, height: 768 },
  ],
  ["JPEG, whose tables look like a frame", bytes("\xff\xd8", segment(0xc4, 300), frame(0xc0)), { width: 1024, height: 768 }],
  ["WebP, lossy", webp("VP8 ", new Uint8Array(6), little(800, 2), little(600 | 0x4000, 2)), { width: 800, height: 600 }],
  ["WebP, lossless", webp("VP8L", 0x2f, little((800 - 1) | ((600 - 1) << 14), 4)), { width: 800, height: 600 }],
  ["WebP, extended", webp("VP8X", little(0, 4), little(20_000 - 1, 3), little(600 - 1, 3)), { width: 20_000, height: 600 }],
  ["WebP of an unknown kind", webp("VP9X", new Uint8Array(20)), undefined],
  ["a JPEG that ends early", bytes("\xff\xd8", segment(0xe0, 14)), undefined],
  ["a JPEG that loses its way", bytes("\xff\xd8", segment(0xe0, 14), "garbage, and more of it"), undefined],
  ["a JPEG of empty segments only", bytes("\xff\xd8", ...Array.from({ length: 2_000 }, () => segment(0xe0, 0)), frame(0xc0)), undefined],
  ["a PNG that ends early", bytes("\x89PNG\r\n\x1a\n", big(13, 4), "IHDR"), undefined],
  ["a BMP", bytes("BM", new Uint8Array(60)), undefined],
  ["nothing", Buffer.alloc(0), undefined],
];

describe("the size of an image is in its header", () => {
  for (const [what, header, size] of HEADERS) {
    test(what, () => {
      assert.deepEqual(imageSize(bytesOfBase64(header.toString("base64"), 0)), size);
      assert.deepEqual(imageSize(bytesOfBase64(header.toString("base64url"), 0)), size);
      assert.deepEqual(imageSize(bytesOfBase64(`data:image/x;base64,${header.toString("base64")}`, 20)), size);
      assert.deepEqual(imageSize(bytesOfArray(header)), size);
    });
  }
});

/** The smallest real files, as encoders write them. */
const FILES: Readonly<Record<string, string>> = {
  PNG: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  GIF: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  "WebP, lossy": "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
  "WebP, lossless": "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
  "WebP, extended": "UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==",
};

describe("a file of one pixel", () => {
  for (const [what, file] of Object.entries(FILES)) test(what, () => assert.deepEqual(imageSize(bytesOfBase64(file, 0)), { width: 1, height: 1 }));
});

test("base64 is decoded byte by byte", () => {
  const data = Buffer.from(Uint8Array.from({ length: 256 }, (_, index) => index));
  for (const end of [254, 255, 256]) {
    const decoded = bytesOfBase64(data.subarray(0, end).toString("base64url"), 0);
    assert.deepEqual(
      Array.from({ length: end }, (_, index) => decoded.at(index)),
      [...data.subarray(0, end)],
    );
    assert.equal(decoded.length, end);
    assert.equal(decoded.at(10_000), 0);
  }
});
