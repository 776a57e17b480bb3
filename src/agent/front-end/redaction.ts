import { RE2JS } from "re2js";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";

/** Replaces text that must not be stored. */
const REDACTED = "[redacted]";

export type Redact = (text: string) => string;

/** Returns a function that replaces all matches in a text, in linear time. Throws `INVALID_OPTION`. */
export function redacting(pattern: string, path: string): Redact {
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(pattern);
  } catch (error) {
    const expected = "a regular expression without lookaround and backreferences";
    throw new PalimpsestError("INVALID_OPTION", `${path}: expected ${expected}, found ${JSON.stringify(pattern)}`, { path, expected, found: pattern }, error);
  }
  return (text) => expression.matcher(text).replaceAll(REDACTED);
}

/** Returns the value as JSON, with every text in it redacted. */
export function redactedJson(value: unknown, redact: Redact | undefined): string {
  if (redact === undefined) return JSON.stringify(value);
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "string" ? redact(inner) : inner));
}
