import { jsonDocuments, type TokenWatcher } from "./json-documents.ts";
import type { JsonScanner, JsonToken } from "./json-scanner.ts";
import { TextWriter } from "./text-writer.ts";

/**
 * Every JSON document of the text without the white space between its tokens; all else stays.
 *
 *     before: "Output:\n{\n  \"id\": 1.0\n}\n"
 *     after:  "Output:\n{\"id\":1.0}\n"
 */
export function minifyJson(text: string): string {
  const gaps = new Gaps();
  jsonDocuments(text, gaps);
  const writer = new TextWriter(text);
  for (let gap = 0; gap < gaps.bounds.length; gap += 2) writer.remove(gaps.bounds[gap] ?? 0, gaps.bounds[gap + 1] ?? 0);
  return writer.end();
}

/** The white space between the tokens of documents. */
class Gaps implements TokenWatcher {
  /** Where each begins and ends. */
  readonly bounds: number[] = [];
  #known = 0;
  #end = -1;

  token(_: JsonToken, { start, end }: JsonScanner): void {
    if (this.#end >= 0 && start > this.#end) this.bounds.push(this.#end, start);
    this.#end = end;
  }

  end(isDocument: boolean): void {
    if (isDocument) this.#known = this.bounds.length;
    else this.bounds.length = this.#known;
    this.#end = -1;
  }
}
