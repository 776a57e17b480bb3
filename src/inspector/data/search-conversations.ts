import { queryWords } from "../../history/search-text.ts";
import type { Block } from "../../messages/message.ts";
import { blockAt, isToolResult, isToolUse } from "../../messages/message.ts";
import type { StoredCommit } from "../../store/store.ts";
import type { Hit, SearchAnswer } from "../answers.ts";
import { gistOf, safeSlice, textOfBlock } from "./block-view.ts";
import { callFinder } from "./edit-events.ts";
import { titleOfPass } from "./conversation-answer.ts";
import { editsAt } from "./aligned-rows.ts";
import { encodeCursor } from "./library.ts";
import type { AboutCursor, Shelf, StoredConversation } from "./shelf.ts";
import type { ConversationAbout } from "../../agent/calls/conversation-about.ts";
import { parseAndArrange } from "../../edits/render.ts";
import type { Edit } from "../../edits/edit.ts";

/** Where a page of hits ended: after a conversation, or after a commit in one. */
export interface SearchCursor {
  readonly about?: AboutCursor;
  readonly below?: number;
}

const AROUND_CHARS = 90;
const MOST_MS = 600;
const MOST_CONVERSATIONS = 200;
/** Most hits of one conversation on a page, so that others are not crowded out. */
const MOST_OF_ONE = 12;

/** Searches all messages, shortened or not. The last word may be a prefix. Stops after a while and returns a cursor to go on from. */
export async function searchConversations(shelf: Shelf, text: string, after: SearchCursor, limit: number): Promise<SearchAnswer> {
  const words = queryWords(text.endsWith(" ") || text.endsWith("*") ? text : `${text}*`);
  if (words.length === 0) return { hits: [], searched: 0 };
  const until = Date.now() + MOST_MS;
  const hits: Hit[] = [];
  let cursor = after.about;
  let below = after.below;
  let searched = 0;
  for (;;) {
    const page = await shelf.abouts(20, cursor);
    if (page.length === 0) return { hits, searched };
    for (const { about, cursor: at } of page) {
      searched++;
      const wanted = Math.min(MOST_OF_ONE, limit - hits.length);
      const commits = await shelf.store.commits(about, {
        words,
        kind: "append",
        newestFirst: true,
        limit: wanted + 1,
        ...(below === undefined ? {} : { to: below }),
      });
      below = undefined;
      if (commits.length > 0) hits.push(...(await hitsIn(shelf, about, commits.slice(0, wanted), words)));
      const last = commits[wanted - 1];
      if (commits.length > wanted && last !== undefined) {
        return { hits, searched, next: encodeCursor({ ...(cursor === undefined ? {} : { about: cursor }), below: last.sequence }) };
      }
      cursor = at;
      if (hits.length >= limit || searched >= MOST_CONVERSATIONS || Date.now() > until) return { hits, searched, next: encodeCursor({ about: cursor }) };
    }
  }
}

async function hitsIn(shelf: Shelf, about: ConversationAbout, commits: readonly StoredCommit[], words: readonly string[]): Promise<Hit[]> {
  const stored = await shelf.conversation(about);
  const calls = await shelf.calls(about);
  const find = callFinder(calls);
  const stateOf = statesOf(stored);
  return commits.flatMap(({ hash }) => {
    const unit = stored.state.unitOf(hash);
    if (unit === undefined) return [];
    const { log } = stored;
    for (let block = unit.from; block < unit.to; block++) {
      const found = blockAt(log, { position: unit.position, block });
      if (found === undefined) continue;
      const around = snippet(searchedTextOf(found), words);
      if (around === undefined) continue;
      const edit = stateOf(unit.position, block);
      // The first call after the message was the first to send it.
      const sequence = find(unit.position + 1);
      return [
        {
          thread: about.thread,
          branch: about.branch,
          title: about.title,
          ...(sequence === undefined ? {} : { sequence }),
          place: `${unit.position}.${block}`,
          who: whoSays(found, log[unit.position]?.role ?? "user", log, unit.position),
          ...around,
          state: edit === undefined ? "sent" : stateInWords(edit),
          isShortened: edit !== undefined,
        },
      ];
    }
    return [];
  });
}

/** Returns a lookup of the edit that changes a block now. */
function statesOf({ log, edits }: StoredConversation): (position: number, block: number) => Edit | undefined {
  const inForce = editsAt(edits, log.length).filter(({ undoneAt }) => undoneAt === undefined);
  const byPlace = new Map<string, Edit>();
  for (const edit of inForce)
    for (const at of edit.kind === "strip-blocks" ? edit.at : "at" in edit ? [edit.at] : []) byPlace.set(`${at.position}.${at.block}`, edit);
  const byId = new Map(inForce.map((edit) => [edit.id, edit]));
  let shown: ReadonlySet<number> | undefined;
  let editAt: ((position: number) => unknown) | undefined;
  return (position, block) => {
    if (shown === undefined) {
      const view = parseAndArrange(log.slice(), inForce, { seenFrom: 0 });
      shown = new Set(view.positions);
      ({ editAt } = view);
    }
    if (shown.has(position)) return byPlace.get(`${position}.${block}`);
    const edit = editAt?.(position) as { readonly id?: string } | undefined;
    return byId.get(edit?.id ?? "");
  };
}

function stateInWords(edit: Edit): string {
  if (edit.pass === "digest-rounds") return "in the digest";
  if (edit.pass === "compact") return "in a summary";
  return edit.kind === "replace-range" || edit.kind === "collapse-round" ? "left out" : titleOfPass(edit.pass).toLowerCase();
}

function whoSays(block: Block, role: string, log: StoredConversation["log"], position: number): string {
  if (isToolUse(block)) return `${block.name} ${gistOf(block.input)}`.trim();
  if (!isToolResult(block)) return role;
  for (let at = position - 1; at >= Math.max(0, position - 40); at--) {
    const { content = [] } = log[at] ?? {};
    const call = typeof content === "string" ? undefined : content.find((one) => isToolUse(one) && one.id === block.tool_use_id);
    if (call !== undefined && isToolUse(call)) return `${call.name} ${gistOf(call.input)}`.trim();
  }
  return "result";
}

function searchedTextOf(block: Block): string {
  return textOfBlock(block);
}

/** Returns the text around the first occurrence of the first word that is found literally. */
function snippet(text: string, words: readonly string[]): Pick<Hit, "before" | "match" | "after"> | undefined {
  for (const word of words) {
    const wanted = word.replace(/\*$/, "");
    const at = indexIgnoringCase(text, wanted);
    if (at === -1) continue;
    const end = at + wanted.length;
    const from = Math.max(0, text.lastIndexOf("\n", at - 1) + 1, at - AROUND_CHARS);
    const lineEnd = text.indexOf("\n", end);
    const to = Math.min(lineEnd === -1 ? text.length : lineEnd, end + AROUND_CHARS);
    return { before: safeSlice(text, from, at).trimStart(), match: text.slice(at, end), after: safeSlice(text, end, to).trimEnd() };
  }
  return undefined;
}

function indexIgnoringCase(text: string, word: string): number {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(escaped, "iu").exec(text)?.index ?? -1;
}
