import type { Noun } from "./unit.ts";

const FAULT = /"(?:\w*error\w*|exception|message|reason|fault)"\s*:\s*(?!null|""|\[\s*\]|\{\s*\})/i;
const NAME = /^\s*"(?:id|\w*_id|name|title|path|file|key|status|state|type|count|total\w*|result|price|amount|date|version)"\s*:/i;
const EMPTY = /^\s*"[^"]*"\s*:\s*(?:null|""|\[\s*\]|\{\s*\}|false)\s*[,}\]]*\s*$/;
const ADDRESS = /^\s*"(?:\w*_url|url|href|node_id|avatar\w*|etag)"\s*:/i;

/** Of a record, a field or some values of a JSON document. */
export function jsonWeight(text: string, noun: Noun): number {
  if (FAULT.test(text)) return 1.5;
  if (noun === "value") return 0.7;
  if (noun === "record") return 1.5;
  if (EMPTY.test(text)) return 0.05;
  if (ADDRESS.test(text)) return 0.7;
  return NAME.test(text) ? 1.2 : 1;
}
