import { styleText } from "node:util";
import { CliError } from "./cli-error.ts";
import type { Environment, OutputStream } from "./command-io.ts";
import { safeJson, safeLine } from "./safe-text.ts";

/**
 * Where a command prints: how wide it is, and whether it may be coloured. Output may come from a file, so all of it is made
 * safe here, and only `bold`, `dim` and `red` write escape sequences.
 */
export interface Terminal {
  /** Width for tables. Infinite if this is no terminal: output to a pipe is never cut. */
  readonly columns: number;
  /** Prints one line. */
  readonly print: (...parts: readonly Printed[]) => void;
  readonly printJson: (value: unknown) => void;
  /** Writes the content of a file unchanged, except that JSON is made safe for a terminal. */
  readonly writeContent: (content: string | Uint8Array) => void;
  readonly bold: (text: string) => Styled;
  readonly dim: (text: string) => Styled;
  readonly red: (text: string) => Styled;
}

export type Printed = string | Styled;

/** Text in a style. Not a string, so that it cannot become part of one. */
export interface Styled {
  readonly style: "bold" | "dim" | "red";
  readonly text: string;
}

/** The width of a terminal that does not tell its own. */
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

/** The stream's own `hasColors` checks NO_COLOR, TERM and the rest; a stream that is no terminal gets no colour. */
export function hasColors(stream: OutputStream, env: Environment): boolean {
  return stream.isTTY === true && stream.hasColors?.(env) === true;
}

/** Undefined: it is not a terminal. */
export function columnsOf(stream: OutputStream): number | undefined {
  if (stream.isTTY !== true) return undefined;
  return stream.columns === undefined || stream.columns === 0 ? USUAL_COLUMNS : stream.columns;
}
