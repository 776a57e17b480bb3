import type { ContentKind } from "./content-kind.ts";
import type { Familiarity } from "./familiarity.ts";
import { jsonPartsOf } from "./json-parts.ts";
import { linePartsOf } from "./line-parts.ts";
import type { Parts } from "./parts.ts";
import { readHtml } from "./read-html.ts";
import { readJson, type JsonReading } from "./read-json.ts";

/** Of a page: the text that it shows, a block a line, with the targets of its links. Of all other kinds: the text itself. `json`: if it was read already. */
export function partsOf(text: string, kind: ContentKind, familiarity: Familiarity, json?: JsonReading): Parts {
  if (kind === "json" || kind === "json-lines") return jsonPartsOf(json ?? readJson(text), familiarity);
  return linePartsOf(kind === "html" ? shownBy(text) : text, kind, familiarity);
}

function shownBy(page: string): string {
  return readHtml(page)
    .map(({ text, level }) => `${level > 0 ? `${"#".repeat(level)} ` : ""}${text}\n`)
    .join("");
}
