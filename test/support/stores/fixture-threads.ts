import { openThread, type ThreadState } from "../../../src/agent/index.ts";
import { openCompactor, openHistory, type History } from "../../../src/history/index.ts";
import type { Message } from "../../../src/messages/message.ts";
import { createCompactor } from "../../../src/conversation/index.ts";
import type { Note, Store, StoredCommit, StoredStep } from "../../../src/store/store.ts";
import { assistant, calls, res, results, text, think, use, user } from "../build.ts";

/** What the states of a version were made with: whoever opens them gives the same again. */
export const COMPACTOR_OPTIONS = { preset: "tight", thread: "fixture" } as const;

/** U+0000, both halves of surrogate pairs alone, the escape of stored names, quotes, wide and combining characters. */
const ODD = "odd \u0000 \ud83d \ude00x \u001a001a 'quoted' \"twice\" \\ 語 e\u0301 👩‍👩‍👧 %_*";
const LISTING = Array.from({ length: 60 }, (_, line) => `src/module-${line}/index.ts:${line * 7}: export function handler${line}() {}`).join("\n");

/** Fills a store with what histories, threads and compactors write: branches, edits, undone ones, steps, memos, notes, odd text. */
export async function writeFixtureThreads(store: Store): Promise<void> {
  await writeSession(await openHistory({ store, thread: "session", summarizer: shorten, summarizerName: "fixture" }));
  await writeOddText(await openHistory({ store, thread: ODD }));
  await writeLivingThread(store);
  await writeCompacted(store);
  await writeNotes(store);
}

const shorten = ({ text: given }: { readonly text: string }): Promise<string> => Promise.resolve(`a summary of ${given.length} characters`);

async function writeSession(history: History): Promise<void> {
  await history.user("Find the handlers, and say which one is unused.");
  await history.assistant([
    think("signed", "where could they be?"),
    text("I look."),
    use("c1", "grep", { pattern: "handler" }),
    use("c2", "bash", { command: "ls" }),
  ]);
  const grep = await history.toolResult("c1", "grep", LISTING);
  await history.toolResult("c2", "bash", "ls: cannot access 'src': No such file or directory", { isError: true });
  await history.record({ model: "claude-sonnet-5", headHash: "head", atMs: 1_700_000_000_000, usage: { input_tokens: 900, cache_read_input_tokens: 0 } });
  await history.assistant("All of them are in src/.");
  const first = await history.toolResult("c1", "grep", "60 handlers", { edit: grep, reason: "too long" });
  await history.undo(first, { reason: "the list was needed" });
  const third = await history.user("Which one is unused?");
  await history.assistant([use("c3", "read", { path: "src/module-3/index.ts" })]);
  const pending = await history.toolResult("c3", "read", `${LISTING}\n${LISTING}`);
  await history.compress({ commits: [pending.hash], instructions: "one line" });
  await history.assistant("handler3.", { author: "the model", reason: "asked" });
  await history.record({ model: "claude-sonnet-5", headHash: "head", atMs: 1_700_000_060_000 });
  await history.branch("retry", { at: third });
  await history.switch("retry");
  await history.append([calls("c9"), results("c9"), assistant("Another answer.")], { times: [1_700_000_070_000, 1_700_000_071_000, 1_700_000_072_000] });
  await history.record({ model: "gpt-5", atMs: 1_700_000_073_000 });
  await history.compressToolCalls();
  await history.branch("deeper");
  await history.switch("deeper");
  await history.user(`Once more, ${ODD}`);
}

async function writeOddText(history: History): Promise<void> {
  await history.user(ODD);
  await history.assistant([text(ODD), use(ODD, ODD, { [ODD]: ODD })]);
  await history.toolResult(ODD, ODD, [text(ODD)], { author: ODD, reason: ODD });
  await history.branch(ODD);
}

async function writeLivingThread(store: Store): Promise<void> {
  const thread = await openThread({ store, thread: "living" });
  speak(thread);
  await thread.saved();
}

/** A thread with an edit that was undone, one in force, a pin, and a result that waits for another. */
function speak(thread: Awaited<ReturnType<typeof openThread>>): void {
  thread.user("Read both files.");
  thread.request();
  thread.assistant({ content: [use("t1", "read", { path: "a" })] });
  thread.toolResults([res("t1", LISTING)]);
  thread.request();
  const [first, second] = thread.checkpoints();
  const [edit] = thread.compact([{ from: first?.id ?? "", to: second?.id ?? "", summary: "a was read" }]);
  thread.undo(edit?.id ?? "");
  thread.pin(0, "the task");
  thread.compact([{ from: first?.id ?? "", to: second?.id ?? "", summary: "a was read, again" }]);
  thread.assistant({ content: [use("t2", "read", { path: "b" }), use("t3", "read", { path: "c" })] });
  thread.toolResults([res("t2", "b is short")]);
}

