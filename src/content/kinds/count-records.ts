import type { ContentKind } from "./kind-of.ts";
import { DEEPEST_LIST } from "./records-of.ts";
import { isTableFrame } from "./table-frame.ts";

/** The most fields to name, each cut to a readable length. */
const MOST_FIELDS = 30;
const FIELD_CHARS = 60;
/** The number of records whose fields are read. */
const SAMPLE = 50;

/**
 * Says how many records a list has, and which fields: `[120 records in all; fields: id, name]`, for a reader who sees only some of
 * them. Returns undefined if the text is not a list of similar records.
 */
export function countRecords(text: string, kind: ContentKind): string | undefined {
  switch (kind) {
    case "json":
      return ofJson(text);
    case "json-lines":
      return ofJsonLines(text);
    case "table":
      return ofTable(text);
    case "listing":
      return stated(linesOf(text).length, "entries", []);
    default:
      return undefined;
  }
}

function ofJson(text: string): string | undefined {
  const start = text.search(/[[{]/);
  const list = start < 0 ? undefined : longestList(parsed(text.slice(start)), 0);
  return list === undefined ? undefined : statedRecords(list);
}

function ofJsonLines(text: string): string | undefined {
  const records = linesOf(text).filter((line) => /^\s*[[{]/.test(line));
  return stated(records.length, "records", fieldsOf(records.slice(0, SAMPLE).map(parsed)));
}

function ofTable(text: string): string | undefined {
  const rows = linesOf(text).filter((line) => !isTableFrame(line));
  const [header = ""] = rows;
  const cells = (
    /[|│]/.test(header) ? header.split(/[|│]/) : /\t/.test(header) ? header.split("\t") : /,/.test(header) ? header.split(",") : header.split(/\s{2,}/)
  )
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
  return stated(rows.length - 1, "rows", cells);
}

function statedRecords(list: readonly unknown[]): string | undefined {
  const fields = fieldsOf(list.slice(0, SAMPLE));
  return stated(list.length, fields.length > 0 ? "records" : "values", fields);
}

function stated(count: number, noun: string, fields: readonly string[]): string | undefined {
  if (count < 2) return undefined;
  const named = fields.slice(0, MOST_FIELDS).map((field) => field.slice(0, FIELD_CHARS));
  const others = fields.length > named.length ? ` and ${fields.length - named.length} others` : "";
  return `[${count} ${noun} in all${named.length === 0 ? "" : `; fields: ${named.join(", ")}${others}`}]`;
}

function longestList(value: unknown, depth: number): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[];
  if (depth >= DEEPEST_LIST || typeof value !== "object" || value === null) return undefined;
  const lists = Object.values(value).flatMap((field) => {
    const list = longestList(field, depth + 1);
    return list === undefined ? [] : [list];
  });
  return lists.reduce<readonly unknown[] | undefined>((best, list) => (best === undefined || list.length > best.length ? list : best), undefined);
}

function fieldsOf(records: readonly unknown[]): string[] {
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);
  return [...new Set(records.filter(isObject).flatMap((record) => Object.keys(record)))];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
