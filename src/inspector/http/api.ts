import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallRecord } from "../../agent/calls/call-record.ts";
import type { AboutAnswer, CallAnswer, CallsAnswer, ConversationRef } from "../answers.ts";
import { cacheLifeOf, type IndexedCall } from "../data/call-index.ts";
import { CallView, type Show } from "../data/call-view.ts";
import { conversationAnswer } from "../data/conversation-answer.ts";
import { callFinder, editEvents } from "../data/edit-events.ts";
import { LeastRecent } from "../data/least-recent.ts";
import { countTotals, decodeCursor, listConversations, type Filters, type Library } from "../data/library.ts";
import { requestCurl, requestJson } from "../data/request-json.ts";
import { searchConversations, type SearchCursor } from "../data/search-conversations.ts";
import type { AboutCursor, Shelf } from "../data/shelf.ts";
import { keyOf } from "../data/shelf.ts";
import { wordsOfCall } from "../data/words-of-call.ts";
import { exportHtml } from "../export/export-html.ts";
import { LiveFeed, type OnChange } from "./live-events.ts";
import type { Query } from "./query.ts";
import { refusal } from "./refusal.ts";
import { headersOf, sendBytes, sendJson } from "./respond.ts";

export interface ApiOptions {
  readonly library: Library;
  readonly about: () => Omit<AboutAnswer, "isDemo" | "unrecorded">;
  readonly onChange: OnChange | undefined;
}

interface Opened {
  readonly shelf: Shelf;
  readonly ref: ConversationRef;
  readonly record: CallRecord;
  readonly sequence: number;
  readonly calls: readonly IndexedCall[];
}

const MOST_VIEWS = 4;
const PAGE = 50;
const MOST_PAGE = 200;
const MOST_CALLS = 2_000;
const PIECE_CHARS = 64 * 1024;

/** Answers the requests of the page. Read-only. */
export class Api {
  readonly #library: Library;
  readonly #about: ApiOptions["about"];
  readonly #live: LiveFeed;
  readonly #views = new LeastRecent<CallView>(MOST_VIEWS);

  constructor({ library, about, onChange }: ApiOptions) {
    this.#library = library;
    this.#about = about;
    this.#live = new LiveFeed(() => library.shelf(), onChange);
  }

  close(): void {
    this.#live.close();
  }

