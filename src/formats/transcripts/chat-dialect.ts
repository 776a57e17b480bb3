import { blocksOf, isToolResult, isToolUse, type Message, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import type { MessageFacts } from "./message-facts.ts";
import type { MessageEntry } from "./transcript-format.ts";
import { weaveRecords, type WrittenRecord } from "./weave-records.ts";

/** A format in which each record is one chat message or the result of one call, in its own schema. */
export interface ChatDialect<R extends object> {
  /** Records that are not messages stay where they are. */
  readonly isMessage: (record: object) => record is R;
  /** Returns the speaker. Tool results have no role in the log. */
  readonly roleOf: (record: R) => Message["role"] | "tool";
  /** Returns a message of the log, or a result that becomes part of one. `open`: the latest calls that have no result yet. */
  readonly read: (record: R, position: number, open: readonly ToolUseBlock[]) => Message | ToolResultBlock;
  readonly factsOf: (record: R) => MessageFacts;
  /** Returns the record with the content of the message, which holds no result. Without a record, returns a new one after `before`. */
  readonly write: (message: Message, record: R | undefined, before: R | undefined) => R;
  /** Returns the record with the content of the result. */
  readonly writeResult: (result: ToolResultBlock, record: R | undefined, call: ToolUseBlock | undefined) => R;
}

/** Consecutive results answer one turn, so they become one message of the log. */
export function decodeDialect<R extends object>(records: readonly object[], dialect: ChatDialect<R>): MessageEntry[] {
  const entries: MessageEntry[] = [];
  let open: readonly ToolUseBlock[] = [];
  let answering: R[] = [];
  let results: ToolResultBlock[] = [];
  const endResults = (): void => {
    if (answering.length > 0) entries.push(entryOf(answering, { role: "user", content: results }, dialect));
    answering = [];
    results = [];
  };
  records.forEach((record, position) => {
    if (!dialect.isMessage(record)) return;
    const said = dialect.read(record, position, open);
    if ("role" in said) {
      endResults();
      entries.push(entryOf([record], said, dialect));
      open = blocksOf(said).filter(isToolUse);
    } else {
      answering.push(record);
      results.push(decodedFrom([record], said));
      open = open.filter((call) => call.id !== said.tool_use_id);
    }
  });
  endResults();
  return entries;
}

function entryOf<R extends object>(records: readonly R[], message: Message, { factsOf }: ChatDialect<R>): MessageEntry {
  const [first] = records;
  return {
    kind: "message",
    message: decodedFrom(records, message),
    nativeMessages: records.length,
    ...(first === undefined ? {} : factsOf(first)),
  };
}

export function encodeDialect<R extends object>(records: readonly object[], view: readonly Message[], dialect: ChatDialect<R>): object[] {
  const writer = new DialectWriter(dialect);
  return weaveRecords(
    records,
    dialect.isMessage,
    view.flatMap((message) => writer.write(message)),
  );
}

interface Written<R extends object> extends WrittenRecord {
  readonly record: R;
}

class DialectWriter<R extends object> {
  readonly #dialect: ChatDialect<R>;
  /** The last call with each id, for results that name the tool. */
  readonly #calls = new Map<string, ToolUseBlock>();
  readonly #used = new Set<R>();
  #before: R | undefined;

  constructor(dialect: ChatDialect<R>) {
    this.#dialect = dialect;
  }

  write(message: Message): readonly Written<R>[] {
    const blocks = blocksOf(message);
    for (const call of blocks.filter(isToolUse)) this.#calls.set(call.id, call);
    const untouched = untouchedNatives<R>(message);
    if (untouched !== undefined) return untouched.map((record) => this.#place(record, record));
    const results = blocks.filter(isToolResult).map((result) => this.#writeResult(result));
    const said = results.length === 0 ? message : { ...message, content: blocks.filter((block) => !isToolResult(block)) };
    return said.content.length === 0 ? results : [...results, this.#writeSaid(said)];
  }

  #writeResult(result: ToolResultBlock): Written<R> {
    const [untouched] = untouchedNatives<R>(result) ?? [];
    if (untouched !== undefined) return this.#place(untouched, untouched);
    const record = this.#unused(nativesOf<R>(result));
    return this.#place(this.#dialect.writeResult(result, record, this.#calls.get(result.tool_use_id)), record);
  }

  #writeSaid(message: Message): Written<R> {
    const native = this.#unused(nativesOf<R>(message));
    // Other blocks beside results are not the tool's, so they get their own record.
    const record = native !== undefined && this.#dialect.roleOf(native) === message.role ? native : undefined;
    return this.#place(this.#dialect.write(message, record, this.#before), record);
  }

  /** Returns the record unless it is already used: the second part of a split message gets a new one. */
  #unused(natives: readonly R[] | undefined): R | undefined {
    return natives?.find((record) => !this.#used.has(record));
  }

  #place(record: R, inPlaceOf: R | undefined): Written<R> {
    this.#before = record;
    if (inPlaceOf === undefined) return { record };
    this.#used.add(inPlaceOf);
    return { record, inPlaceOf };
  }
}
