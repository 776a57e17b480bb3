import { JsonScanner, type JsonToken } from "../documents/json-scanner.ts";
import { endOfLine } from "../text/line-bounds.ts";
import { LONGEST_LINE, pieceEnds } from "./long-lines.ts";
import { DEEPEST_OPENED, type JsonReading } from "../documents/read-json.ts";
import { NO_HEADING, type Noun } from "./text-parts.ts";

/** A longer container is opened: its parts are shown or cut one by one, and its beginning is their heading. */
const LONGEST_RECORD = 400;
const LONGEST_FIELD = 200;

/** Scalars of an array are joined up to this length. */
const SHORTEST_VALUES = 60;

/** Receives the parts of a text in order. */
export interface JsonSink {
  /** The number of parts so far. */
  readonly length: number;
  add(start: number, end: number, noun: Noun, count: number, heading: number): void;
  /** Adds a stretch of lines that are not JSON. */
  addOther(start: number, end: number): void;
}

/** Visits the parts of all JSON documents of a text, and the lines between them. */
export function walkJson({ text, documents }: JsonReading, sink: JsonSink): void {
  let from = 0;
  for (const { start, end, containerEnds } of documents) {
    sink.addOther(from, start);
    from = endOfLine(text, end);
    new DocumentWalk(text, sink, documents.length === 1 ? LONGEST_FIELD : LONGEST_RECORD).add(start, from, containerEnds);
  }
  sink.addOther(from, text.length);
}

/** A part ends where the next one begins, so commas and closing brackets belong to the part before them. */
class DocumentWalk {
  readonly #text: string;
  readonly #sink: JsonSink;
  readonly #longestDocument: number;
  /** The first parts of the opened containers around the current one. */
  readonly #headings: number[] = [];
  readonly #isArray: boolean[] = [];
  #start = 0;
  #heading = NO_HEADING;
  #noun: Noun = "record";
  #values = 0;

  constructor(text: string, sink: JsonSink, longestDocument: number) {
    this.#text = text;
    this.#sink = sink;
    this.#longestDocument = longestDocument;
  }

  add(start: number, documentEnd: number, ends: readonly number[]): void {
    const scanner = new JsonScanner(this.#text, start);
    this.#start = start;
    let container = 0;
    for (let token = scanner.next(); token !== "end" && token !== "fault"; token = scanner.next()) {
      const opened = this.#headings.length;
      if (token === "close" && scanner.depth === opened - 1) {
        this.#headings.pop();
        this.#isArray.pop();
      }
      if (scanner.depth !== opened) continue;
      this.#beginMember(scanner, token);
      if (token !== "open" || opened >= DEEPEST_OPENED) continue;
      const end = ends[container++] ?? 0;
      if (end - scanner.start > this.#limit()) {
        // The part that begins the container is not written yet; this will be its index.
        this.#headings.push(this.#sink.length);
        this.#isArray.push(this.#text.charCodeAt(scanner.start) === 0x5b);
      } else {
        // Containers inside it are not separate parts.
        while ((ends[container] ?? Infinity) < end) container++;
        scanner.leave(end);
      }
    }
    this.#finish(documentEnd);
  }

  #limit(): number {
    if (this.#headings.length === 0) return this.#longestDocument;
    return this.#noun === "field" ? LONGEST_FIELD : LONGEST_RECORD;
  }

  /** Begins a part at a key of an object or a value of an array; it ends at the next one. */
  #beginMember(scanner: JsonScanner, token: JsonToken): void {
    if (token === "key") this.#begin(scanner.start, "field");
    else if (this.#isArray.at(-1) !== true) return;
    else if (token === "open") this.#begin(scanner.start, "record");
    else if (token === "scalar") this.#beginValue(scanner);
  }

  #beginValue(scanner: JsonScanner): void {
    if (this.#noun === "value" && this.#heading === this.#headings.at(-1) && scanner.end - this.#start < SHORTEST_VALUES) this.#values++;
    else {
      this.#begin(scanner.start, "value");
      this.#values = 1;
    }
  }

  #begin(start: number, noun: Noun): void {
    this.#finish(start);
    this.#heading = this.#headings.at(-1) ?? NO_HEADING;
    this.#noun = noun;
  }

  #finish(end: number): void {
    const start = this.#start;
    this.#start = end;
    if (start === end) return;
    const first = this.#sink.length;
    const ends = end - start > LONGEST_LINE ? pieceEnds(this.#text, start, end) : [end];
    let from = start;
    for (const to of ends) {
      if (this.#sink.length > first) this.#sink.add(from, to, "character", to - from, first);
      else this.#sink.add(from, to, this.#noun, this.#noun === "value" ? this.#values : 1, this.#heading);
      from = to;
    }
  }
}