async function writeCompacted(store: Store): Promise<void> {
  const history = await openHistory({ store, thread: "compacted" });
  const compactor = await openCompactor({ store, ...COMPACTOR_OPTIONS, thread: "compacted" });
  for (const [number, messages] of conversation().entries()) {
    await history.append(messages);
    await compactor.next({ model: "claude-sonnet-5", headHash: "head", atMs: 1_700_000_000_000 + number * 600_000 });
  }
}

const NOTE_KINDS = ["about", "call", "chain", ODD];

/** Of a thread with commits, and of one that has notes alone; short and long ones, some of them put twice. */
async function writeNotes(store: Store): Promise<void> {
  const at = 1_700_000_080_000;
  const about = { thread: "session", kind: "about", key: "main" };
  await store.putNotes([{ ...about, at: at - 1, value: "replaced" }]);
  await store.putNotes([
    { ...about, at, value: JSON.stringify({ title: "Find the handlers", calls: 2 }) },
    { ...about, key: "retry", at: at + 5, value: ODD },
    { thread: "notes alone", kind: "chain", key: "owner/0123", at: at - 9, value: "" },
    { thread: ODD, kind: ODD, key: ODD, at, value: ODD.repeat(100) },
  ]);
  const calls = Array.from({ length: 20 }, (_, call) => ({ ...about, kind: "call", key: `main/${call}`, at: at + call, value: LISTING.slice(0, call * 300) }));
  await store.append({ thread: "session", branch: "main" }, (await store.head({ thread: "session", branch: "main" }))?.hash ?? null, [], calls);
}

/** What is said before each of some calls: files that are read twice, and long results. */
export function conversation(): Message[][] {
  const rounds = Array.from({ length: 8 }, (_, round): Message[] => [
    assistant(use(`k${round}`, "read", { path: `file-${round % 3}` })),
    user(res(`k${round}`, `${LISTING}\n${LISTING}\n${LISTING}`.replaceAll("module", `part-${round % 3}`))),
  ]);
  return [[user("Read everything.")], ...rounds];
}

/** States of everything that has `toJSON`. */
export async function fixtureStates(store: Store): Promise<{ readonly thread: ThreadState; readonly compactor: unknown }> {
  const thread = await openThread({ store, thread: "states" });
  speak(thread);
  const compactor = createCompactor(COMPACTOR_OPTIONS);
  for (const [number, messages] of conversation().entries())
    compactor.append(messages, { model: "claude-sonnet-5", atMs: 1_700_000_000_000 + number * 600_000 });
  compactor.pin(0);
  return JSON.parse(JSON.stringify({ thread, compactor })) as { readonly thread: ThreadState; readonly compactor: unknown };
}

interface ReadBranch {
  readonly name: string;
  readonly commits: readonly StoredCommit[];
  readonly messages: readonly Message[];
  readonly edits: readonly unknown[];
  readonly view: readonly Message[];
  readonly steps: readonly StoredStep[];
  /** Hashes. */
  readonly found: Readonly<Record<string, readonly string[]>>;
}

/** All that a reader can get of a store, in plain JSON. */
export async function readStore(store: Store): Promise<unknown> {
  const threads: unknown[] = [];
  for (const info of await store.threads()) {
    const branches: unknown[] = [];
    for (const branch of await store.branches(info.id)) branches.push({ ...branch, ...(await readBranch(store, info.id, branch.name)) });
    threads.push({ ...info, branches, export: await (await openHistory({ store, thread: info.id })).export() });
  }
  const notes = await readNotes(store);
  // Versions before 3 had none.
  return JSON.parse(JSON.stringify(notes.length === 0 ? { threads } : { threads, notes })) as unknown;
}

/** In every way in which they are looked up. */
async function readNotes(store: Store): Promise<Note[]> {
  const found: Note[] = [];
  for (const kind of NOTE_KINDS) {
    const notes = await store.notes({ kind });
    found.push(...notes, ...(await store.notes({ kind, newestFirst: true, keys: notes.map(({ key }) => key) })));
    for (const { thread, key } of notes) found.push(...(await store.notes({ kind, thread, prefix: key })));
  }
  return found;
}

async function readBranch(store: Store, thread: string, name: string): Promise<ReadBranch> {
  const history = await openHistory({ store, thread });
  await history.switch(name);
  const ref = { thread, branch: name };
  const hashes = (commits: readonly { readonly hash: string }[]): string[] => commits.map(({ hash }) => hash);
  return {
    name,
    commits: await store.commits(ref),
    messages: await history.messages(),
    edits: await history.edits(),
    view: await history.view(),
    steps: await store.steps(ref),
    found: {
      read: hashes(await history.findToolResults({ name: "read" })),
      calls: hashes(await history.findToolCalls()),
      turns: (await history.findToolTurns({ minTokens: 100 })).flatMap(({ allHashes }) => allHashes),
      errors: hashes(await history.findToolResults({ errorsOnly: true })),
      words: hashes(await history.log({ text: "語 quot*" })),
      word: hashes(await history.log({ text: "which" })),
      edits: hashes(await store.commits(ref, { kind: "edit", role: "tool" })),
    },
  };
}
