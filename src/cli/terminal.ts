import { styleText } from "node:util";

/** Where a command prints: how wide it is, and whether it may be coloured. */
export interface Terminal {
  /** Columns to lay tables out for. Endless where no person watches: what a pipe reads is never cut to a screen. */
  readonly columns: number;
  readonly print: (line?: string) => void;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
}

/** `hasColors` knows NO_COLOR, TERM and the rest; a stream that is no terminal has no such method and stays plain. */
export function openTerminal(stream: NodeJS.WriteStream = process.stdout): Terminal {
  const colored = stream.isTTY && stream.hasColors();
  const paint = (style: "bold" | "dim" | "red") => (text: string) => (colored ? styleText(style, text, { validateStream: false }) : text);
  return {
    columns: stream.isTTY ? stream.columns : Number.POSITIVE_INFINITY,
    print: (line = "") => stream.write(`${line}\n`),
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
  };
}

/** One line that is safe to print: text from a file could otherwise move the cursor or recolour the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
