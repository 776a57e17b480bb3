/** A JSON document in the layout of the one that it takes the place of. */
export function writeDocument(source: string, document: unknown): string {
  // The first line break shows how deep the first level is; a document without one is on a line.
  const indentation = /^\s*[[{]\r?\n([ \t]+)/.exec(source)?.[1];
  const ending = /\s*$/.exec(source)?.[0] ?? "";
  return JSON.stringify(document, null, indentation) + ending;
}
