import fc from "fast-check";
import type { Block, Message, ToolResultBlock, ToolUseBlock } from "../../src/messages/message.ts";
import { block, text, think } from "./build.ts";

export type BreakageKind =
  | "orphanResult"
  | "dropResult"
  | "dropCall"
  | "duplicateResult"
  | "repeatedId"
  | "repeatedRound"
  | "farResult"
  | "textBeforeResult"
  | "emptyText"
  | "emptyMessage"
  | "leadingAssistant"
  | "misplacedSystem"
  | "thinkingLast"
  | "thinkingNotFirst"
  | "dropMessage"
  | "swappedMessages"
  | "cutHead"
  | "dropServerBlock"
  | "badId"
  | "inputNoObject"
  | "errorWithoutText"
  | "manyMarkers";

/** One fault put into a transcript; `pick` and `other` choose where, whatever its size. */
export interface Breakage {
  readonly kind: BreakageKind;
  readonly pick: number;
  readonly other: number;
}

interface Found<B extends Block> {
  readonly position: number;
  readonly index: number;
  readonly entry: B;
}

/** Each takes a transcript and gives one with a fault, or the same one where there is nothing to break. */
const BREAK: Readonly<Record<BreakageKind, (messages: readonly Message[], where: Breakage) => readonly Message[]>> = {
  orphanResult: (messages, { pick, other }) =>
    insertMessage(messages, pick, { role: "user", content: [block("tool_result", { tool_use_id: someId(messages, other), content: "orphan" })] }),
  dropResult: (messages, { pick }) => edit(messages, at(results(messages), pick), () => []),
  dropCall: (messages, { pick }) => edit(messages, at(calls(messages), pick), () => []),
  duplicateResult: (messages, { pick }) => edit(messages, at(results(messages), pick), (entry) => [entry, { ...entry }]),
  /** Two complete rounds with one id. */
  repeatedId: (messages, { pick, other }) => rename(messages, at(calls(messages), pick), at(calls(messages), other)),
  repeatedRound: (messages, { pick, other }) => {
    const round = at(calls(messages), pick);
    if (round === undefined) return messages;
    return insertAll(messages, other, messages.slice(round.position, round.position + 2));
  },
  farResult: (messages, { pick, other }) => {
    const moved = at(results(messages), pick);
    if (moved === undefined) return messages;
    return appendBlock(
      edit(messages, moved, () => []),
      other,
      "user",
      moved.entry,
    );
  },
  textBeforeResult: (messages, { pick }) => edit(messages, at(results(messages), pick), (entry) => [text("before the result"), entry]),
  emptyText: (messages, { pick, other }) => appendBlock(messages, pick, other % 2 === 0 ? "user" : "assistant", text(["", " ", "\n\t"][other % 3] ?? "")),
  emptyMessage: (messages, { pick, other }) =>
    insertMessage(messages, pick, { role: other % 2 === 0 ? "user" : "assistant", content: other % 3 === 0 ? "" : [] }),
  leadingAssistant: (messages, { other }) => (other % 2 === 0 ? [{ role: "assistant", content: "I begin." }, ...messages] : messages.slice(1)),
  misplacedSystem: (messages, { pick, other }) =>
    insertMessage(messages, pick, { role: "system", content: other % 5 === 0 ? [block("image", {})] : "A note." }),
  thinkingLast: (messages, { pick }) => appendBlock(messages, pick, "assistant", think(`sigx${pick}`, "late")),
  thinkingNotFirst: (messages, { pick }) => edit(messages, at(calls(messages), pick), (entry) => [text("first"), think(`sigx${pick}`, "late"), entry]),
  dropMessage: (messages, { pick }) => messages.filter((_, index) => index !== pick % messages.length),
  swappedMessages: (messages, { pick }) => {
    const index = pick % messages.length;
    return [...messages.slice(0, index), ...messages.slice(index, index + 2).toReversed(), ...messages.slice(index + 2)];
  },
  cutHead: (messages, { pick }) => messages.slice(pick % messages.length),
  dropServerBlock: (messages, { pick }) => edit(messages, at(found(messages, isServerBlock), pick), () => []),
  badId: (messages, { pick, other }) => {
    const call = at(calls(messages), pick);
    return call === undefined ? messages : renameTo(messages, call, ["bad id!", "", "ünï"][other % 3] ?? "");
  },
  inputNoObject: (messages, { pick }) => edit(messages, at(calls(messages), pick), (entry) => [{ ...entry, ...{ input: "text" } }]),
  errorWithoutText: (messages, { pick, other }) =>
    edit(messages, at(results(messages), pick), (entry) => [
      { ...entry, ...{ is_error: true, content: other % 2 === 0 ? "" : [block("image", { source: {} })] } },
    ]),
  manyMarkers: (messages) => messages.map((message) => (typeof message.content === "string" ? message : { ...message, content: message.content.map(marked) })),
};

