import type { Message } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { decodedFrom, nativesOf } from "../origin.ts";
import { decodeTogether } from "./decode-together.ts";
import { chatUsage, messageFacts } from "./message-facts.ts";
import { eventTime, isCallEvent, readCallEvent, readResultEvent, recalledText, responseOf, wordsOf, type OpenHandsEvent } from "./openhands-event.ts";
import type { CompactionEntry, DocumentFormat, Entry, MessageEntry, Section } from "./transcript-format.ts";
import { fieldAt, textAt } from "./unchecked-fields.ts";
import { weaveRecords } from "./weave-records.ts";
import { writeOpenHandsEvents } from "./write-openhands-events.ts";

interface Run {
  readonly instance_id: string;
  readonly history: readonly OpenHandsEvent[];
}

/** Results of an OpenHands evaluation, one run per line. Observations name the action that caused them. */
export const openhandsEvents: DocumentFormat = {
  name: "openhands-events",
  title: "OpenHands events",
  wire: "openai-chat",
  layout: "document",
  detect: isRun,
  sections: (document) => [sectionOf(document as Run)],
  assemble: (document, [history]) => ({ ...(document as Run), history }),
  createDecoder: () => decodeTogether(decodeEvents),
  encode: (records, view) => {
    const messageEvents = new Set(decodeEvents(records).flatMap((entry) => (entry.kind === "message" ? (nativesOf<object>(entry.message) ?? []) : [])));
    return weaveRecords(records, (record) => messageEvents.has(record), view.flatMap(writeOpenHandsEvents));
  },
};

function isRun(document: unknown): document is Run {
  const history = fieldAt(document, "history");
  if (typeof fieldAt(document, "instance_id") !== "string" || !Array.isArray(history)) return false;
  return history.length > 0 && history.every((event) => isRecord(event) && ("action" in event || "observation" in event));
}

function sectionOf({ instance_id: id, history }: Run): Section {
  const tools = fieldAt(
    history.find(({ action }) => action === "system"),
    "args",
    "tools",
  );
  const model = history.map((event) => fieldAt(responseOf(event), "model")).find((name) => name !== undefined);
  return { id, records: history, ...messageFacts({ model }), ...(Array.isArray(tools) ? { tools } : {}) };
}

function decodeEvents(records: readonly object[]): readonly Entry[] {
  const decoder = new EventDecoder();
  for (const record of records) decoder.push(record);
  return decoder.end();
}

class EventDecoder {
  readonly #entries: Entry[] = [];
  readonly #calls = new Map<number | undefined, OpenHandsEvent>();
  /** The calls of one response and their results so far. Results of the first calls may stand between the calls. */
  #response: OpenHandsEvent[] = [];
  #results: OpenHandsEvent[] = [];
  /** The lookups for the current user message. */
  #recall: readonly OpenHandsEvent[] = [];

  push(event: OpenHandsEvent): void {
    if (isCallEvent(event)) {
      if (!this.#isSameResponse(event)) this.#flush();
      this.#response.push(event);
      this.#calls.set(event.id, event);
    } else if (this.#callOf(event) !== undefined) {
      this.#results.push(event);
    } else if (event.action === "recall") {
      this.#recall = [event];
    } else {
      const said = this.#said(event);
      if (said === undefined) return;
      this.#flush();
      this.#entries.push(said);
    }
  }

  end(): readonly Entry[] {
    this.#flush();
    return this.#entries;
  }

  #isSameResponse(event: OpenHandsEvent): boolean {
    const [first] = this.#response;
    const id = fieldAt(responseOf(event), "id");
    return first !== undefined && id !== undefined && fieldAt(responseOf(first), "id") === id;
  }

  #callOf({ observation, cause }: OpenHandsEvent): OpenHandsEvent | undefined {
    return observation === undefined || cause === undefined ? undefined : this.#calls.get(cause);
  }

  /** Decodes an event that is neither a call nor a result. */
  #said(event: OpenHandsEvent): MessageEntry | CompactionEntry | undefined {
    const { action, observation, source } = event;
    if (action === "condensation") return { kind: "compaction", by: action, ...messageFacts({ atMs: eventTime(event) }) };
    if (action === "system") return entryOf([event], { role: "system", content: wordsOf(event) });
    if (action === "message") return entryOf([event], { role: source === "agent" ? "assistant" : "user", content: wordsOf(event) });
    // An error without a call is sent as a user message.
    if (observation === "error") return entryOf([event], { role: "user", content: textAt(event, "content") ?? "" });
    if (observation !== "recall") return undefined;
    const events = [...this.#recall, event];
    this.#recall = [];
    return entryOf(events, { role: "user", content: recalledText(event) });
  }

  #flush(): void {
    if (this.#response.length > 0) this.#entries.push(entryOf(this.#response, { role: "assistant", content: this.#response.flatMap(readCallEvent) }));
    if (this.#results.length > 0) {
      const content = this.#results.map((event) => readResultEvent(event, this.#callOf(event)));
      this.#entries.push(entryOf(this.#results, { role: "user", content }));
    }
    this.#response = [];
    this.#results = [];
  }
}

function entryOf(events: readonly OpenHandsEvent[], message: Message): MessageEntry {
  const [first] = events;
  const response = first === undefined || message.role !== "assistant" ? undefined : responseOf(first);
  const facts = messageFacts({
    atMs: first === undefined ? undefined : eventTime(first),
    model: fieldAt(response, "model"),
    usage: response === undefined ? undefined : chatUsage(fieldAt(response, "usage")),
  });
  return { kind: "message", message: decodedFrom(events, message), nativeMessages: events.length, ...facts };
}