  /** `path`: the part after "/inspector/api/". */
  async answer(request: IncomingMessage, response: ServerResponse, path: string, query: Query): Promise<void> {
    const json = (value: unknown): Promise<void> => sendJson(request, response, value);
    const [what = "", thread, branch, of, number, part, ...rest] = path.split("/").map(decoded);
    if (rest.length > 0) throw unknownPath();
    if (thread === undefined) {
      switch (what) {
        case "about":
          return json(await this.#aboutAnswer());
        case "conversations":
          return json(
            await listConversations(await this.#library.shelf(), filtersIn(query), aboutCursor(query), query.count("limit", PAGE, MOST_PAGE), Date.now()),
          );
        case "totals":
          return json(await countTotals(await this.#library.shelf(), filtersIn(query), Date.now()));
        case "search":
          return json(await searchConversations(await this.#library.shelf(), query.text("q") ?? "", searchCursor(query), query.count("limit", 30, 100)));
        case "events":
          return this.#live.listen(response);
        default:
          throw unknownPath();
      }
    }
    if (what !== "conversations" || branch === undefined) throw unknownPath();
    const ref = { thread, branch };
    if (of === undefined) return json(await this.#conversation(ref));
    if (of === "edits" && number === undefined) return json(await this.#edits(ref, query));
    if (of === "calls" && number === undefined) return json(await this.#calls(ref, query));
    if (of === "export.html" && number === undefined) return this.#export(response, ref, query);
    if (of !== "calls" || number === undefined) throw unknownPath();
    const opened = await this.#open(ref, number);
    switch (part) {
      case undefined:
        return json(await this.#call(opened));
      case "request.json":
      case "request.curl":
        return this.#request(request, response, opened, part, query);
      case "rows":
        return json(await this.#rows(opened, query));
      case "blocks":
        return json((await this.#view(opened)).blocks(query.count("row", 0, 1e9), query.count("from", 0, 1e9), query.count("limit", 20, MOST_PAGE)));
      case "context":
        return json((await this.#view(opened)).context);
      case "text":
        return json(await this.#text(opened, query));
      case "media":
        return this.#media(request, response, opened, query);
      default:
        throw unknownPath();
    }
  }

  async #aboutAnswer(): Promise<AboutAnswer> {
    const shelf = await this.#library.shelf();
    const unrecorded = (await shelf.isEmpty()) ? (await shelf.store.threads({ limit: 100 })).length : 0;
    return { ...this.#about(), isDemo: shelf.isDemo, unrecorded };
  }

  async #conversation(ref: ConversationRef): Promise<unknown> {
    const { shelf, about } = await this.#library.find(ref);
    return conversationAnswer(shelf, about, await shelf.calls(ref), await shelf.conversation(ref));
  }

  async #edits(ref: ConversationRef, query: Query): Promise<unknown> {
    const { shelf } = await this.#library.find(ref);
    return editEvents(await shelf.conversation(ref), await shelf.calls(ref), query.count("after", 0, 1e9), query.count("limit", PAGE, MOST_PAGE));
  }

  async #calls(ref: ConversationRef, query: Query): Promise<CallsAnswer> {
    const { shelf } = await this.#library.find(ref);
    const after = query.count("after", 0, 1e9);
    const limit = query.count("limit", 500, MOST_CALLS);
    const calls = await shelf.calls(ref);
    const digests = await digestsIn(shelf, ref);
    const found = calls.filter(({ point }) => point.sequence > after).slice(0, limit);
    const points = found.map(({ point, upTo }) =>
      digests.has(upTo) ? { ...point, marks: point.marks.map((mark) => (mark === "batch" ? "digest" : mark)) } : point,
    );
    const last = points.at(-1)?.sequence;
    return { calls: points, ...(found.length === limit && last !== undefined && last !== calls.at(-1)?.point.sequence ? { next: last } : {}) };
  }

  async #open(ref: ConversationRef, number: string): Promise<Opened> {
    const { shelf } = await this.#library.find(ref);
    const sequence = /^\d{1,15}$/.test(number) ? Number(number) : NaN;
    const calls = await shelf.calls(ref);
    const record = Number.isNaN(sequence) ? undefined : await shelf.record(ref, sequence);
    if (record !== undefined) return { shelf, ref, record, sequence, calls };
    const [first, last] = [calls[0]?.point, calls.at(-1)?.point];
    if (first !== undefined && sequence > 0 && sequence < first.sequence)
      throw refusal(
        410,
        "CALL_REMOVED",
        `Call ${sequence} was removed by retention. The first one kept is call ${first.sequence}, of ${new Date(first.atMs).toISOString().slice(0, 10)}.`,
        "Its messages are still in the conversation: open a later call, or search for them.",
      );
    throw refusal(
      404,
      "CALL_UNKNOWN",
      last === undefined
        ? "No call of this conversation is recorded."
        : `There is no call ${number.slice(0, 20)} in this conversation: it has ${last.sequence}.`,
      "Go back to the conversation.",
    );
  }

  async #call({ shelf, ref, record, sequence, calls }: Opened): Promise<CallAnswer> {
    const point = calls.find((call) => call.point.sequence === sequence)?.point;
    const about = await shelf.about(ref);
    if (point === undefined || about === undefined)
      throw refusal(404, "CALL_UNKNOWN", `There is no call ${sequence} in this conversation.`, "Go back to the conversation.");
    const before = calls.findLast((call) => call.point.sequence < sequence && call.point.kind === "conversation")?.point;
    const { edits } = await shelf.conversation(ref);
    const wanted = new Set(record.edits);
    const made = edits.filter(({ id }) => wanted.has(id));
    const livesMs = cacheLifeOf(record.model);
    let view: CallView | undefined;
    let unreadable: string | undefined;
    try {
      view = await this.#view({ shelf, ref, record, sequence, calls });
    } catch (error) {
      unreadable = error instanceof Error ? error.message : String(error);
    }
    const { systemTokens: system, toolsTokens: tools } = record.head;
    const nothing = { tokens: record.tokens.full, blocks: 0 };
    const factor = estimateFactor(record);
    return {
      ...point,
      conversation: await shelf.row(about),
      firstSequence: calls[0]?.point.sequence ?? sequence,
      lastSequence: calls.at(-1)?.point.sequence ?? sequence,
      ...(record.method === undefined ? {} : { method: record.method }),
      ...(record.path === undefined ? {} : { path: record.path }),
      streamed: record.streamed,
      ...(record.stopReason === undefined ? {} : { stopReason: record.stopReason }),
      decision: wordsOfCall(record, made, (tokens) => Math.round(tokens * factor)),
      rounds: record.rounds,
      failures: record.failures,
      cache: {
        segments: view?.segments ?? [],
        headTokens: { system, tools },
        ...(view?.firstChanged === undefined ? {} : { firstChanged: view.firstChanged }),
        ...(before === undefined || record.kind !== "conversation" ? {} : { sinceMs: record.atMs - before.atMs }),
        ...(livesMs === undefined ? {} : { livesMs }),
        markers: record.markers.map(({ at, ttl }) => `${typeof at === "string" ? at : `${at.position}.${at.block}`}${ttl === undefined ? "" : ` (${ttl})`}`),
      },
      sides: view?.sides ?? { client: nothing, sent: { tokens: record.tokens.sent, blocks: 0 }, rows: 0, newEdits: 0, edits: 0 },
      ...(unreadable === undefined ? {} : { unreadable }),
    };
  }

  async #rows(opened: Opened, query: Query): Promise<unknown> {
    const view = await this.#view(opened);
    const from = query.count("from", 0, 1e9);
    const to = query.count("to", 0, 1e9);
    if (to > 0) return view.unfolded(from, Math.min(to, from + MOST_PAGE));
    const show: Show = query.oneOf("show", ["new", "edits", "all"]) ?? "new";
    return view.rows(show, from, query.count("limit", PAGE, MOST_PAGE));
  }

  async #text(opened: Opened, query: Query): Promise<unknown> {
    const text = (await this.#view(opened)).text(query.text("id") ?? "", query.count("from", 0, 1e12), query.count("limit", PIECE_CHARS, 4 * 1024 * 1024));
    if (text === undefined) throw refusal(404, "BLOCK_UNKNOWN", "There is no such block in this call.", "Load the page again.");
    return text;
  }

  async #media(request: IncomingMessage, response: ServerResponse, opened: Opened, query: Query): Promise<void> {
    const media = (await this.#view(opened)).media(query.text("id") ?? "", query.count("index", 0, 1e6));
    if (media === undefined) throw refusal(404, "BLOCK_UNKNOWN", "There is no such image in this call.", "Load the page again.");
    await sendBytes(request, response, media.bytes, headersOf(media.type));
  }

  async #request(request: IncomingMessage, response: ServerResponse, { shelf, ref, record }: Opened, part: string, query: Query): Promise<void> {
    const side = query.oneOf("side", ["sent", "client"]) ?? "sent";
    const json = requestJson({ record, conversation: await shelf.conversation(ref), head: await shelf.head(ref, record.head.hash), side });
    if (part === "request.curl") return sendBytes(request, response, Buffer.from(requestCurl(record, json)), headersOf("text/plain; charset=utf-8"));
    await sendBytes(request, response, Buffer.from(json), headersOf("application/json; charset=utf-8"));
  }

  async #export(response: ServerResponse, ref: ConversationRef, query: Query): Promise<void> {
    const { shelf, about } = await this.#library.find(ref);
    const isRedacted = query.text("redact") !== undefined;
    const calls = await shelf.calls(ref);
    const stored = await shelf.conversation(ref);
    const answer = await conversationAnswer(shelf, about, calls, stored);
    const name = `palimpsest-${ref.thread.replace(/[^a-z0-9.-]/gi, "-").slice(0, 60)}${isRedacted ? "-redacted" : ""}.html`;
    response.writeHead(200, { ...headersOf("text/html; charset=utf-8"), "content-disposition": `attachment; filename="${name}"` });
    for (const piece of exportHtml({ answer, calls: calls.map(({ point }) => point), conversation: stored, isRedacted, nowMs: Date.now() })) {
      if (response.destroyed) return;
      if (!response.write(piece)) await new Promise<void>((resolve) => void response.once("drain", resolve).once("close", resolve));
    }
    response.end();
  }

  async #view({ shelf, ref, record, sequence, calls }: Opened): Promise<CallView> {
    const key = `${shelf.isDemo ? "demo" : "real"}\n${keyOf(ref)}\n${sequence}\n${record.atMs}`;
    const conversation = await shelf.conversation(ref);
    // Cards say when an edit was undone later, so undoing changes the version too.
    const version = `${key}\n${conversation.edits.length}\n${conversation.edits.filter(({ undoneAt }) => undoneAt !== undefined).length}`;
    const known = this.#views.get(version);
    if (known !== undefined) return known;
    const head = await shelf.head(ref, record.head.hash);
    return this.#views.set(version, new CallView({ record, sequence, conversation, head, sequenceOf: callFinder(calls) }));
  }
}

/** Returns the lengths of the log at which digests were made. */
async function digestsIn(shelf: Shelf, ref: ConversationRef): Promise<ReadonlySet<number>> {
  const { edits } = await shelf.conversation(ref);
  return new Set(edits.filter(({ pass }) => pass === "digest-rounds").map(({ madeAt }) => madeAt));
}

/** Returns reported tokens per token that the policy estimates. */
function estimateFactor({ decision, tokens, head }: CallRecord): number {
  const messages = tokens.sent - head.systemTokens - head.toolsTokens;
  const estimated = decision === undefined ? 0 : decision.shownTokens;
  return estimated > 0 && messages > 0 ? Math.min(2, Math.max(0.5, messages / estimated)) : 1;
}

function filtersIn(query: Query): Filters {
  const since = query.count("since", 0, 1e15);
  return {
    agent: query.text("agent"),
    model: query.text("model"),
    project: query.text("project"),
    state: query.oneOf("state", ["live", "faults"]),
    sinceMs: since === 0 ? undefined : since,
    title: query.text("title"),
  };
}

function aboutCursor(query: Query): AboutCursor | undefined {
  const text = query.text("after");
  return text === undefined ? undefined : parsedCursor(decodeCursor(text));
}

function parsedCursor(value: unknown): AboutCursor {
  const { thread, key, at } = (value ?? {}) as Record<string, unknown>;
  if (typeof thread === "string" && typeof key === "string" && typeof at === "number") return { thread, key, at };
  throw refusal(400, "QUERY_INVALID", "This link to a page of the list is not valid.", "Reload the list.");
}

function searchCursor(query: Query): SearchCursor {
  const text = query.text("after");
  if (text === undefined) return {};
  const { about, below } = (decodeCursor(text) ?? {}) as { readonly about?: unknown; readonly below?: unknown };
  return {
    ...(about === undefined ? {} : { about: parsedCursor(about) }),
    ...(typeof below === "number" && Number.isSafeInteger(below) && below >= 0 ? { below } : {}),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function unknownPath(): Error {
  return refusal(404, "PATH_UNKNOWN", "The inspector has no such address.", "docs/inspector.md lists the addresses.");
}
