import { quoteHead } from "../../summarize/quote.ts";

const NAME_CHARS = 300;

/** A name as it is; in quotes where it could be read as something else. */
export function quoteName(name: string): string {
  return /^[\w.:/@+~-]{1,200}$/.test(name) ? name : quoteHead(name, NAME_CHARS);
}
