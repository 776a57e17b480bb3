import type { ContentKind } from "../kinds/kind-of.ts";
import type { Familiarity } from "../words/known-words.ts";
import { partsOfJson } from "./parts-of-json.ts";
import { partsOfLines } from "./parts-of-lines.ts";
import type { Parts } from "./text-parts.ts";
import { readHtml } from "../documents/read-html.ts";
import { readJson, type JsonReading } from "../documents/read-json.ts";

/** Splits a text into parts. An HTML page becomes its visible text, one block per line, with link targets. `json`: the reading, if there is one already. */
export function partsOf(text: string, kind: ContentKind, familiarity: Familiarity, json?: JsonReading): Parts {
  if (kind === "json" || kind === "json-lines") return partsOfJson(json ?? readJson(text), familiarity);
  return partsOfLines(kind === "html" ? shownBy(text) : text, kind, familiarity);
}

function shownBy(page: string): string {
  return readHtml(page)
    .map(({ text, level }) => `${level > 0 ? `${"#".repeat(level)} ` : ""}${text}\n`)
    .join("");
}
