import { guardMethods } from "../errors/guarded.ts";
import { randomUUID } from "node:crypto";
import { callback, parseOptions, positiveInteger, type Field } from "../errors/parse-options.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { extractive } from "../summarize/extractive.ts";
import { memoized } from "../summarize/memoized.ts";
import { name, text } from "./history-input.ts";
import type { History } from "./history.ts";
import { StoredHistory } from "./stored-history.ts";
import { summaryMemo } from "./summary-memo.ts";

export interface HistoryOptions {
  /** "memory", "sqlite:path", "postgres://…", or an open store. */
  readonly store: string | Store;
  /** The thread's id. A thread is created by its first commit. Default: a new id. */
  readonly thread?: string;
  /** Default: `extractive()`, which needs no model. Summaries of any other are kept in the store, so that none is requested twice. */
  readonly summarizer?: Summarizer;
  /**
   * Part of the key that summaries are kept under, beside the text, the instructions and all other input. Change it when the function changes.
   * Default: the name of the function. Summaries of a function without a name are not kept.
   */
  readonly summarizerName?: string;
  /** How long a handler of `tool_result`, or a summarizer, may take. Default: one minute. */
  readonly hookTimeoutMs?: number;
}

const DEFAULT_HOOK_TIMEOUT_MS = 60_000;

const storeOrAddress: Field<string | Store> = {
  expected: '"memory", "sqlite:path", "postgres://…" or an open store',
  accepts: (value): value is string | Store => typeof value === "string" || (typeof value === "object" && value !== null && "append" in value),
};

/** The methods that take data, with the names of their arguments. */
const GUARDED: Partial<Record<keyof History, readonly string[]>> = {
  user: ["content", "options"],
  assistant: ["message", "options"],
  toolResult: ["callId", "name", "content", "options"],
  append: ["messages", "options"],
  compress: ["options"],
  compressToolCalls: ["commits", "options"],
  configureToolSummarization: ["config"],
  commitEdits: ["edits"],
  record: ["step"],
  retain: ["options"],
};

export async function openHistory(options: HistoryOptions): Promise<History> {
  const given = parseOptions(options, "options", {
    store: storeOrAddress,
    thread: name,
    summarizer: callback<Summarizer>("a summarizer"),
    summarizerName: text,
    hookTimeoutMs: positiveInteger,
  });
  const { store: where = "", thread = randomUUID(), summarizer, summarizerName = summarizer?.name ?? "", hookTimeoutMs = DEFAULT_HOOK_TIMEOUT_MS } = given;
  const store = typeof where === "string" ? await openStore(where) : where;
  const history: History = new StoredHistory({
    store,
    ownsStore: typeof where === "string",
    thread,
    summarizer: summarizer === undefined ? extractive() : remembering(summarizer, store, summarizerName),
    limitMs: hookTimeoutMs,
  });
  return guardMethods(history, GUARDED);
}

function remembering(summarizer: Summarizer, store: Store, name: string): Summarizer {
  return name === "" ? summarizer : memoized(summarizer, summaryMemo(store), name);
}
