import { blocksOf, isText, isToolResult, isToolUse, resultText, type Message } from "../../../src/messages/message.ts";
import type { DocumentFormat, Entry, MessageEntry } from "../../../src/formats/transcripts/transcript-format.ts";

/** The entries of each trajectory of a document. */
export function entriesOf(format: DocumentFormat, document: unknown): (readonly Entry[])[] {
  return format.sections(document).map((section) => {
    const decoder = format.createDecoder(section);
    return [...section.records.flatMap((record) => decoder.push(record)), ...decoder.end()];
  });
}

export function messagesOf(format: DocumentFormat, document: unknown): MessageEntry[] {
  return (entriesOf(format, document)[0] ?? []).filter((entry) => entry.kind === "message");
}

export function logOf(format: DocumentFormat, document: unknown): Message[] {
  return messagesOf(format, document).map(({ message }) => message);
}

/** The records of the first trajectory with this view of its log. */
export function recordsWith(format: DocumentFormat, document: unknown, change: (log: readonly Message[]) => readonly Message[]): object[] {
  return format.encode(format.sections(document)[0]?.records ?? [], change(logOf(format, document)));
}

/** The document with these records in its first trajectory, as it would be written and read again. */
export function documentWith(format: DocumentFormat, document: unknown, records: readonly object[]): unknown {
  const others = format.sections(document).slice(1);
  return JSON.parse(JSON.stringify(format.assemble(document, [records, ...others.map((section) => section.records)])));
}

/**
 * What a view says, whatever it is cut into: neighbouring texts are one, and a result names its call by its place, because
 * some formats have no ids.
 */
export function comparable(view: readonly Message[]): unknown[] {
  const open = new Map<string, number[]>();
  let calls = 0;
  return view.map((message) => {
    const shown: Record<string, unknown>[] = [];
    for (const block of blocksOf(message)) {
      const last = shown.at(-1);
      if (isText(block) && last?.["type"] === "text") last["text"] = `${String(last["text"])}\n\n${block.text}`;
      else if (isToolUse(block)) {
        open.set(block.id, [...(open.get(block.id) ?? []), calls]);
        shown.push({ call: calls++, name: block.name, input: block.input });
      } else if (isToolResult(block)) shown.push({ answers: open.get(block.tool_use_id)?.shift(), text: resultText(block), error: block.is_error ?? false });
      else shown.push(Object.fromEntries(Object.entries(block)));
    }
    return { role: message.role, shown };
  });
}
