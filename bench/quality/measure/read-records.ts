export interface FoundRecords {
  readonly fields: readonly string[];
  readonly records: readonly Readonly<Record<string, string>>[];
}

/** Fewer records are not a list. */
const LEAST_RECORDS = 2;

/** Reads the records of a list: a JSON array, JSON lines, or a table with one separator. Undefined if it is not a list. */
export function readRecords(text: string): FoundRecords | undefined {
  return fromJson(text) ?? fromJsonLines(text) ?? fromTable(text);
}

function fromJson(text: string): FoundRecords | undefined {
  const value = parsed(text.trim());
  if (Array.isArray(value)) return recordsOf(value);
  if (typeof value !== "object" || value === null) return undefined;
  const lists = Object.values(value).filter((field): field is unknown[] => Array.isArray(field) && field.length >= LEAST_RECORDS);
  return lists.length === 1 ? recordsOf(lists[0] ?? []) : undefined;
}

function fromJsonLines(text: string): FoundRecords | undefined {
  const lines = text.trim().split("\n");
  if (lines.length < LEAST_RECORDS || !lines.every((line) => line.startsWith("{"))) return undefined;
  const values = lines.map(parsed);
  return values.includes(undefined) ? undefined : recordsOf(values);
}

function fromTable(text: string): FoundRecords | undefined {
  const lines = text.trim().split("\n").filter((line) => !/^[\s|+:-]+$/.test(line)); // prettier-ignore
  for (const separator of ["|", "\t", ","]) {
    const rows = lines.map((line) => line.split(separator).map((cell) => cell.trim()));
    const [header = []] = rows;
    if (rows.length <= LEAST_RECORDS || header.length < 2 || !rows.every((row) => row.length === header.length)) continue;
    // Prose has commas too: the names of columns are short, and none is there twice.
    if (header.some((name) => name.length > 30) || new Set(header).size < header.length) continue;
    return { fields: header, records: rows.slice(1).map((row) => Object.fromEntries(header.map((name, column) => [name, row[column] ?? ""]))) };
  }
  return undefined;
}

function recordsOf(values: readonly unknown[]): FoundRecords | undefined {
  const isRecord = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);
  if (values.length < LEAST_RECORDS || !values.every(isRecord)) return undefined;
  const records = values.map((value) => Object.fromEntries(Object.entries(value).map(([name, field]) => [name, JSON.stringify(field) ?? ""])));
  return { fields: [...new Set(records.flatMap((record) => Object.keys(record)))], records };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
