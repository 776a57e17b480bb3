import type { Message } from "../messages/message.ts";
import { messageTokens } from "../tokens/message-tokens.ts";
import { toCommit, type Commit } from "./commit.ts";
import type { BranchState } from "./branch-state.ts";

/** Messages of one view that replace messages of the other. */
export interface Hunk {
  readonly removed: readonly Message[];
  readonly added: readonly Message[];
}

/** The difference between two states of a thread, and between their views. */
export interface HistoryDiff {
  /** The last commit that both have; null: none. */
  readonly base: string | null;
  /** Commits that only the first has; none if the second follows from it. */
  readonly removed: readonly Commit[];
  /** Commits that only the second has. */
  readonly added: readonly Commit[];
  /** Of the views, in their order. */
  readonly hunks: readonly Hunk[];
  /** Of the first view and of the second. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export function diffStates(a: BranchState, b: BranchState): HistoryDiff {
  const shared = sharedEntries(a, b);
  const before = viewOf(a);
  const after = viewOf(b);
  return {
    base: a.entries[shared - 1]?.commit.hash ?? null,
    removed: a.entries.slice(shared).map(({ commit }) => toCommit(commit)),
    added: b.entries.slice(shared).map(({ commit }) => toCommit(commit)),
    hunks: hunksOf(before, after),
    tokensBefore: before.reduce((sum, { tokens }) => sum + tokens, 0),
    tokensAfter: after.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

interface Shown {
  readonly message: Message;
  /** Equal if the same message of the log is shown in the same bytes. */
  readonly key: string;
  readonly tokens: number;
}

function viewOf({ conversation }: BranchState): Shown[] {
  const { messages, positions } = conversation.arrange();
  return messages.map((message, number) => ({ message, key: `${positions[number] ?? -1} ${JSON.stringify(message)}`, tokens: messageTokens(message) }));
}

function sharedEntries(a: BranchState, b: BranchState): number {
  let shared = 0;
  while (shared < a.entries.length && a.entries[shared]?.commit.hash === b.entries[shared]?.commit.hash) shared++;
  return shared;
}

/** Positions ascend in both views, so equal messages come in the same order in both. */
function hunksOf(before: readonly Shown[], after: readonly Shown[]): Hunk[] {
  const placeIn = new Map(after.map(({ key }, number) => [key, number]));
  const hunks: Hunk[] = [];
  let fromBefore = 0;
  let fromAfter = 0;
  const close = (toBefore: number, toAfter: number): void => {
    const removed = before.slice(fromBefore, toBefore).map(({ message }) => message);
    const added = after.slice(fromAfter, toAfter).map(({ message }) => message);
    if (removed.length > 0 || added.length > 0) hunks.push({ removed, added });
  };
  before.forEach(({ key }, number) => {
    const there = placeIn.get(key);
    if (there === undefined || there < fromAfter) return;
    close(number, there);
    fromBefore = number + 1;
    fromAfter = there + 1;
  });
  close(before.length, after.length);
  return hunks;
}
