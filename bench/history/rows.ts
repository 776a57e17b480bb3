import { openHistory } from "../../src/history/index.ts";
import { blocksOf, type Message } from "../../src/messages/message.ts";
import { recordOf } from "../../src/store/commit-row.ts";
import { marksOf } from "../../src/store/marks.ts";
import { openStore } from "../../src/store/open-store.ts";
import { packText } from "../../src/store/packed-text.ts";
import { wordsText } from "../../src/store/search-words.ts";
import type { NewCommit, Store } from "../../src/store/store.ts";

/** All that a store writes for one commit, ready to be inserted. */
export interface Row {
  readonly sequence: number;
  readonly hash: string;
  readonly kind: string;
  readonly role: string;
  readonly isError: boolean;
  readonly tokens: number;
  readonly record: string;
  readonly marks: readonly Buffer[];
  /** The number of new contents before it; for a repeated content, the number at its first occurrence. */
  readonly content: number;
  /** Undefined: it repeats. */
  readonly added: { readonly hash: string; readonly packed: Uint8Array; readonly words: string | null } | undefined;
}

/** One message for each commit: a tool result comes by itself, as from `toolResult()`. */
export function oneByOne(messages: readonly Message[]): Message[] {
  return messages.flatMap((message) => (message.role === "user" ? blocksOf(message).map((block) => ({ ...message, content: [block] })) : [message]));
}

/** Returns the commits that a history passes to its store for these messages. */
export async function commitsOf(messages: readonly Message[]): Promise<NewCommit[]> {
  const given: NewCommit[] = [];
  const memory = await openStore("memory");
  const store: Store = {
    ...memory,
    append: (ref, expected, added, notes) => {
      given.push(...added);
      return memory.append(ref, expected, added, notes);
    },
  };
  const history = await openHistory({ store });
  await history.append(messages);
  return given;
}

export async function rowsOf(commits: readonly NewCommit[]): Promise<Row[]> {
  const contents = new Map<string, number>();
  const rows: Row[] = [];
  for (const [sequence, commit] of commits.entries()) {
    const { hash, text } = commit.content;
    const known = contents.get(hash);
    const content = known ?? contents.size;
    contents.set(hash, content);
    rows.push({
      sequence,
      hash: commit.hash,
      kind: commit.kind,
      role: commit.role,
      isError: commit.isError === true,
      tokens: commit.tokens,
      record: recordOf(commit),
      marks: marksOf(commit),
      content,
      added: known === undefined ? { hash, packed: await packText(text), words: wordsText(commit.search) ?? null } : undefined,
    });
  }
  return rows;
}
