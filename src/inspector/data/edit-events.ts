import type { Edit } from "../../edits/edit.ts";
import { firstPlace } from "../../edits/edit-places.ts";
import { isToolResult, isToolUse, blockAt, blocksOf, type Message } from "../../messages/message.ts";
import type { EditEvent, EditsAnswer } from "../answers.ts";
import { gistOf } from "./block-view.ts";
import type { IndexedCall } from "./call-index.ts";
import { titleOfPass } from "./conversation-answer.ts";
import type { StoredConversation } from "./shelf.ts";

/** Returns the events of a conversation, newest first: batches, digests, summaries, recalls and pauses. */
export function editEvents({ log, edits }: StoredConversation, calls: readonly IndexedCall[], from: number, limit: number): EditsAnswer {
  const events = [...madeEvents(log, edits, calls), ...callEvents(calls)].sort((a, b) => b.order - a.order).map(({ order: _, ...event }) => event);
  const undone = edits.filter(({ undoneAt }) => undoneAt !== undefined && undoneAt <= log.length).length;
  const next = from + limit;
  return { events: events.slice(from, next), ...(next < events.length ? { next } : {}), inForce: edits.length - undone, undone };
}

type Ordered = EditEvent & { readonly order: number };

/** Edits made at the same time are one event. All results that were cut on arrival are one event for the whole conversation. */
function madeEvents(log: readonly Message[], edits: readonly Edit[], calls: readonly IndexedCall[]): Ordered[] {
  const sequenceAt = callFinder(calls);
  const becauseAt = new Map(calls.map(({ point }) => [point.sequence, point]));
  const groups = new Map<string, Edit[]>();
  const arrived: Edit[] = [];
  for (const edit of edits) {
    const isUndone = edit.undoneAt !== undefined && edit.undoneAt <= log.length;
    if (!isUndone && isFirstSight(edit)) {
      arrived.push(edit);
      continue;
    }
    const key = `${edit.madeAt}/${edit.pass === "compact" ? "compact" : "policy"}${isUndone ? `/${edit.undoneAt}` : ""}`;
    const there = groups.get(key);
    if (there === undefined) groups.set(key, [edit]);
    else there.push(edit);
  }
  const events = [...groups].map(([key, made]): Ordered => {
    const [first] = made;
    const madeAt = first?.madeAt ?? 0;
    const sequence = sequenceAt(madeAt);
    const point = sequence === undefined ? undefined : becauseAt.get(sequence);
    const isUndone = first?.undoneAt !== undefined && first.undoneAt <= log.length;
    const digests = made.filter(({ pass }) => pass === "digest-rounds").length;
    const isCompaction = first?.pass === "compact";
    const icon: EditEvent["icon"] = isUndone ? "undone" : isCompaction ? "compaction" : digests > 0 ? "digest" : "batch";
    const what = made.length === 1 && first !== undefined ? describe(first, log) : undefined;
    return {
      key,
      ...(sequence === undefined ? {} : { sequence }),
      icon,
      title: isCompaction ? summaryTitle(made) : digests > 0 ? digestTitle(made) : (what ?? `Batch of ${made.length}`),
      tag: isCompaction ? "compact" : digests > 0 ? "digest-rounds" : made.length === 1 ? (first?.pass ?? "") : (point?.because ?? "batch"),
      text: isUndone ? `Undone when the conversation had ${first.undoneAt} messages.` : isCompaction ? summaryText(made) : passText(made, point?.because),
      before: sum(made, "tokensBefore"),
      after: sum(made, "tokensAfter"),
      edits: made.length,
      isUndone,
      order: madeAt * 4 + 1,
    };
  });
  return arrived.length === 0 ? events : [...events, arrivedEvent(arrived, sequenceAt)];
}

/** Says whether a result was cut before the model first saw it: the edit was made as soon as the result was in the log. */
function isFirstSight(edit: Edit): boolean {
  return edit.kind === "replace-result" && edit.madeAt - firstPlace(edit).position <= 1;
}

function arrivedEvent(arrived: readonly Edit[], sequenceAt: (madeAt: number) => number | undefined): Ordered {
  const last = arrived.at(-1);
  const sequence = last === undefined ? undefined : sequenceAt(last.madeAt);
  return {
    key: "arrived",
    ...(sequence === undefined ? {} : { sequence }),
    icon: "batch",
    title: arrived.length === 1 ? "1 result cut when it came in" : `${arrived.length} results cut when they came in`,
    tag: arrived.every(({ pass }) => pass === arrived[0]?.pass) ? (arrived[0]?.pass ?? "") : "first sight",
    text: "Done before anything was cached, so it cost no cache. Errors and your own words are left alone.",
    before: sum(arrived, "tokensBefore"),
    after: sum(arrived, "tokensAfter"),
    edits: arrived.length,
    isUndone: false,
    order: -1,
  };
}

