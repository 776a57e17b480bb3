import type { StoredCommit } from "../store/store.ts";

/** One thing that happened in a thread: a message or tool result was added, or an edit changed how one is shown. */
export interface Commit {
  readonly hash: string;
  /** The commit before it in its branch; null: it is the first. */
  readonly parent: string | null;
  readonly kind: "append" | "edit";
  /** "tool": a tool result. A system message within the conversation counts as the user's. */
  readonly role: "user" | "assistant" | "tool";
  /** The name of the tool, for a tool result. */
  readonly name?: string;
  readonly metadata: CommitMetadata;
  /** The commit that this one edits. For an undo: the commit of the edit that it reverts. */
  readonly edits?: string;
  /** Estimated tokens of what the commit says or shows. */
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly author: string;
  readonly reason?: string;
}

export interface CommitMetadata {
  /** The name of the tool, for a tool result; the same as the commit's `name`. */
  readonly name?: string;
  /** The call that the result answers. */
  readonly toolCallId?: string;
  /** The calls that an assistant message makes. */
  readonly toolCalls?: readonly { readonly id: string; readonly name: string }[];
  /** The result says that the tool failed. */
  readonly isError?: true;
}

export function toCommit(stored: StoredCommit): Commit {
  const { hash, parent, kind, role, name, calls, callId, edits, isError, tokens, time, author, reason } = stored;
  return {
    hash,
    parent,
    kind,
    role,
    ...(name === undefined ? {} : { name }),
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(callId === undefined ? {} : { toolCallId: callId }),
      ...(calls === undefined || calls.length === 0 ? {} : { toolCalls: calls.map((call) => ({ id: call.id, name: call.name })) }),
      ...(isError === true ? { isError } : {}),
    },
    ...(edits === undefined ? {} : { edits }),
    tokens,
    time,
    author,
    ...(reason === undefined ? {} : { reason }),
  };
}
