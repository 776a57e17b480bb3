export interface RawLine {
  readonly number: number;
  /** Includes the line feed, if there is one. */
  readonly bytes: Buffer;
}

const LINE_FEED = 0x0a;

/** Splits chunks into lines. In UTF-8 no other character contains the byte of a line feed, so none is cut. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine, void> {
  let number = 0;
  let begun: Buffer[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end + 1);
      yield { number: ++number, bytes: begun.length === 0 ? rest : Buffer.concat([...begun, rest]) };
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  }
  if (begun.length > 0) yield { number: number + 1, bytes: Buffer.concat(begun) };
}
