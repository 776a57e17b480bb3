import type { StoredCommit } from "../store/store.ts";

/** One thing that happened in a thread: something was said, or something that was said is shown in another way from then on. */
export interface Commit {
  readonly hash: string;
  /** The commit before it in its branch; null: it is the first. */
  readonly parent: string | null;
  readonly kind: "append" | "edit";
  /** "tool": a tool result. A system message among the messages counts as the user's. */
  readonly role: "user" | "assistant" | "tool";
  /** Of the tool whose result it is. */
  readonly name?: string;
  readonly metadata: CommitMetadata;
  /** The commit that is edited. That of an undo is the edit that is taken back. */
  readonly edits?: string;
  /** Of what it says or shows, as they are estimated. */
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly author: string;
  readonly reason?: string;
}

export interface CommitMetadata {
  /** Of the tool whose result it is, as in `name` of the commit. */
  readonly name?: string;
  /** The call that it answers. */
  readonly toolCallId?: string;
  /** The calls that it makes. */
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