function callEvents(calls: readonly IndexedCall[]): Ordered[] {
  return calls.flatMap(({ point, upTo, recalls }): Ordered[] => {
    const base = { sequence: point.sequence, before: 0, after: 0, edits: 0, isUndone: false };
    const recall: Ordered[] =
      recalls === 0
        ? []
        : [
            {
              ...base,
              key: `recall-${point.sequence}`,
              icon: "recall",
              title: `The agent recalled ${recalls === 1 ? "an original" : `${recalls} originals`}`,
              tag: "recall",
              text: "In a hidden round that the client never saw.",
              order: upTo * 4 + 2,
            },
          ];
    const pause: Ordered[] =
      point.pauseMs === undefined
        ? []
        : [
            {
              ...base,
              key: `pause-${point.sequence}`,
              icon: "pause",
              title: `Pause of ${duration(point.pauseMs)}`,
              tag: "the cache expired",
              text: "The whole request had to be written to the cache again.",
              order: upTo * 4,
            },
          ];
    const fault: Ordered[] = point.marks.includes("fault")
      ? [
          {
            ...base,
            key: `fault-${point.sequence}`,
            icon: "fault",
            title: "Palimpsest failed",
            tag: "fault",
            text: "The call says what failed, and what was sent instead.",
            order: upTo * 4 + 3,
          },
        ]
      : [];
    return [...recall, ...pause, ...fault];
  });
}

/** Finds the call that an edit was made for: the first whose log had at least `madeAt` messages. */
export function callFinder(calls: readonly IndexedCall[]): (madeAt: number) => number | undefined {
  const own = calls.filter(({ point }) => point.kind === "conversation");
  return (madeAt) => {
    let low = 0;
    let high = own.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((own[middle]?.end ?? 0) < madeAt) low = middle + 1;
      else high = middle;
    }
    return own[low]?.point.sequence;
  };
}

function describe(edit: Edit, log: readonly Message[]): string | undefined {
  if (edit.kind !== "replace-result" && edit.kind !== "replace-input") return titleOfPass(edit.pass);
  const block = blockAt(log, edit.at);
  const call = block !== undefined && isToolResult(block) ? callOf(log, edit.at.position, block.tool_use_id) : block;
  return call !== undefined && isToolUse(call) ? `${call.name} ${gistOf(call.input)}`.trim() : titleOfPass(edit.pass);
}

function callOf(log: readonly Message[], before: number, id: string): ReturnType<typeof blocksOf>[number] | undefined {
  for (let position = before - 1; position >= Math.max(0, before - 40); position--) {
    const message = log[position];
    const found = message?.role === "assistant" ? blocksOf(message).find((block) => isToolUse(block) && block.id === id) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function summaryTitle(made: readonly Edit[]): string {
  const ranges = made.flatMap((edit) => (edit.kind === "replace-range" ? [edit.to.position - edit.from.position] : []));
  const messages = ranges.reduce((total, length) => total + length, 0);
  return `Summary over ${messages} ${messages === 1 ? "message" : "messages"}`;
}

function summaryText(made: readonly Edit[]): string {
  const range = made.find((edit) => edit.kind === "replace-range");
  const summary = range?.kind === "replace-range" ? range.summary.replace(/\s+/g, " ").trim() : "";
  return summary === "" ? "The agent took it out." : `The agent wrote it: “${summary.length > 160 ? `${summary.slice(0, 159)}…` : summary}”`;
}

function digestTitle(made: readonly Edit[]): string {
  const rounds = made.reduce((total, edit) => total + (edit.kind === "replace-range" ? Math.ceil((edit.to.position - edit.from.position) / 2) : 0), 0);
  return `Digest of ${rounds} ${rounds === 1 ? "round" : "rounds"}`;
}

function passText(made: readonly Edit[], because: string | undefined): string {
  const counts = new Map<string, number>();
  for (const { pass } of made) counts.set(pass, (counts.get(pass) ?? 0) + 1);
  const [only] = made;
  const what =
    made.length === 1 && only !== undefined
      ? `${only.reason}.`
      : `${[...counts].map(([pass, count]) => `${count} × ${titleOfPass(pass).toLowerCase()}`).join(", ")}.`;
  return because === undefined ? what : `${what} Because: ${because}.`;
}

function sum(made: readonly Edit[], field: "tokensBefore" | "tokensAfter"): number {
  return made.reduce((total, edit) => total + edit[field], 0);
}

export function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1_000)} s`;
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${(minutes / 60).toFixed(1)} h` : `${Math.round(minutes / 1_440)} days`;
}