export const BREAKAGE_KINDS: readonly BreakageKind[] = Object.keys(BREAK) as BreakageKind[];

const place: fc.Arbitrary<number> = fc.nat({ max: 9999 });

export const breakages: fc.Arbitrary<Breakage[]> = fc.array(fc.record({ kind: fc.constantFrom(...BREAKAGE_KINDS), pick: place, other: place }), {
  maxLength: 4,
});

/** Never gives an empty list: a request without messages is not a history. */
export function breakTranscript(messages: readonly Message[], list: readonly Breakage[]): Message[] {
  return list.reduce<Message[]>(
    (changed, breakage) => {
      const broken = BREAK[breakage.kind](changed, breakage);
      return broken.length === 0 ? changed : [...broken];
    },
    [...messages],
  );
}

function found<B extends Block>(messages: readonly Message[], is: (entry: Block) => entry is B): Found<B>[] {
  return messages.flatMap((message, position) => {
    if (typeof message.content === "string") return [];
    return message.content.flatMap((entry, index) => (is(entry) ? [{ position, index, entry }] : []));
  });
}

function calls(messages: readonly Message[]): Found<ToolUseBlock>[] {
  return found(messages, (entry): entry is ToolUseBlock => entry.type === "tool_use");
}

function results(messages: readonly Message[]): Found<ToolResultBlock>[] {
  return found(messages, (entry): entry is ToolResultBlock => entry.type === "tool_result");
}

function isServerBlock(entry: Block): entry is Block {
  return entry.type === "server_tool_use" || entry.type === "mcp_tool_use" || (entry.type.endsWith("_tool_result") && entry.type !== "tool_result");
}

function at<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(1, list.length)];
}

function someId(messages: readonly Message[], other: number): string {
  const call = other % 2 === 0 ? at(calls(messages), other) : undefined;
  return call?.entry.id ?? `orphan_${other}`;
}

/** Puts other blocks in the place of one; a message left without any goes. */
function edit<B extends Block>(messages: readonly Message[], target: Found<B> | undefined, blocks: (entry: B) => readonly Block[]): readonly Message[] {
  if (target === undefined) return messages;
  return messages.flatMap((message, position) => {
    if (position !== target.position || typeof message.content === "string") return [message];
    const content = [...message.content.slice(0, target.index), ...blocks(target.entry), ...message.content.slice(target.index + 1)];
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

function insertAll(messages: readonly Message[], pick: number, added: readonly Message[]): readonly Message[] {
  const index = pick % (messages.length + 1);
  return [...messages.slice(0, index), ...added, ...messages.slice(index)];
}

function insertMessage(messages: readonly Message[], pick: number, message: Message): readonly Message[] {
  return insertAll(messages, pick, [message]);
}

function appendBlock(messages: readonly Message[], pick: number, role: Message["role"], added: Block): readonly Message[] {
  const target = at(
    messages.flatMap((message, position) => (message.role === role ? [position] : [])),
    pick,
  );
  return messages.map((message, position) => {
    if (position !== target) return message;
    const content = typeof message.content === "string" ? [text(message.content)] : message.content;
    return { ...message, content: [...content, added] };
  });
}

function rename(messages: readonly Message[], call: Found<ToolUseBlock> | undefined, like: Found<ToolUseBlock> | undefined): readonly Message[] {
  return call === undefined || like === undefined ? messages : renameTo(messages, call, like.entry.id);
}

/** The call and the next result that answers it. */
function renameTo(messages: readonly Message[], call: Found<ToolUseBlock>, id: string): readonly Message[] {
  const answer = results(messages).find((result) => result.position > call.position && result.entry.tool_use_id === call.entry.id);
  const renamed = edit(messages, call, (entry) => [{ ...entry, id } as Block]);
  return edit(renamed, answer, (entry) => [{ ...entry, tool_use_id: id } as Block]);
}

function marked(entry: Block): Block {
  return { ...entry, ...{ cache_control: { type: "ephemeral" } } };
}
