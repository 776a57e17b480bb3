/** A table for the terminal: the first column to the left, numbers to the right, as wide as it must be. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const isNumeric = header.map((_, column) => rows.every((row) => /^[\d.,]+/.test(row[column] ?? "")));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (isNumeric[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
