import type { Edit } from "../edits/edit.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { name } from "../history/history-input.ts";
import { ConversationWriter, type Noted } from "../history/conversation-writer.ts";
import { isRecord } from "../errors/is-record.ts";
import type { Block, Message, OpenBlock, ToolResultBlock } from "../messages/message.ts";
import type { Replacement } from "../passes/replace-between-checkpoints/replace-between-checkpoints.ts";
import type { ReportedUsage } from "../stateless/input-tokens-of.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { Recalled } from "../conversation/recall.ts";
import type { Pin } from "../conversation/pin.ts";
import { ThreadEvents, type ThreadEventMap } from "./thread/thread-events.ts";
import { nextIn } from "./thread/next-in.ts";
import type { AssistantMessage } from "./thread/thread-input.ts";
import type { NamedTool, ThreadOptions } from "./thread/thread-options.ts";
import type { Beside, ThreadState } from "./thread/thread-state.ts";
import { guardedThread, runThread, type AssistantOutcome, type RunningThread, type Thread, type ThreadRequest } from "./thread/thread.ts";
import type { RecallInput } from "../conversation/tools/recall-tool.ts";

const BRANCH = "main";

export interface OpenThreadOptions<T extends NamedTool = NamedTool> extends Omit<ThreadOptions<T>, "state"> {
  /** "memory", "sqlite:path", "postgres://…", or an open store. */
  readonly store: string | Store;
  /** The thread's id. If the store has it, it is continued; otherwise it begins with its first message. Default: a new id. */
  readonly thread?: string;
}

/**
 * A thread whose log, edits, pins and waiting results are kept in a store, where `openHistory` can read them. Its methods do not wait: changes are
 * written in the background, in order, each one whole. A branch made by `truncate` is in memory only.
 */
export interface StoredThread<M extends Message = Message, T extends NamedTool = NamedTool> extends Thread<M, T> {
  /** Returns what the caller does next, to continue an interrupted loop. */
  next(): AssistantOutcome;
  /** Fulfilled when everything so far is durable. Rejects if it cannot be written: it stays in memory, and the next change or `saved()` retries. */
  saved(): Promise<void>;
  /** Waits until everything is saved, then closes the store if it was opened for this thread. */
  close(): Promise<void>;
}

/** A thread can be open in one process at a time: if another one writes to it, `saved()` rejects. */
export async function openThread<M extends Message = Message, T extends NamedTool = NamedTool>(options: OpenThreadOptions<T>): Promise<StoredThread<M, T>> {
  if (!isRecord(options)) throw invalid("INVALID_OPTION", "options", "an object", options);
  const { store: where, thread: id = crypto.randomUUID(), ...rest } = options;
  if (!name.accepts(id)) throw invalid("INVALID_OPTION", "options.thread", name.expected, id);
  if ("state" in rest) throw invalid("INVALID_OPTION", "options.state", "nothing: the store has it", rest["state"]);
  const store = isStore(where) ? where : await openStore(where);
  try {
    const { writer, loaded } = await ConversationWriter.open(store, { thread: id, branch: BRANCH });
    const { log, edits, noted } = loaded;
    const { pins = [], held = [], decided } = (noted ?? {}) as Partial<Beside>;
    const thread = runThread<M, T>(rest, { id, log, edits, pins, seenFrom: 0, held, ...(decided === undefined ? {} : { decided }) });
    return guardedThread<StoredThread<M, T>, M, T>(new WrittenThread(thread, writer, isStore(where) ? undefined : store));
  } catch (error) {
    if (!isStore(where)) await store.close();
    throw error;
  }
}

class WrittenThread<M extends Message, T extends NamedTool> implements StoredThread<M, T> {
  readonly #thread: RunningThread<M, T>;
  readonly #writer: ConversationWriter;
  /** Set if this thread has to close it. */
  readonly #ownStore: Store | undefined;
  readonly #events = new ThreadEvents();
  #beside: string;
  /** The error of a change that can never be written. */
  #refused: { readonly error: unknown } | undefined;
  #watched: Promise<void> | undefined;

  constructor(thread: RunningThread<M, T>, writer: ConversationWriter, ownStore: Store | undefined) {
    this.#thread = thread;
    this.#writer = writer;
    this.#ownStore = ownStore;
    this.#beside = JSON.stringify(thread.beside);
  }

  get id(): string {
    return this.#thread.id;
  }

  user(content: string | readonly (Block | OpenBlock)[]): void {
    this.#written(() => {
      this.#thread.user(content);
    });
  }

  assistant(message: AssistantMessage): AssistantOutcome {
    return this.#written(() => this.#thread.assistant(message));
  }

  toolResults(results: readonly (ToolResultBlock | OpenBlock)[]): void {
    this.#written(() => {
      this.#thread.toolResults(results);
    });
  }

  request(): ThreadRequest<M, T> {
    return this.#written(() => this.#thread.request());
  }

  observe(usage: ReportedUsage): void {
    this.#written(() => {
      this.#thread.observe(usage);
    });
  }

  compact(replacements: readonly Replacement[]): Edit[] {
    return this.#written(() => this.#thread.compact(replacements));
  }

  recall(input: RecallInput): Recalled {
    return this.#thread.recall(input);
  }

  checkpoints(): { id: string; position: number }[] {
    return this.#thread.checkpoints();
  }

  edits(): readonly Edit[] {
    return this.#thread.edits();
  }

  undo(editId: string): Edit {
    return this.#written(() => this.#thread.undo(editId));
  }

  pin(position: number, reason?: string): Pin {
    return this.#written(() => this.#thread.pin(position, reason));
  }

  unpin(pinId: string): void {
    this.#written(() => {
      this.#thread.unpin(pinId);
    });
  }

  truncate(length: number): Thread<M, T> {
    return this.#thread.truncate(length);
  }

  on<K extends keyof ThreadEventMap>(event: K, listener: (event: ThreadEventMap[K]) => void): () => void {
    return event === "save-failed" ? this.#events.on(event, listener) : this.#thread.on(event, listener);
  }

  log(): readonly Message[] {
    return this.#thread.log();
  }

  toJSON(): ThreadState {
    return this.#thread.toJSON();
  }

  next(): AssistantOutcome {
    return nextIn(this.#thread.toJSON());
  }

  async saved(): Promise<void> {
    await this.#writer.flush();
    if (this.#refused !== undefined) throw this.#refused.error;
  }

  async close(): Promise<void> {
    await this.saved();
    await this.#ownStore?.close();
  }

  #written<R>(change: () => R): R {
    try {
      return change();
    } finally {
      this.#write();
    }
  }

  #write(): void {
    if (this.#refused !== undefined) return;
    const beside = JSON.stringify(this.#thread.beside);
    try {
      this.#writer.write(this.#thread.conversation, beside === this.#beside ? {} : { noted: notedOf(this.#thread.beside) });
    } catch (error) {
      this.#refused = { error };
      this.#events.emit("save-failed", { error });
      return;
    }
    this.#beside = beside;
    this.#flush();
  }

  /** Reports a failure once, however many changes wait after it. */
  #flush(): void {
    const flushing = this.#writer.flush();
    if (flushing === this.#watched) return;
    this.#watched = flushing;
    flushing.catch((error: unknown) => {
      this.#events.emit("save-failed", { error });
    });
  }
}

function notedOf(beside: Beside): Noted {
  const { model = "unknown", headHash = "", atMs = Date.now() } = beside.decided ?? {};
  return { model, headHash, atMs, state: beside };
}

function isStore(where: string | Store): where is Store {
  return isRecord(where) && "append" in where;
}
