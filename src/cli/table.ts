import { safeLine } from "./safe-text.ts";

/** A column of a table. Columns with `give` are narrowed, widest first, if the table is wider than the screen. */
export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  readonly give?: "cut" | "wrap";
}

const GAP = "  ";
/** Narrower cells would be useless; the table may then be wider than the screen. */
const NARROWEST = 12;

/** Returns the lines of a table, titles first. Cells are plain text: colour codes would count as width. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[], maxWidth: number): string[] {
  // Before measuring: characters that are not printed take no room.
  const cells = rows.map((row) => row.map(singleLine));
  const widths = fittingWidths(columns, cells, maxWidth);
  const titles = columns.map((column) => column.title);
  return [titles, ...cells].flatMap((row) => formatRow(columns, row, widths));
}

/** Keeps leading spaces, which may be indentation. */
function singleLine(cell: string): string {
  return safeLine(cell).replaceAll("\t", " ");
}

function fittingWidths(columns: readonly Column[], rows: readonly (readonly string[])[], maxWidth: number): number[] {
  const widths = columns.map((column, index) => Math.max(column.title.length, ...rows.map((row) => lengthOf(row[index] ?? ""))));
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1)) - maxWidth;
  while (excess > 0) {
    const widest = widestThatGives(columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

function widestThatGives(columns: readonly Column[], widths: readonly number[]): number | undefined {
  let widest: number | undefined;
  columns.forEach((column, index) => {
    const width = widths[index] ?? 0;
    if (column.give === undefined || width <= NARROWEST) return;
    if (widest === undefined || width > (widths[widest] ?? 0)) widest = index;
  });
  return widest;
}

/** A row is as many lines as its tallest wrapped cell. */
function formatRow(columns: readonly Column[], row: readonly string[], widths: readonly number[]): string[] {
  const cells = columns.map((column, index) => {
    const [text, width] = [row[index] ?? "", widths[index] ?? 0];
    return column.give === "wrap" ? wrap(text, width) : [cut(text, width)];
  });
  const height = Math.max(...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((column, index) => pad(cells[index]?.[line] ?? "", widths[index] ?? 0, column.align ?? "left"))
      .join(GAP)
      .trimEnd(),
  );
}

function pad(text: string, width: number, align: "left" | "right"): string {
  const fill = " ".repeat(Math.max(0, width - lengthOf(text)));
  return align === "left" ? text + fill : fill + text;
}

/** Counts code points, so that a cut never splits a surrogate pair. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

export function cut(text: string, width: number): string {
  const points = Array.from(text);
  return points.length <= width ? text : `${points.slice(0, width - 1).join("")}…`;
}

/** Breaks at spaces; a word longer than the line is split. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line: string[] = [];
  for (const word of text.split(" ")) {
    let points = Array.from(word);
    if (line.length > 0 && line.length + 1 + points.length > width) {
      lines.push(line.join(""));
      line = [];
    }
    if (line.length > 0) line.push(" ");
    for (; points.length > width; points = points.slice(width)) lines.push(points.slice(0, width).join(""));
    line.push(...points);
  }
  return [...lines, line.join("")];
}
