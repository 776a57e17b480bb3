import type { ConversationAbout } from "../../agent/calls/conversation-about.ts";
import type { ConversationRef, ConversationRow, ConversationsAnswer, TotalsAnswer } from "../answers.ts";
import { refusal } from "../http/refusal.ts";
import type { Shelf } from "./shelf.ts";
import { keyOf, type AboutCursor } from "./shelf.ts";

export interface Filters {
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly project: string | undefined;
  /** "live": active in the last minutes; "faults": Palimpsest failed in one of its calls. */
  readonly state: "live" | "faults" | undefined;
  readonly sinceMs: number | undefined;
  /** A part of the title. */
  readonly title: string | undefined;
}

/** Totals count at most this many conversations. */
const MOST_COUNTED = 5_000;
/** One page reads at most this many conversations, however few match the filters. */
const MOST_READ = 1_000;
const PAGE = 100;
const LIVE_MS = 2 * 60_000;

export interface Library {
  /** Returns the real conversations, or the demo's while there are none. */
  shelf(): Promise<Shelf>;
  /** Returns the shelf that has this conversation. Throws a refusal for the page if none has it. */
  find(ref: ConversationRef): Promise<{ readonly shelf: Shelf; readonly about: ConversationAbout }>;
}

/** `makeDemo`: undefined if an empty store is shown as empty. */
export function createLibrary(real: Shelf | undefined, makeDemo: (() => Promise<Shelf>) | undefined): Library {
  let hasReal = false;
  let made: Promise<Shelf> | undefined;
  const demo = (): Promise<Shelf> | undefined => (made ??= makeDemo?.());
  const isEmpty = async (): Promise<boolean> => {
    // Once there was a real conversation, the demo does not come back, even if it is forgotten.
    if (!hasReal && real !== undefined) hasReal = !(await real.isEmpty());
    return !hasReal;
  };
  return {
    shelf: async () => {
      const shown = (await isEmpty()) ? ((await demo()) ?? real) : real;
      if (shown === undefined) throw refusal(404, "NO_STORE", "There is nothing to show.", "Start it with a store or a session file.");
      return shown;
    },
    find: async (ref) => {
      const found = await real?.about(ref);
      if (found !== undefined && real !== undefined) return { shelf: real, about: found };
      // An open page of the demo keeps working after the list shows real conversations.
      const shelf = made === undefined && hasReal ? undefined : await demo();
      const about = await shelf?.about(ref);
      if (about !== undefined && shelf !== undefined) return { shelf, about };
      throw refusal(
        404,
        "CONVERSATION_UNKNOWN",
        `There is no conversation ${ref.thread}${ref.branch === "main" ? "" : `, branch ${ref.branch}`}, in this store (${real?.store.name ?? "the demo"}).`,
        "It may have been forgotten, or be in another store: palimpsest ui <store> opens one.",
      );
    },
  };
}

export async function listConversations(
  shelf: Shelf,
  filters: Filters,
  after: AboutCursor | undefined,
  limit: number,
  nowMs: number,
): Promise<ConversationsAnswer> {
  const rows = new Map<string, ConversationRow>();
  let cursor = after;
  let read = 0;
  let isDone = false;
  while (!isDone && rows.size < limit && read < MOST_READ) {
    const page = await shelf.abouts(PAGE, cursor);
    isDone = page.length < PAGE;
    for (const one of page) {
      if (rows.size >= limit) {
        isDone = false;
        break;
      }
      read++;
      ({ cursor } = one);
      if (filters.sinceMs !== undefined && one.about.lastMs < filters.sinceMs) {
        isDone = true;
        break;
      }
      if (isWanted(one.about, filters, nowMs)) rows.set(keyOf(one.about), await shelf.row(one.about));
    }
  }
  await addParents(shelf, rows);
  const next = isDone || cursor === undefined ? undefined : encodeCursor(cursor);
  return { conversations: [...rows.values()], ...(next === undefined ? {} : { next }) };
}

/** Adds missing parents, so that the page can draw a tree. */
async function addParents(shelf: Shelf, rows: Map<string, ConversationRow>): Promise<void> {
  const waiting = [...rows.values()];
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    const { parent } = row;
    if (parent === undefined || rows.has(keyOf(parent))) continue;
    const about = await shelf.about(parent);
    if (about === undefined) continue;
    const added = await shelf.row(about);
    rows.set(keyOf(parent), added);
    waiting.push(added);
  }
}

export async function countTotals(shelf: Shelf, filters: Filters, nowMs: number): Promise<TotalsAnswer> {
  const totals = { conversations: 0, calls: 0, dollars: 0, fullDollars: 0 };
  const [agents, models, projects] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let cursor: AboutCursor | undefined;
  let read = 0;
  let isDone = false;
  while (!isDone && read < MOST_COUNTED) {
    const page = await shelf.abouts(MOST_READ, cursor);
    isDone = page.length < MOST_READ;
    read += page.length;
    for (const { about, cursor: at } of page) {
      cursor = at;
      if (filters.sinceMs !== undefined && about.lastMs < filters.sinceMs) {
        isDone = true;
        break;
      }
      const { client, model, total } = about;
      if (client.agent !== undefined) agents.add(client.agent);
      if (model !== undefined) models.add(model);
      if (client.project !== undefined) projects.add(client.project);
      if (!isWanted(about, filters, nowMs)) continue;
      if (about.parent === undefined || about.parentKind === "compacted") totals.conversations++;
      totals.calls += total.calls;
      totals.dollars += total.dollars;
      totals.fullDollars += total.fullDollars;
    }
  }
  return { ...totals, isPartial: !isDone, agents: sorted(agents), models: sorted(models), projects: sorted(projects) };
}

function sorted(names: ReadonlySet<string>): string[] {
  return [...names].sort().slice(0, 100);
}

function isWanted(about: ConversationAbout, { agent, model, project, state, title }: Filters, nowMs: number): boolean {
  return (
    (agent === undefined || about.client.agent === agent) &&
    (model === undefined || about.model === model) &&
    (project === undefined || about.client.project === project) &&
    (state !== "live" || nowMs - about.lastMs < LIVE_MS) &&
    (state !== "faults" || about.faults > 0) &&
    (title === undefined || about.title.toLowerCase().includes(title.toLowerCase()))
  );
}

export function encodeCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Returns undefined for a cursor that is not ours. */
export function decodeCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
