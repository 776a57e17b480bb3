import { jsonDocuments, type JsonDocument } from "./json-documents.ts";
import { JsonScanner, type JsonToken } from "./json-scanner.ts";
import { jsonWeight } from "./json-weight.ts";
import { LineCounter } from "./line-counter.ts";
import { endOfLine } from "./line-units.ts";
import { LONGEST_LINE, pieceEnds } from "./pieces.ts";
import { pieceWeight } from "./piece-weight.ts";
import { weigh } from "./weigh.ts";
import { WordWorth } from "./word-worth.ts";
import { MOST_HEADINGS, NO_HEADING, lineUnit, pieceUnit, type Noun, type Unit } from "./unit.ts";

/** A container that is longer is opened: its parts are units, and its beginning is their heading. */
const LONGEST_RECORD = 400;
const LONGEST_FIELD = 200;

/** Scalars of an array are gathered until they are so long. */
const SHORTEST_VALUES = 60;

/** Containers that lie deeper are not opened. One more heading is needed where a part is cut into pieces. */
const DEEPEST_OPENED = MOST_HEADINGS - 2;

/** The parts of all JSON documents of a text; the lines between them go to `otherUnits`. */
export function jsonUnits(text: string, otherUnits: (text: string) => readonly Unit[]): Unit[] {
  const documents = jsonDocuments(text);
  const units: Unit[] = [];
  const lines = new LineCounter(text);
  const words = new WordWorth(text.length);
  const addOther = (start: number, end: number): void => {
    const first = units.length;
    const firstLine = lines.lineAt(start);
    for (const unit of otherUnits(text.slice(start, end)))
      units.push({ ...unit, line: unit.line + firstLine - 1, heading: unit.heading === NO_HEADING ? NO_HEADING : unit.heading + first });
  };
  let from = 0;
  for (const document of documents) {
    addOther(from, document.start);
    from = endOfLine(text, document.end);
    new DocumentUnits(text, units, lines, words, documents.length === 1 ? LONGEST_FIELD : LONGEST_RECORD).add({ start: document.start, end: from });
  }
  addOther(from, text.length);
  return units;
}

/** A unit ends where the next one begins, so commas and closing brackets belong to what stands before them. */
class DocumentUnits {
  readonly #text: string;
  readonly #units: Unit[];
  readonly #lines: LineCounter;
  readonly #longestDocument: number;
  /** The units of the opened containers around. */
  readonly #headings: number[] = [];
  readonly #isArray: boolean[] = [];
  #start = 0;
  #heading = NO_HEADING;
  #noun: Noun = "record";
  #values = 0;
  readonly #words: WordWorth;

  constructor(text: string, units: Unit[], lines: LineCounter, words: WordWorth, longestDocument: number) {
    this.#text = text;
    this.#units = units;
    this.#lines = lines;
    this.#words = words;
    this.#longestDocument = longestDocument;
  }

  add(document: JsonDocument): void {
    const ends = containerEnds(this.#text, document.start);
    const scanner = new JsonScanner(this.#text, document.start);
    this.#start = document.start;
    let container = 0;
    for (let token = scanner.next(); token !== "end" && token !== "fault"; token = scanner.next()) {
      const opened = this.#headings.length;
      if (token === "close" && scanner.depth === opened - 1) {
        this.#headings.pop();
        this.#isArray.pop();
      }
      const size = token === "open" && scanner.depth < DEEPEST_OPENED ? (ends[container++] ?? 0) - scanner.start : 0;
      if (scanner.depth !== opened) continue;
      this.#beginMember(scanner, token);
      if (size > this.#limit()) {
        // The unit that begins it is not written yet: this is the index that it will have.
        this.#headings.push(this.#units.length);
        this.#isArray.push(this.#text.charCodeAt(scanner.start) === 0x5b);
      }
    }
    this.#finish(document.end);
  }

  #limit(): number {
    if (this.#headings.length === 0) return this.#longestDocument;
    return this.#noun === "field" ? LONGEST_FIELD : LONGEST_RECORD;
  }

  /** A key in an object, a value in an array: what follows up to the next one is a unit. */
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
    const first = this.#units.length;
    const ends = end - start > LONGEST_LINE ? pieceEnds(this.#text, start, end) : [end];
    let from = start;
    for (const to of ends) {
      const line = this.#lines.lineAt(from);
      const words = this.#words.between(this.#text, from, to);
      const text = this.#text.slice(from, to);
      if (this.#units.length > first) this.#units.push(pieceUnit(this.#text, from, to, { line, weight: weigh(pieceWeight(text), words), heading: first }));
      else {
        const weight = weigh(jsonWeight(text, this.#noun), words);
        const count = this.#noun === "value" ? this.#values : 1;
        this.#units.push({ ...lineUnit(this.#text, from, to, { line, weight, heading: this.#heading }), noun: this.#noun, count });
      }
      from = to;
    }
  }
}

/** Where the containers end that may be opened, in the order in which they begin. */
function containerEnds(text: string, start: number): readonly number[] {
  const ends: number[] = [];
  const open: number[] = [];
  const scanner = new JsonScanner(text, start);
  for (let token = scanner.next(); token !== "end" && token !== "fault"; token = scanner.next()) {
    if (scanner.depth >= DEEPEST_OPENED) continue;
    if (token === "open") open.push(ends.push(0) - 1);
    if (token === "close") ends[open.pop() ?? 0] = scanner.end;
  }
  return ends;
}
