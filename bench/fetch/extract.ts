/**
 * Extracts parts of files. They were originally cut out with Python's `json.dumps`, so this writes JSON in the same way: a space after
 * commas and colons, and numbers as in the source ("0.0" stays "0.0"). The hash shows whether the result is the same.
 */
export type Extract = { readonly lines: number } | { readonly ascii: boolean; readonly keep: readonly KeptRecords[] };

/** The records of a list whose fields have these values, in this order. */
export interface KeptRecords {
  /** The name of the list in the object; empty: the file is the list. */
  readonly list: string;
  readonly by: readonly string[];
  readonly values: readonly (readonly unknown[])[];
}

/** Throws if the file has no such list or record. */
export function extractFrom(source: Buffer, extract: Extract): Buffer {
  const text = source.toString("utf8");
  if ("lines" in extract) return Buffer.from(text.split("\n").slice(0, extract.lines).join("\n") + "\n");
  const root = parseKeepingNumbers(text);
  const kept = extract.keep.reduce((value, records) => keepRecords(value, records), root);
  return Buffer.from(write(kept, extract.ascii));
}

function keepRecords(value: unknown, { list, by, values }: KeptRecords): unknown {
  const records = list === "" ? value : (value as Readonly<Record<string, unknown>>)[list];
  if (!Array.isArray(records)) throw new Error(`the source has no list ${JSON.stringify(list)}`);
  const byKey = new Map<string, unknown>();
  for (const record of records as readonly Readonly<Record<string, unknown>>[]) {
    const key = write(by.map((field) => record[field]), true); // prettier-ignore
    if (!byKey.has(key)) byKey.set(key, record);
  }
  const kept = values.map((wanted) => byKey.get(write(wanted, true)) ?? missing(list, wanted));
  return list === "" ? kept : { ...(value as object), [list]: kept };
}

function missing(list: string, wanted: readonly unknown[]): never {
  throw new Error(`the source has no record ${JSON.stringify(wanted)} in ${list === "" ? "its list" : list}`);
}

/** A number as its source writes it. */
class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type ReviveWithSource = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

function parseKeepingNumbers(text: string): unknown {
  // Node 22 and later give the source of a number; TypeScript does not know yet.
  const parse = JSON.parse as (text: string, reviver: ReviveWithSource) => unknown;
  return parse(text, (_key, value, { source }) => (typeof value === "number" && source !== undefined ? new NumberText(source) : value));
}

function write(value: unknown, ascii: boolean): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value === "string") return writeString(value, ascii);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, ascii)).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${writeString(key, ascii)}: ${write(item, ascii)}`)
      .join(", ")}}`;
  }
  return JSON.stringify(value);
}

function writeString(text: string, ascii: boolean): string {
  const json = JSON.stringify(text);
  return ascii ? json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`) : json;
}
