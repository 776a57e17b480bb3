/** What the text of a tool result is, as far as shortening it is concerned. */
export type ContentKind = "json" | "json-lines" | "log" | "test-output" | "diff" | "html" | "listing" | "search" | "table" | "code" | "base64" | "text";
