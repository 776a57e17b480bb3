import { codeUnits } from "./code-units.ts";
import type { ContentKind } from "./content-kind.ts";
import { diffUnits } from "./diff-units.ts";
import { htmlUnits } from "./html-units.ts";
import { jsonUnits } from "./json-units.ts";
import { listingUnits } from "./listing-units.ts";
import { logUnits } from "./log-units.ts";
import { searchUnits } from "./search-units.ts";
import { tableUnits } from "./table-units.ts";
import { testOutputUnits } from "./test-output-units.ts";
import { textUnits } from "./text-units.ts";
import type { Unit } from "./unit.ts";

const UNITS: Readonly<Record<ContentKind, (text: string) => readonly Unit[]>> = {
  json: (text) => jsonUnits(text, logUnits),
  "json-lines": (text) => jsonUnits(text, logUnits),
  log: logUnits,
  "test-output": testOutputUnits,
  diff: diffUnits,
  html: htmlUnits,
  listing: listingUnits,
  search: searchUnits,
  table: tableUnits,
  code: codeUnits,
  base64: logUnits,
  text: textUnits,
};

/**
 * Whole lines or records in their order; joined, they are the text. Only those of HTML are not: they are the text that a page
 * shows, with the targets of its links.
 */
export function unitsOf(text: string, kind: ContentKind): readonly Unit[] {
  return UNITS[kind](text);
}
