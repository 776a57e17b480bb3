import { JsonScanner, type JsonToken } from "./json-scanner.ts";
import { endOfLine } from "./line-units.ts";

/** A JSON object or array that begins a line and ends one. */
export interface JsonDocument {
  readonly start: number;
  readonly end: number;
}

/** Sees every token that is read on the way: what else is asked of them need not be asked in a second reading. */
export interface TokenWatcher {
  token(token: JsonToken, scanner: JsonScanner): void;
  /** Were all tokens since the last time those of a document? */
  end(isDocument: boolean): void;
}

/** All of them in a text, between other lines such as the head that a harness writes above a command's output. */
export function jsonDocuments(text: string, watcher: TokenWatcher): JsonDocument[] {
  const documents: JsonDocument[] = [];
  // Behind a fault nothing is tried again before it: it would be found again and again.
  let tried = 0;
  for (let start = 0; start < text.length; start = endOfLine(text, start)) {
    const code = text.charCodeAt(start);
    if (start < tried || (code !== 0x7b && code !== 0x5b)) continue;
    const scanner = new JsonScanner(text, start);
    let token = scanner.next();
    while (token !== "end" && token !== "fault") {
      watcher.token(token, scanner);
      token = scanner.next();
    }
    tried = scanner.end;
    const isDocument = token === "end" && isAtEndOfLine(text, scanner.end);
    watcher.end(isDocument);
    if (!isDocument) continue;
    documents.push({ start, end: scanner.end });
    start = scanner.end;
  }
  return documents;
}

function isAtEndOfLine(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) return true;
    if (code !== 0x20 && code !== 0x0d && code !== 0x09) return false;
  }
  return true;
}
