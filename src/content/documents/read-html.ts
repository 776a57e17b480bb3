import { decodeEntities } from "./html-entities.ts";

/** Text that a browser would show as a separate block. */
export interface HtmlBlock {
  readonly text: string;
  /** Its position in the page. */
  readonly start: number;
  /** The level of a heading, from 1; 0 for other blocks. */
  readonly level: number;
  /** True in navigation and footers. */
  readonly isAside: boolean;
}

const BLOCKS: ReadonlySet<string> = new Set(
  "address article aside blockquote body br button dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html label legend li main nav ol option p pre section select summary table tbody thead title tr ul".split(
    " ",
  ),
);
const ASIDES: ReadonlySet<string> = new Set(["nav", "footer"]);
/** Elements whose content is not shown. */
const HIDDEN: ReadonlySet<string> = new Set(["script", "style", "noscript", "template", "svg"]);
/** Anything longer is not a tag. */
const LONGEST_TAG = 20_000;
const NAME = /^<(\/?)([a-zA-Z][\w:-]*)/;

/** Returns all blocks of a page, in one pass. */
export function readHtml(page: string): HtmlBlock[] {
  return new HtmlReader(page).read();
}

class HtmlReader {
  readonly #page: string;
  readonly #blocks: HtmlBlock[] = [];
  #text = "";
  #start = -1;
  #level = 0;
  #asides = 0;
  #isPre = false;
  #target: string | undefined;

  constructor(page: string) {
    this.#page = page;
  }

  read(): HtmlBlock[] {
    const page = this.#page;
    for (let at = 0; at < page.length;) {
      const tag = page.indexOf("<", at);
      this.#addText(at, tag < 0 ? page.length : tag);
      at = tag < 0 ? page.length : this.#readTag(tag);
    }
    this.#endBlock();
    return this.#blocks;
  }

  /** Returns the position after it. */
  #readTag(start: number): number {
    const page = this.#page;
    if (page.startsWith("<!--", start)) return positionAfter(page, "-->", start + 4);
    const next = page.charCodeAt(start + 1);
    if (next === 0x21 || next === 0x3f) return positionAfter(page, ">", start);
    const end = endOfTag(page, start);
    const source = page.slice(start, end);
    const [, slash, name] = (source.endsWith(">") ? NAME.exec(source) : undefined) ?? [];
    if (name === undefined) {
      this.#addText(start, end);
      return end;
    }
    this.#apply(name.toLowerCase(), slash === "/", source);
    return slash === "" && HIDDEN.has(name.toLowerCase()) && !source.endsWith("/>") ? afterElement(page, name, end) : end;
  }

  #apply(name: string, isClosing: boolean, source: string): void {
    if (name === "a") this.#link(isClosing, source);
    else if (name === "img" && !isClosing) this.#image(source);
    else if (name === "td" || name === "th") this.#text += isClosing || this.#text.trim() === "" ? "" : " | ";
    else if (BLOCKS.has(name)) {
      this.#endBlock();
      if (ASIDES.has(name)) this.#asides = Math.max(0, this.#asides + (isClosing ? -1 : 1));
      if (name === "pre") this.#isPre = !isClosing;
      if (name === "li" && !isClosing) this.#text = "- ";
      this.#level = isClosing ? 0 : levelOf(name);
    }
  }

  #link(isClosing: boolean, source: string): void {
    if (this.#target !== undefined) this.#text += `](${this.#target})`;
    const target = isClosing ? undefined : attribute(source, "href");
    this.#target = target === undefined || target === "" || /^(?:#|javascript:)/i.test(target) ? undefined : target;
    if (this.#target !== undefined) this.#text += "[";
  }

  #image(source: string): void {
    const alternative = attribute(source, "alt") ?? "";
    const address = attribute(source, "src") ?? "";
    if (alternative !== "" || !address.startsWith("data:")) this.#text += `![${alternative}](${address.startsWith("data:") ? "" : address})`;
  }

  #addText(from: number, to: number): void {
    if (from >= to) return;
    const text = decodeEntities(this.#page.slice(from, to));
    if (this.#start < 0 && text.trim() !== "") this.#start = from;
    if (!this.#isPre) {
      this.#text += text;
      return;
    }
    const lines = text.split("\n");
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#endBlock();
      if (this.#start < 0 && line.trim() !== "") this.#start = from;
      this.#text += line;
    }
  }

  #endBlock(): void {
    const text = this.#isPre ? this.#text.trimEnd() : this.#text.replaceAll(/\s+/g, " ").trim();
    const open = this.#target === undefined ? "" : `](${this.#target})`;
    if (this.#start >= 0 && text !== "" && text !== "-")
      this.#blocks.push({ text: `${text}${open}`, start: this.#start, level: this.#level, isAside: this.#asides > 0 });
    this.#text = "";
    this.#start = -1;
    this.#target = undefined;
  }
}

function levelOf(name: string): number {
  if (name === "title") return 1;
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
}

function positionAfter(page: string, mark: string, from: number): number {
  const at = page.indexOf(mark, from);
  return at < 0 ? page.length : at + mark.length;
}

function afterElement(page: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}`, "gi");
  closing.lastIndex = from;
  return closing.test(page) ? positionAfter(page, ">", closing.lastIndex) : page.length;
}

/** Returns the position after the tag's `>`, ignoring quoted ones, or the position where it turns out not to be a tag. */
function endOfTag(page: string, start: number): number {
  const limit = Math.min(page.length, start + LONGEST_TAG);
  let quote = 0;
  for (let at = start + 1; at < limit; at++) {
    const code = page.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x3e) return at + 1;
    else if (code === 0x3c) return at;
    else if ((code === 0x22 || code === 0x27) && page.charCodeAt(at - 1) === 0x3d) quote = code;
  }
  return limit;
}

function attribute(source: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, "i").exec(source);
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value === undefined ? undefined : decodeEntities(value);
}
