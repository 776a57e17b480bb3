import { styleText } from "node:util";
import { CliError } from "./cli-error.ts";
import type { Environment, OutputStream } from "./command-io.ts";
import { safeJson, safeLine } from "./safe-text.ts";

/**
 * Where a command prints: how wide it is, and whether it may be coloured. Whatever is printed may come from a file, so all of it is made
 * safe here, and `bold`, `dim` and `red` are the only way to an escape sequence.
 */
export interface Terminal {
  /** Columns to lay tables out for. Endless where no person watches: what a pipe reads is never cut to a screen. */
  readonly columns: number;
  /** Prints one line. */
  readonly print: (...parts: readonly Printed[]) => void;
  readonly printJson: (value: unknown) => void;
  /** Writes the content of a file, as it is; where a person watches, JSON is made safe. */
  readonly writeContent: (content: string | Uint8Array) => void;
  readonly bold: (text: string) => Styled;
  readonly dim: (text: string) => Styled;
  readonly red: (text: string) => Styled;
}

export type Printed = string | Styled;

/** Text in a style. No string, so that it cannot become part of one. */
export interface Styled {
  readonly style: "bold" | "dim" | "red";
  readonly text: string;
}

/** Where nobody says how wide it is. */
export const USUAL_COLUMNS = 80;

export function openTerminal(stream: OutputStream, env: Environment): Terminal {
  const colored = hasColors(stream, env);
  const styled = (style: Styled["style"]) => (text: string) => ({ style, text });
  const shown = (part: Printed): string => {
    if (typeof part === "string") return safeLine(part);
    return colored ? styleText(part.style, safeLine(part.text), { validateStream: false }) : safeLine(part.text);
  };
  return {
    columns: columnsOf(stream) ?? Number.POSITIVE_INFINITY,
    print: (...parts) => stream.write(`${parts.map(shown).join("")}\n`),
    printJson: (value) => stream.write(`${safeJson(JSON.stringify(value, null, 2))}\n`),
    writeContent: (content) => {
      if (stream.isTTY !== true) stream.write(content);
      else if (typeof content === "string") stream.write(safeJson(content));
      else throw new CliError("The result is an archive, which a terminal cannot show.", "Give a path after -o, or send it somewhere else.");
    },
    bold: styled("bold"),
    dim: styled("dim"),
    red: styled("red"),
  };
}

/** The stream's own `hasColors` knows NO_COLOR, TERM and the rest; a stream that is no terminal stays plain. */
export function hasColors(stream: OutputStream, env: Environment): boolean {
  return stream.isTTY === true && stream.hasColors?.(env) === true;
}

/** Undefined: it is no terminal. */
export function columnsOf(stream: OutputStream): number | undefined {
  if (stream.isTTY !== true) return undefined;
  return stream.columns === undefined || stream.columns === 0 ? USUAL_COLUMNS : stream.columns;
}
