import { blocksOf, isToolResult, isToolUse, type Block, type Message, type ToolResultBlock } from "../messages/message.ts";
import { contentTokens } from "../tokens/message-tokens.ts";
import type { StoredCommit } from "../store/store.ts";
import type { CommitChain, Draft } from "./commit-chain.ts";
import type { Said } from "./commit-content.ts";
import type { CommitIndex } from "./commit-index.ts";

export interface Authorship {
  readonly author: string;
  readonly reason?: string;
  /** Default: now. */
  readonly time?: number;
}

/** Splits a message: with tool results, one part for each of them and one for every run of other blocks; else one part. Joined again, they are the same message. */
function partsOf(message: Message): Said[] {
  if (message.role !== "user" || typeof message.content === "string" || !message.content.some(isToolResult)) return [{ message }];
  const runs: Block[][] = [];
  for (const block of message.content) {
    const run = runs.at(-1);
    const goesOn = run !== undefined && !isToolResult(block) && !run.some(isToolResult);
    if (goesOn) run.push(block);
    else runs.push([block]);
  }
  return runs.map((content, number) => (number === 0 ? { message: { ...message, content } } : { message: { role: "user", content }, joins: true }));
}

/** `toolOf` returns the tool of the call that a result answers, if there is one. */
export function saidDraft(said: Said, toolOf: (callId: string) => string | undefined, authorship: Authorship): Draft {
  const result = resultIn(said);
  if (result !== undefined) {
    const tool = toolOf(result.tool_use_id);
    return {
      kind: "append",
      role: "tool",
      ...(tool === undefined ? {} : { name: tool }),
      callId: result.tool_use_id,
      ...(result.is_error === true ? { isError: true } : {}),
      tokens: contentTokens([result]),
      ...authorship,
      content: said,
    };
  }
  const { message } = said;
  const calls = message.role === "assistant" ? blocksOf(message).filter(isToolUse) : [];
  return {
    kind: "append",
    role: message.role === "assistant" ? "assistant" : "user",
    ...(calls.length === 0 ? {} : { calls: calls.map((call) => ({ id: call.id, name: call.name })) }),
    tokens: contentTokens(message.content),
    ...authorship,
    content: said,
  };
}

/** Adds messages as they are, even if something is wrong with them. */
export function addMessages(
  commits: CommitIndex,
  chain: CommitChain,
  messages: readonly Message[],
  authorOf: (role: Message["role"], number: number) => Authorship,
): StoredCommit[] {
  const called = new Map<string, string[]>();
  const taken = new Map<string, number>();
  const toolOf = (callId: string): string | undefined => {
    const name = called.get(callId)?.pop();
    if (name !== undefined) return name;
    const earlier = taken.get(callId) ?? 0;
    taken.set(callId, earlier + 1);
    return commits.openCall(callId, earlier)?.name;
  };
  return messages.flatMap((message, number) =>
    partsOf(message).map((said) => {
      const commit = chain.add(saidDraft(said, toolOf, authorOf(message.role, number)));
      for (const { id, name } of commit.calls ?? []) called.set(id, [...(called.get(id) ?? []), name]);
      return commit;
    }),
  );
}

/** Returns whether the user says something beside tool results. */
export function isSpoken({ role, content }: Message): boolean {
  return role === "user" && (typeof content === "string" || !content.every(isToolResult));
}

/** Returns the tool result if that is the whole message. */
function resultIn({ message }: Said): ToolResultBlock | undefined {
  if (message.role !== "user" || typeof message.content === "string" || message.content.length !== 1) return undefined;
  const only = message.content[0];
  return only !== undefined && isToolResult(only) ? only : undefined;
}
