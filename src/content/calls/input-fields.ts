/** The fields of a call's input that say what it acts on. Harnesses name them differently. */
export type CallFields = Readonly<Record<string, unknown>>;

export const PATH_KEYS: readonly string[] = ["file_path", "filePath", "path", "file", "filename", "absolute_path", "target_file"];
const COMMAND_KEYS: readonly string[] = ["command", "cmd", "script"];

export function fieldsOf(input: unknown): CallFields {
  return typeof input === "object" && input !== null ? (input as CallFields) : {};
}

/** Returns "" if no key has a string. */
export function firstString(fields: CallFields, keys: readonly string[]): string {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === "string") return value;
  }
  return "";
}

/** Codex sends `["bash", "-lc", "ls"]`. */
export function commandOf(fields: CallFields): string {
  for (const key of COMMAND_KEYS) {
    const value = fields[key];
    const text: unknown = Array.isArray(value) ? value.at(-1) : value;
    if (typeof text === "string") return text;
  }
  return "";
}
