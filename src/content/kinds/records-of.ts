import { JsonScanner } from "../documents/json-scanner.ts";
import { readJson, type JsonDocument } from "../documents/read-json.ts";
import { isTableFrame } from "./table-frame.ts";
import type { ContentKind } from "./kind-of.ts";

/** The half-open range of a record in its text. */
export interface RecordSpan {
  readonly from: number;
  readonly to: number;
}

/** The records of a list, in the order and number that `countRecords` reports. */
export interface RecordList {
  readonly noun: "records" | "rows" | "entries";
  /** The line that names the columns of a table. */
  readonly header: string | undefined;
  readonly spans: readonly RecordSpan[];
}

/** How deep the list may be in a JSON document: `{"data": {"items": [...]}}`. */
export const DEEPEST_LIST = 3;

/**
 * Returns the records of a list, so that they can be requested by number: the longest array of a JSON document, the documents if there are several,
 * the rows of a table, the lines of a listing. JSON is read as JSON whatever the kind, because a JSON file is "code". Undefined if it is not a list.
 */
export function recordsOf(text: string, kind: ContentKind): RecordList | undefined {
  const { documents } = readJson(text);
  if (documents.length > 1) return listOf("records", documents.map(({ start: from, end: to }) => ({ from, to }))); // prettier-ignore
  const start = documents[0]?.start ?? inlineStart(text, kind);
  const list = start === undefined ? undefined : longestListFrom(text, start);
  if (list !== undefined) return listOf("records", list);
  if (kind === "listing") return listOf("entries", linesOf(text));
  if (kind !== "table") return undefined;
  const [header, ...rows] = linesOf(text).filter(({ from, to }) => !isTableFrame(text.slice(from, to)));
  return header === undefined ? undefined : { ...listOf("rows", rows), header: text.slice(header.from, header.to) };
}

function listOf(noun: RecordList["noun"], spans: readonly RecordSpan[]): RecordList {
  return { noun, header: undefined, spans };
}

/** Finds a document that does not begin its line: `Result: [{"id":1},…`. */
function inlineStart(text: string, kind: ContentKind): number | undefined {
  const start = kind === "json" ? text.search(/[[{]/) : -1;
  return start === -1 ? undefined : start;
}

interface OpenArray {
  readonly spans: RecordSpan[];
  readonly depth: number;
}

/** Returns the elements of the longest array that is nested in objects only; the first of equal ones. */
function longestListFrom(text: string, start: JsonDocument["start"]): readonly RecordSpan[] | undefined {
  const scanner = new JsonScanner(text, start);
  let best: OpenArray | undefined;
  let list: OpenArray | undefined;
  let elementFrom = 0;
  for (let token = scanner.next(); token !== "end"; token = scanner.next()) {
    if (token === "fault") return undefined;
    if (list === undefined) {
      if (token === "open" && text.charCodeAt(scanner.start) === 0x5b && scanner.depth <= DEEPEST_LIST) list = { spans: [], depth: scanner.depth };
      continue;
    }
    if (token === "close" && scanner.depth === list.depth) {
      if (best === undefined || list.spans.length > best.spans.length) best = list;
      list = undefined;
    } else if (scanner.depth === list.depth + 1) {
      if (token === "open") elementFrom = scanner.start;
      else if (token === "close") list.spans.push({ from: elementFrom, to: scanner.end });
      else if (token === "scalar") list.spans.push({ from: scanner.start, to: scanner.end });
    }
  }
  return best?.spans;
}

/** Returns the lines that are not blank, without line breaks. */
function linesOf(text: string): RecordSpan[] {
  const lines: RecordSpan[] = [];
  for (let from = 0; from < text.length;) {
    const feed = text.indexOf("\n", from);
    const to = feed < 0 ? text.length : feed;
    if (text.slice(from, to).trim() !== "") lines.push({ from, to });
    from = to + 1;
  }
  return lines;
}
