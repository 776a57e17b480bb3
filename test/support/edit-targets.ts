import type { Place } from "../../src/messages/place.ts";
import { blocksOf, isPaired, isServerCall, isToolResult, isToolUse, type Block, type Message } from "../../src/messages/message.ts";

/** Borders of a stretch, counted in blocks from the start of the log; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What in a log each kind of edit may touch. */
export interface Targets {
  readonly results: readonly { readonly at: Place; readonly callId: string; readonly isError: boolean }[];
  readonly calls: readonly Place[];
  readonly rounds: readonly { readonly call: number; readonly lastResult: number; readonly span: Span }[];
  readonly strippable: readonly Place[];
  readonly replaceable: readonly Place[];
  /** The place of every block, in order. */
  readonly places: readonly Place[];
  /** Where the end of the log begins, in blocks: the last user turn, with the assistant turn that it answers. */
  readonly endBegins: number;
  /** The border before block n of the log, under each of its names; the last one is after the last block. None inside a system message. */
  readonly borders: readonly (readonly Place[])[];
}

interface Item {
  readonly at: Place;
  readonly role: Message["role"];
  readonly entry: Block;
}

/** Blocks that belong where they are (A3.4, A5). */
const FIXED: ReadonlySet<string> = new Set(["fallback", "compaction", "mcp_tool_listing"]);
const REPLACEABLE: ReadonlySet<string> = new Set(["text", "image", "document", "tool_use"]);

export function targetsIn(log: readonly Message[]): Targets {
  const items = log.flatMap((message, position) => blocksOf(message).map((entry, block): Item => ({ at: { position, block }, role: message.role, entry })));
  const spoken = items.filter(({ role }) => role !== "system");
  const provided = providedIn(items);
  // Neighbouring messages of the assistant are one turn (A1.3): a call waits beside a provider-run one in any of them.
  const turnOf = (position: number): number => log.findLastIndex(({ role }, before) => before <= position && role !== "assistant");
  const turns = new Set([...provided].map(turnOf));
  const isProvided = (position: number): boolean => provided.size > 0 && turns.has(turnOf(position));
  return {
    results: items.flatMap(({ at, role, entry }) =>
      role === "user" && isToolResult(entry) ? [{ at, callId: entry.tool_use_id, isError: entry.is_error === true }] : [],
    ),
    calls: items.filter(({ role, entry }) => role === "assistant" && isToolUse(entry)).map(({ at }) => at),
    rounds: roundsIn(items, provided),
    strippable: spoken.filter(({ entry }) => !isPaired(entry) && !FIXED.has(entry.type)).map(({ at }) => at),
    replaceable: spoken.filter(({ at, entry }) => REPLACEABLE.has(entry.type) && !(isToolUse(entry) && isProvided(at.position))).map(({ at }) => at),
    places: items.map(({ at }) => at),
    endBegins: endOf(items),
    borders: bordersIn(log),
  };
}

/** Messages with a tool that the provider runs, or a call that one made. */
function providedIn(items: readonly Item[]): ReadonlySet<number> {
  return new Set(items.filter(({ entry }) => isServerCall(entry) || "caller" in entry).map(({ at }) => at.position));
}

/** Assistant messages whose calls are all answered and which hold neither a provider-run tool nor a call that one made; a result belongs to the nearest earlier open call with its id. */
function roundsIn(items: readonly Item[], provided: ReadonlySet<number>): Targets["rounds"] {
  const open = new Map<string, number[]>();
  const answeredBy = new Map<number, number>();
  items.forEach(({ role, entry }, index) => {
    if (role === "assistant" && isToolUse(entry)) open.set(entry.id, [...(open.get(entry.id) ?? []), index]);
    if (role === "user" && isToolResult(entry)) {
      const call = open.get(entry.tool_use_id)?.pop();
      if (call !== undefined) answeredBy.set(call, index);
    }
  });
  const byMessage = Map.groupBy(
    items.flatMap(({ role, entry }, index) => (role === "assistant" && isToolUse(entry) ? [index] : [])),
    (index) => items[index]?.at.position ?? -1,
  );
  return [...byMessage].flatMap(([call, indexes]) => {
    if (provided.has(call)) return [];
    const answers = indexes.map((index) => answeredBy.get(index) ?? -1);
    if (answers.includes(-1)) return [];
    const last = Math.max(...answers);
    return [{ call, lastResult: items[last]?.at.position ?? -1, span: { start: Math.min(...indexes), end: last + 1 } }];
  });
}

function endOf(items: readonly Item[]): number {
  const spoken = items.map(({ role, entry }, index) => ({ role, entry, index })).filter(({ role }) => role !== "system");
  const turnBefore = (end: number, role: Message["role"]): number => spoken.findLastIndex((item, index) => index < end && item.role !== role) + 1;
  const user = turnBefore(spoken.length, "user");
  const answers = spoken.slice(user).some(({ entry }) => isToolResult(entry));
  const start = answers || user === spoken.length ? turnBefore(user, "assistant") : user;
  return spoken[start]?.index ?? 0;
}

function bordersIn(log: readonly Message[]): Place[][] {
  const borders: Place[][] = [[]];
  log.forEach((message, position) => {
    const count = blocksOf(message).length;
    for (let block = 0; block <= count; block += 1) {
      // Before and after a message without blocks are two borders, though no block lies between them: one of them will do.
      const doubled = block === 0 && log[position - 1]?.content.length === 0;
      if (!doubled && (message.role !== "system" || block === 0 || block === count)) borders.at(-1)?.push({ position, block });
      if (block < count) borders.push([]);
    }
  });
  if (log.at(-1)?.content.length !== 0) borders.at(-1)?.push({ position: log.length, block: 0 });
  return borders;
}
