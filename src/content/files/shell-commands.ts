import { CharacterSet } from "../text/character-set.ts";

/** A command of a shell script, as written: nothing is expanded. */
export interface ShellCommand {
  /** Without quotes; `$` and backticks stay as they are. */
  readonly words: readonly string[];
  readonly redirects: readonly Redirect[];
  /** The text of its here-documents. */
  readonly body: string;
}

export interface Redirect {
  readonly path: string;
  readonly appends: boolean;
}

interface OpenCommand {
  words: string[];
  redirects: Redirect[];
  body: string;
}

interface HereDocument {
  readonly command: OpenCommand;
  readonly end: string;
}

const BLANK = /[^\S\n]+/y;
const LINE_JOIN = /\\\r?\n/y;
const COMMENT = /#[^\n]*/y;
const REDIRECT = /(?:\d+|&)?>(>)?[|]?(&)?/y;
const HERE_STRING = /\d*<<</y;
const HERE_DOCUMENT = /\d*<<-?[ \t]*/y;
const INPUT = /\d*<&?/y;
const SEPARATOR = /[;&|()]+/y;
/** Characters that may begin anything other than a word. */
const NO_WORD = new CharacterSet(" \t\v\f\r\n\\#0123456789&<>;|()");
/** Characters up to one that ends a word or has a special meaning in it. */
const PLAIN = /[^\s'"\\;&|()<>$`]+/y;

/** Returns the commands of a shell script in order. Reads only forwards, so any text takes linear time. */
export function shellCommands(script: string): ShellCommand[] {
  return new ShellReader(script).read();
}

class ShellReader {
  readonly #text: string;
  readonly #commands: OpenCommand[] = [];
  #at = 0;
  #command: OpenCommand = openCommand();
  #hereDocuments: HereDocument[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): ShellCommand[] {
    while (this.#at < this.#text.length) this.#step();
    this.#endCommand();
    return this.#commands;
  }

  #step(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (!NO_WORD.has(code)) {
      this.#command.words.push(this.#word());
      return;
    }
    if (this.#take(BLANK) !== undefined || this.#take(LINE_JOIN) !== undefined || this.#take(COMMENT) !== undefined) return;
    if (code === 0x0a) {
      this.#at++;
      this.#readHereDocuments();
      this.#endCommand();
      return;
    }
    const redirect = this.#take(REDIRECT);
    if (redirect !== undefined) {
      this.#take(BLANK);
      const path = this.#word();
      // `2>&1` names no file.
      if (redirect[2] === undefined) this.#command.redirects.push({ path, appends: redirect[1] !== undefined });
      return;
    }
    if (this.#take(HERE_STRING) !== undefined) return;
    if (this.#take(HERE_DOCUMENT) !== undefined) {
      this.#hereDocuments.push({ command: this.#command, end: this.#word() });
      return;
    }
    if (this.#take(INPUT) !== undefined) {
      this.#take(BLANK);
      this.#word();
      return;
    }
    if (this.#take(SEPARATOR) !== undefined) this.#endCommand();
    else this.#command.words.push(this.#word());
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  #word(): string {
    let word = "";
    for (;;) {
      const part = this.#take(PLAIN)?.[0] ?? this.#special();
      if (part === undefined) return word;
      word += part;
    }
  }

  /** Reads a quoted, escaped or substituted part of a word; returns undefined at the end of the word. */
  #special(): string | undefined {
    const character = this.#text.charAt(this.#at);
    switch (character) {
      case "'":
        return this.#until("'", this.#at + 1);
      case '"':
        return this.#doubleQuoted();
      case "`":
        return `\`${this.#until("`", this.#at + 1)}`;
      case "\\":
        this.#at += 2;
        return this.#text.charAt(this.#at - 1).replace("\n", "");
      case "$":
        return this.#dollar();
      default:
        return undefined;
    }
  }

  #until(quote: string, from: number): string {
    const end = this.#text.indexOf(quote, from);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return this.#text.slice(from, end < 0 ? undefined : end);
  }

  #doubleQuoted(): string {
    const start = ++this.#at;
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text.charAt(this.#at);
      if (character === "\\") this.#at++;
      else if (character === '"') return this.#text.slice(start, this.#at++).replaceAll(/\\(["\\$`])/g, "$1");
    }
    return this.#text.slice(start);
  }

  /** Reads `$(…)` as one part of a word, whatever it contains. */
  #dollar(): string {
    const start = this.#at++;
    if (this.#text.charAt(this.#at) !== "(") return "$";
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text.charAt(this.#at);
      if (character === "(") depth++;
      else if (character === ")" && --depth === 0) break;
    }
    return this.#text.slice(start, ++this.#at);
  }

  #readHereDocuments(): void {
    for (const { command, end } of this.#hereDocuments) {
      const start = this.#at;
      let bodyEnd = this.#text.length;
      while (this.#at < this.#text.length) {
        const lineStart = this.#at;
        const lineEnd = this.#text.indexOf("\n", lineStart);
        this.#at = lineEnd < 0 ? this.#text.length : lineEnd + 1;
        if (this.#text.slice(lineStart, this.#at).trim() !== end) continue;
        bodyEnd = lineStart;
        break;
      }
      command.body += this.#text.slice(start, bodyEnd);
    }
    this.#hereDocuments = [];
  }

  #endCommand(): void {
    if (this.#command.words.length > 0 || this.#command.redirects.length > 0) this.#commands.push(this.#command);
    this.#command = openCommand();
  }
}

function openCommand(): OpenCommand {
  return { words: [], redirects: [], body: "" };
}
