import { isDefinition } from "./is-definition.ts";
import type { ContentKind } from "../kinds/kind-of.ts";
import type { Familiarity } from "../words/known-words.ts";
import { FAULT } from "../kinds/line-signs.ts";
import { behindLineNumber, endOfLine } from "../text/line-bounds.ts";
import { NO_HEADING, type Noun, type Parts } from "./text-parts.ts";
import { LONGEST_LINE, pieceEnds } from "./long-lines.ts";
import { WorthReader } from "../words/worth-reader.ts";

/** How headings are found in the lines of a kind. */
interface Layout {
  /** Says whether a less indented line above is a heading. The line comes without its number and indentation. */
  readonly isHeading: (line: string) => boolean;
  /** Returns the level, from 1, of a line that heads all lines below it; 0 for other lines. */
  readonly levelOf: (text: string, from: number, to: number, isFirst: boolean) => number;
  /** True for kinds that report failures. Such lines are worth showing whatever their words. */
  readonly reportsFaults?: boolean;
}

/** The worth of a line that reports a failure. Agents act on it at once, so later words of a session do not show its use. */
const FAULT_WORTH = 150;

const never = (): boolean => false;
const always = (): boolean => true;
const noSections = (): number => 0;

const LAYOUTS: Readonly<Partial<Record<ContentKind, Layout>>> = {
  code: { isHeading: isDefinition, levelOf: noSections },
  text: { isHeading: never, levelOf: sectionLevel },
  html: { isHeading: never, levelOf: sectionLevel },
  listing: { isHeading: always, levelOf: (text, from, to) => Number(endsIn(text, from, to, 0x3a)) },
  search: { isHeading: always, levelOf: fileLevel },
  table: { isHeading: never, levelOf: (_text, _from, _to, isFirst) => Number(isFirst) },
  log: { isHeading: always, levelOf: noSections, reportsFaults: true },
  "test-output": { isHeading: always, levelOf: noSections, reportsFaults: true },
};
const PLAIN_LAYOUT: Layout = { isHeading: never, levelOf: noSections };

/** Every line is a part, except for overlong lines, which are split. */
export function partsOfLines(text: string, kind: ContentKind, familiarity: Familiarity): Parts {
  return new LineParts(text, LAYOUTS[kind] ?? PLAIN_LAYOUT, familiarity);
}

class LineParts implements Parts {
  readonly text: string;
  readonly starts: number[] = [];
  readonly worths: number[] = [];
  readonly #layout: Layout;
  /** Per part, the start and end of its indentation; `bodies` may hold BLANK or SAME_LINE instead. */
  readonly #indents: number[] = [];
  readonly #bodies: number[] = [];
  /** Pieces of overlong lines. Most texts have none. */
  readonly #pieces = new Set<number>();
  #headings: Headings | undefined;

  constructor(text: string, layout: Layout, familiarity: Familiarity) {
    this.text = text;
    this.#layout = layout;
    const reader = new WorthReader(familiarity);
    let line = 0;
    for (let start = 0; start < text.length;) {
      const feed = text.indexOf("\n", start);
      const end = feed < 0 ? text.length : feed + 1;
      const indent = behindLineNumber(text, start, end);
      const body = afterIndent(text, indent, end);
      const isBlank = isBlankFrom(text, body, end);
      this.#indents.push(indent);
      this.#bodies.push(isBlank ? BLANK : body);
      if (end - start <= LONGEST_LINE) {
        this.starts.push(start);
        this.worths.push(isBlank ? 0 : reader.line(line, text, body, end) + this.#faultWorth(body, end));
      } else {
        let piece = start;
        for (const to of pieceEnds(text, start, end)) {
          if (piece > start) {
            this.#indents.push(indent);
            this.#bodies.push(SAME_LINE);
          }
          this.#pieces.add(this.starts.length);
          this.starts.push(piece);
          this.worths.push(reader.between(text, piece, to));
          piece = to;
        }
      }
      start = end;
      line++;
    }
  }

  #faultWorth(from: number, to: number): number {
    return this.#layout.reportsFaults === true && FAULT.test(this.text.slice(from, to)) ? FAULT_WORTH : 0;
  }

  nounOf(part: number): Noun {
    return this.#pieces.has(part) ? "character" : "line";
  }

  countOf(part: number): number {
    return this.#pieces.has(part) ? (this.starts[part + 1] ?? this.text.length) - (this.starts[part] ?? 0) : 1;
  }

  /** Computed on first use: a text that is shown whole needs no headings. */
  headingOf(part: number): number {
    this.#headings ??= new Headings(this.text, { starts: this.starts, indents: this.#indents, bodies: this.#bodies }, this.#layout);
    return this.#headings.of(part);
  }
}

