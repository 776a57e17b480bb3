import { isRecord } from "../errors/is-record.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { count, type Field } from "../errors/parse-options.ts";
import { areBlocks } from "../messages/message-shape.ts";

const text: Field<string> = { expected: "a string", accepts: (value) => typeof value === "string" };
const place: Field<object> = {
  expected: "a place { position, block }",
  accepts: (value): value is object => isRecord(value) && count.accepts(value["position"]) && count.accepts(value["block"]),
};
const places: Field<object> = {
  expected: "a list of places",
  accepts: (value): value is object => Array.isArray(value) && Array.from(value as readonly unknown[]).every((at) => place.accepts(at)),
};
const input: Field<object> = { expected: "an object", accepts: (value): value is object => isRecord(value) };
const content: Field<unknown> = {
  expected: "a string or an array of blocks",
  accepts: (value): value is unknown => typeof value === "string" || areBlocks(value),
};

/** The fields that the id of an edit is computed from, by kind. Only `render` checks whether its places are in a log. */
const KINDS: Readonly<Record<string, Readonly<Record<string, Field<unknown>>>>> = {
  "replace-result": { at: place, content },
  "replace-input": { at: place, input },
  "collapse-round": { call: count, lastResult: count, note: text },
  "replace-range": { from: place, to: place, role: text, summary: text },
  "strip-blocks": { at: places },
  "replace-block": { at: place, text },
};

/** Throws if no id can be computed for a draft. */
export function parseDraft(draft: unknown): void {
  if (!isRecord(draft)) throw invalid("INVALID_INPUT", "draft", "an edit without its id", draft);
  const { kind, madeAt } = draft;
  const fields = typeof kind === "string" && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (fields === undefined) throw invalid("INVALID_INPUT", "draft.kind", `one of ${Object.keys(KINDS).join(", ")}`, kind, Object.keys(KINDS));
  if (!count.accepts(madeAt)) throw invalid("INVALID_INPUT", "draft.madeAt", "a length of the log", madeAt);
  for (const [name, field] of Object.entries(fields)) {
    if (!field.accepts(draft[name])) throw invalid("INVALID_INPUT", `draft.${name}`, field.expected, draft[name]);
  }
}
