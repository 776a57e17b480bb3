import { JsonScanner } from "./json-scanner.ts";
import { endOfLine } from "../text/line-bounds.ts";
import { TextWriter } from "../text/text-writer.ts";
import { MOST_HEADINGS } from "../parts/text-parts.ts";

/** Deeper containers are not opened. One heading is reserved for parts that are cut into pieces. */
export const DEEPEST_OPENED: number = MOST_HEADINGS - 2;

/** A JSON object or array that starts at the start of a line and ends at the end of one. */
export interface JsonDocument {
  readonly start: number;
  readonly end: number;
  /** The ends of the containers that may be opened, in the order of their starts. */
  readonly containerEnds: readonly number[];
}

/** A text and all its documents. Other lines may stand between them, such as those that a harness writes above a command's output. */
export interface JsonReading {
  readonly text: string;
  readonly documents: readonly JsonDocument[];
}

/** Reads the documents of a text without changing it. */
export function readJson(text: string): JsonReading {
  return new Reader(text, false).read();
}

/**
 * Removes the white space between the tokens of every document; everything else stays.
 *
 *     before: "Output:\n{\n  \"id\": 1.0\n}\n"
 *     after:  "Output:\n{\"id\":1.0}\n"
 */
export function minifyJson(text: string): JsonReading {
  return new Reader(text, true).read();
}

class Reader {
  readonly #text: string;
  readonly #minifies: boolean;
  readonly #writer: TextWriter;
  /** The number of characters removed before the document. */
  #removed = 0;

  constructor(text: string, minifies: boolean) {
    this.#text = text;
    this.#minifies = minifies;
    this.#writer = new TextWriter(text);
  }

  read(): JsonReading {
    const text = this.#text;
    const documents: JsonDocument[] = [];
    // After a fault, do not start again before it: the same fault would be found again and again.
    let tried = 0;
    for (let start = 0; start < text.length; start = endOfLine(text, start)) {
      const code = text.charCodeAt(start);
      if (start < tried || (code !== 0x7b && code !== 0x5b)) continue;
      const scanner = new JsonScanner(text, start);
      const document = this.#document(scanner);
      tried = scanner.end;
      if (document === undefined) continue;
      documents.push(document);
      start = scanner.end;
    }
    return { text: this.#writer.end(), documents };
  }

  #document(scanner: JsonScanner): JsonDocument | undefined {
    const first = scanner.end;
    const containerEnds: number[] = [];
    const open: number[] = [];
    /** The start and end of each stretch of white space. */
    const gaps: number[] = [];
    let removed = this.#removed;
    let token = scanner.next();
    for (let before = first; token !== "end" && token !== "fault"; token = scanner.next()) {
      if (this.#minifies && scanner.start > before) {
        gaps.push(before, scanner.start);
        removed += scanner.start - before;
      }
      before = scanner.end;
      if (scanner.depth >= DEEPEST_OPENED) continue;
      if (token === "open") open.push(containerEnds.push(0) - 1);
      else if (token === "close") containerEnds[open.pop() ?? 0] = before - removed;
    }
    if (token === "fault" || !isAtEndOfLine(this.#text, scanner.end)) return undefined;
    for (let gap = 0; gap < gaps.length; gap += 2) this.#writer.remove(gaps[gap] ?? 0, gaps[gap + 1] ?? 0);
    const document = { start: first - this.#removed, end: scanner.end - removed, containerEnds };
    this.#removed = removed;
    return document;
  }
}

function isAtEndOfLine(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) return true;
    if (code !== 0x20 && code !== 0x0d && code !== 0x09) return false;
  }
  return true;
}
