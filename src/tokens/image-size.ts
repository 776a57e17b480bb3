import { latin1Text, type PayloadBytes } from "./payload-bytes.ts";

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A JPEG file has a few dozen segments before its image data. A file with more is not a JPEG. */
const MOST_JPEG_SEGMENTS = 500;

/** Reads the size of a PNG, JPEG, GIF or WebP image from its header; undefined for anything else. */
export function imageSize(bytes: PayloadBytes): ImageSize | undefined {
  const size = sizeInHeader(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function sizeInHeader(bytes: PayloadBytes): ImageSize | undefined {
  const start = latin1Text(bytes, 0, 16);
  if (start.startsWith("\x89PNG")) return { width: bigEndian(bytes, 16, 4), height: bigEndian(bytes, 20, 4) };
  if (start.startsWith("GIF8")) return { width: littleEndian(bytes, 6, 2), height: littleEndian(bytes, 8, 2) };
  if (start.startsWith("RIFF") && start.startsWith("WEBP", 8)) return webpSize(bytes, start.slice(12));
  if (start.startsWith("\xff\xd8")) return jpegSize(bytes);
  return undefined;
}

function webpSize(bytes: PayloadBytes, chunk: string): ImageSize | undefined {
  switch (chunk) {
    case "VP8 ":
      return { width: littleEndian(bytes, 26, 2) & 0x3fff, height: littleEndian(bytes, 28, 2) & 0x3fff };
    case "VP8L": {
      // Fourteen bits each, stored minus one.
      const bits = littleEndian(bytes, 21, 4);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case "VP8X":
      return { width: 1 + littleEndian(bytes, 24, 3), height: 1 + littleEndian(bytes, 27, 3) };
    default:
      return undefined;
  }
}

/** Finds the size in the frame header, after metadata and thumbnails of any length. */
function jpegSize(bytes: PayloadBytes): ImageSize | undefined {
  let at = 2;
  for (let segment = 0; segment < MOST_JPEG_SEGMENTS && at < bytes.length; segment++) {
    if (bytes.at(at) !== 0xff) return undefined;
    const marker = bytes.at(at + 1);
    if (isFrameHeader(marker)) return { height: bigEndian(bytes, at + 5, 2), width: bigEndian(bytes, at + 7, 2) };
    at += 2 + bigEndian(bytes, at + 2, 2);
  }
  return undefined;
}

/** Accepts SOF0 to SOF15, except for the tables among them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function bigEndian(bytes: PayloadBytes, at: number, count: number): number {
  let value = 0;
  for (let index = 0; index < count; index++) value = value * 256 + bytes.at(at + index);
  return value;
}

function littleEndian(bytes: PayloadBytes, at: number, count: number): number {
  let value = 0;
  for (let index = count - 1; index >= 0; index--) value = value * 256 + bytes.at(at + index);
  return value;
}
