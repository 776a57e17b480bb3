/** The thing that a call reads. */
export interface Reading {
  /** Equal for calls that read the same thing, or parts of it. */
  readonly of: string;
  /** The part; "" means the whole. */
  readonly part: string;
  /** The path, if it is a file. */
  readonly path?: string;
}

const PATH_FIELDS = ["file_path", "filePath", "path", "notebook_path", "target_file", "filename", "file"];
const PART_FIELDS = ["offset", "limit", "view_range", "start_line", "end_line", "lines", "range"];
/** If one of these is set, the path is where to search. */
const SEARCH_FIELDS = ["pattern", "query", "regex", "search", "glob"];
const WRITES = /write|edit|patch|replace|insert|create|update|delete|append/i;
/** Read-only commands of editors with several commands. */
const VIEWS = new Set(["view", "read", "show", "open"]);

/** Returns undefined for a call that writes, because a second one does not repeat the first. */
export function readingOf(tool: string, input: unknown): Reading | undefined {
  const fields: Readonly<Record<string, unknown>> = typeof input === "object" && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const path = pathIn(fields);
  const isView = typeof fields["command"] === "string" && VIEWS.has(fields["command"]);
  if (WRITES.test(tool) && !isView) return undefined;
  if (path === undefined || SEARCH_FIELDS.some((field) => field in fields)) return { of: `${tool} ${JSON.stringify(input)}`, part: "" };
  const part = PART_FIELDS.flatMap((field) => (field in fields ? [`${field}=${JSON.stringify(fields[field])}`] : []));
  return { of: `file ${path}`, part: part.join(" "), path };
}

/** Returns the path of the file that a call writes, as in its arguments. */
export function pathIn(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  return PATH_FIELDS.map((field) => fields[field]).find((value) => typeof value === "string");
}
