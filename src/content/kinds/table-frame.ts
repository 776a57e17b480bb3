/** Says whether a line of a table is not a row: the line below the names, a frame, or `(12 rows)`. */
export function isTableFrame(line: string): boolean {
  return /^[\s|+:=─━┌┬┐├┼┤└┴┘│-]+$/.test(line) || /^\(\d+ rows?\)$/.test(line.trim());
}
