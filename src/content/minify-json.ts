import { jsonDocuments } from "./json-documents.ts";
import { JsonScanner } from "./json-scanner.ts";
import { TextWriter } from "./text-writer.ts";

/**
 * Every JSON document of the text without the white space between its tokens; all else stays.
 *
 *     before: "Output:\n{\n  \"id\": 1.0\n}\n"
 *     after:  "Output:\n{\"id\":1.0}\n"
 */
export function minifyJson(text: string): string {
  const writer = new TextWriter(text);
  for (const document of jsonDocuments(text)) {
    const scanner = new JsonScanner(text, document.start);
    for (let end = document.start; end < document.end; end = scanner.end) {
      scanner.next();
      writer.remove(end, scanner.start);
    }
  }
  return writer.end();
}