/** Marks in place of the start of a body: the line is blank, or the part is not the first of its line. */
const BLANK = -1;
const SAME_LINE = -2;

/** Per part: its start, and the start and end of its line's indentation. */
interface LineColumns {
  readonly starts: readonly number[];
  readonly indents: readonly number[];
  readonly bodies: readonly number[];
}

/** Finds the headings of the lines of a text. */
class Headings {
  readonly #text: string;
  readonly #starts: readonly number[];
  readonly #layout: Layout;
  /** Per part: the nearest part above with less indentation. */
  readonly #above: number[] = [];
  /** Per part: the heading of its section. */
  readonly #sections: number[] = [];
  readonly #isHeading = new Map<number, boolean>();

  constructor(text: string, { starts, indents, bodies }: LineColumns, layout: Layout) {
    this.#text = text;
    this.#starts = starts;
    this.#layout = layout;
    const open = new Nesting();
    const sections = new Nesting();
    let above = NO_HEADING;
    let section = NO_HEADING;
    for (let part = 0; part < starts.length; part++) {
      const body = bodies[part] ?? BLANK;
      if (body === BLANK) {
        above = NO_HEADING;
        section = NO_HEADING;
      } else if (body !== SAME_LINE) {
        const end = bodies[part + 1] === SAME_LINE ? endOfLine(text, body) : (starts[part + 1] ?? text.length);
        const level = layout.levelOf(text, body, end, part === 0);
        above = open.enter(columns(text, indents[part] ?? body, body), part);
        section = level === 0 ? sections.innermost : sections.enter(level, part);
      }
      this.#above.push(above);
      this.#sections.push(section);
    }
  }

  of(part: number): number {
    for (let above = this.#above[part] ?? NO_HEADING; above !== NO_HEADING; above = this.#above[above] ?? NO_HEADING) if (this.#heads(above)) return above;
    return this.#sections[part] ?? NO_HEADING;
  }

  /** Says whether a part is a heading. Called only for parts above a shown line. */
  #heads(part: number): boolean {
    let known = this.#isHeading.get(part);
    if (known === undefined) {
      const start = this.#starts[part] ?? 0;
      const end = this.#starts[part + 1] ?? this.#text.length;
      known = this.#layout.isHeading(this.#text.slice(behindLineNumber(this.#text, start, end), end).trim());
      this.#isHeading.set(part, known);
    }
    return known;
  }
}

/** A stack of the parts around a line, by indentation or section level. */
class Nesting {
  readonly #levels: number[] = [];
  readonly #parts: number[] = [];

  get innermost(): number {
    return this.#parts.at(-1) ?? NO_HEADING;
  }

  /** Pushes a part at this level and returns the nearest part around it. */
  enter(level: number, part: number): number {
    while ((this.#levels.at(-1) ?? -1) >= level) {
      this.#levels.pop();
      this.#parts.pop();
    }
    const around = this.innermost;
    this.#levels.push(level);
    this.#parts.push(part);
    return around;
  }
}

/** Says whether there is nothing after the indentation. */
function isBlankFrom(text: string, body: number, end: number): boolean {
  return body >= end || text.charCodeAt(body) <= 0x20;
}

/** Returns the end of the indentation. Box-drawing characters of trees count as indentation. */
function afterIndent(text: string, from: number, end: number): number {
  let at = from;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x09 && (code < 0x2500 || code > 0x257f)) break;
  }
  return at;
}

/** Measures indentation in columns, with tab stops every four. */
function columns(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) count += text.charCodeAt(at) === 0x09 ? 4 - (count % 4) : 1;
  return count;
}

function endsIn(text: string, from: number, to: number, code: number): boolean {
  let last = to - 1;
  while (last > from && text.charCodeAt(last) <= 0x20) last--;
  return text.charCodeAt(last) === code;
}

const DEEPEST_SECTION = 6;
const LONGEST_LABEL = 80;

/** Returns the level of `## Title`; `Label:` ranks below all of them. */
function sectionLevel(text: string, from: number, to: number): number {
  if (text.charCodeAt(from) !== 0x23) return to - from <= LONGEST_LABEL && endsIn(text, from, to, 0x3a) ? DEEPEST_SECTION + 1 : 0;
  let at = from;
  while (text.charCodeAt(at) === 0x23) at++;
  return at - from <= DEEPEST_SECTION && text.charCodeAt(at) === 0x20 ? at - from : 0;
}

/** Recognizes a path on its own line, above the hits in that file. */
function fileLevel(text: string, from: number, to: number): number {
  const first = text.charCodeAt(from);
  if (isDigit(first) || first === 0x2d) return 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) break;
    if (code === 0x20 || code === 0x09) return 0;
    if (code === 0x3a) return Number(behindSpaces(text, at + 1, to) === to);
  }
  return 1;
}

function behindSpaces(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
