export type JsonToken = "open" | "close" | "key" | "scalar" | "comma" | "colon" | "end" | "fault";

const OBJECT = 1;
const ARRAY = 2;

/** The token that may come next. */
type Expected = "value" | "value-or-close" | "key" | "key-or-close" | "colon" | "comma-or-close";

const LITERALS: readonly string[] = ["true", "false", "null"];

/**
 * Scans the tokens of one JSON value, strictly by the standard and without parsing them, so no byte of a number or string
 * changes. It keeps its own stack, so depth is not limited.
 */
export class JsonScanner {
  readonly text: string;
  /** Start and end of the token; at a fault, both are its position. */
  start: number;
  end: number;
  /** The number of containers around the token; equal for an `open` and its `close`. */
  depth = 0;
  readonly #stack: number[] = [];
  #expected: Expected | undefined = "value";

  constructor(text: string, start: number) {
    this.text = text;
    this.start = start;
    this.end = start;
  }

  /** True if the container around the next token is an array. */
  get isInArray(): boolean {
    return this.#stack.at(-1) === ARRAY;
  }

  next(): JsonToken {
    if (this.#expected === undefined) return "end";
    this.start = skipSpace(this.text, this.end);
    this.end = this.start + 1;
    this.depth = this.#stack.length;
    const token = this.#read(this.text.charCodeAt(this.start));
    if (token === "fault") {
      this.#expected = undefined;
      this.end = this.start;
    }
    return token;
  }

  /** After an `open`: skips to `end`, where its container ends. */
  leave(end: number): void {
    this.end = end;
    this.#close();
  }

  #read(code: number): JsonToken {
    switch (this.#expected) {
      case "value":
        return this.#value(code);
      case "value-or-close":
        return code === 0x5d ? this.#close() : this.#value(code);
      case "key-or-close":
        return code === 0x7d ? this.#close() : this.#key(code);
      case "key":
        return this.#key(code);
      case "colon":
        if (code !== 0x3a) return "fault";
        this.#expected = "value";
        return "colon";
      default:
        return this.#commaOrClose(code);
    }
  }

  #value(code: number): JsonToken {
    if (code === 0x7b || code === 0x5b) {
      this.#stack.push(code === 0x7b ? OBJECT : ARRAY);
      this.#expected = code === 0x7b ? "key-or-close" : "value-or-close";
      return "open";
    }
    const end = code === 0x22 ? endOfString(this.text, this.start) : endOfWord(this.text, this.start, code);
    if (end < 0) return "fault";
    this.end = end;
    this.#afterValue();
    return "scalar";
  }

  #key(code: number): JsonToken {
    const end = code === 0x22 ? endOfString(this.text, this.start) : -1;
    if (end < 0) return "fault";
    this.end = end;
    this.#expected = "colon";
    return "key";
  }

  #commaOrClose(code: number): JsonToken {
    if (code === 0x2c) {
      this.#expected = this.isInArray ? "value" : "key";
      return "comma";
    }
    return code === (this.isInArray ? 0x5d : 0x7d) ? this.#close() : "fault";
  }

  #close(): JsonToken {
    this.#stack.pop();
    this.depth = this.#stack.length;
    this.#afterValue();
    return "close";
  }

  #afterValue(): void {
    this.#expected = this.#stack.length === 0 ? undefined : "comma-or-close";
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return -1;
    if (code !== 0x5c) continue;
    at++;
    const escaped = text.charCodeAt(at);
    if (escaped !== 0x75) {
      if (!isSimpleEscape(escaped)) return -1;
      continue;
    }
    for (let digit = 1; digit <= 4; digit++) if (!isHex(text.charCodeAt(at + digit))) return -1;
    at += 4;
  }
  return -1;
}

/** Says whether the code is one of `"\/bfnrt`. */
function isSimpleEscape(code: number): boolean {
  return code === 0x22 || code === 0x5c || code === 0x2f || code === 0x62 || code === 0x66 || code === 0x6e || code === 0x72 || code === 0x74;
}

function isHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

function endOfWord(text: string, start: number, code: number): number {
  if (code === 0x2d || isDigit(code)) return endOfNumber(text, code === 0x2d ? start + 1 : start);
  for (const literal of LITERALS) if (text.startsWith(literal, start)) return start + literal.length;
  return -1;
}

/** Returns the end of a number, starting after its minus. Digits after a leading zero do not belong to it. */
function endOfNumber(text: string, start: number): number {
  const whole = text.charCodeAt(start) === 0x30 ? start + 1 : behindDigits(text, start);
  if (whole === start) return -1;
  const fraction = text.charCodeAt(whole) === 0x2e ? behindDigits(text, whole + 1) : 0;
  const end = fraction > whole + 1 ? fraction : whole;
  if ((text.charCodeAt(end) | 0x20) !== 0x65) return end;
  const sign = text.charCodeAt(end + 1);
  const digits = sign === 0x2b || sign === 0x2d ? end + 2 : end + 1;
  const exponent = behindDigits(text, digits);
  return exponent > digits ? exponent : end;
}

function behindDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
