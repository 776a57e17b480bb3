import type { ConversationAbout } from "../../agent/calls/conversation-about.ts";
import type { Edit } from "../../edits/edit.ts";
import { modelInfo } from "../../pricing/model-info.ts";
import type { ConversationAnswer, ConversationRef, ConversationRow, Part } from "../answers.ts";
import type { IndexedCall } from "./call-index.ts";
import { editsAt } from "./aligned-rows.ts";
import { keyOf, type Shelf, type StoredConversation } from "./shelf.ts";

const MOST_CHILDREN = 60;
/** Sub-agents are searched for among at most this many of the newest conversations. */
const MOST_LOOKED_AT = 2_000;

export async function conversationAnswer(
  shelf: Shelf,
  about: ConversationAbout,
  calls: readonly IndexedCall[],
  stored: StoredConversation,
): Promise<ConversationAnswer> {
  const conversation = await shelf.row(about);
  const parent = about.parent === undefined ? undefined : await shelf.about(about.parent);
  const { log, edits } = stored;
  const undone = edits.filter(({ undoneAt }) => undoneAt !== undefined && undoneAt <= log.length).length;
  return {
    conversation,
    ...(parent === undefined ? {} : { parent: await shelf.row(parent) }),
    children: await childrenOf(shelf, about),
    firstSequence: calls[0]?.point.sequence ?? 0,
    lastSequence: calls.at(-1)?.point.sequence ?? 0,
    cost: costOf(about, calls),
    saved: savedOf(about, calls),
    leftOut: leftOutOf(about, calls, edits, log.length),
    edits: { inForce: edits.length - undone, undone },
  };
}

async function childrenOf(shelf: Shelf, ref: ConversationRef & { readonly beganMs: number }): Promise<readonly ConversationRow[]> {
  const key = keyOf(ref);
  const found: ConversationRow[] = [];
  let cursor: Parameters<Shelf["abouts"]>[1];
  for (let read = 0; read < MOST_LOOKED_AT && found.length < MOST_CHILDREN;) {
    const page = await shelf.abouts(200, cursor);
    for (const { about, cursor: at } of page) {
      cursor = at;
      if (about.parent !== undefined && keyOf(about.parent) === key) found.push(await shelf.row(about));
    }
    read += page.length;
    // A child cannot have ended before its parent began.
    if (page.length < 200 || (page.at(-1)?.about.lastMs ?? 0) < ref.beganMs) break;
  }
  return found.sort((a, b) => a.beganMs - b.beganMs);
}

/** The parts add up to the bill: what today's prices do not explain is a separate part. */
function costOf({ total }: ConversationAbout, calls: readonly IndexedCall[]): ConversationAnswer["cost"] {
  const sums = { read: 0, written: 0, uncached: 0, output: 0 };
  for (const { point } of calls) {
    if (point.model === undefined || point.model.trim() === "") continue;
    const { prices, cache } = modelInfo(point.model, { onWarning: () => undefined });
    const write = cache.kind === "prefix" ? prices.input : (prices.cacheWrite[cache.defaultTtl] ?? prices.input);
    sums.read += (point.read * prices.cacheRead) / 1e6;
    sums.written += (point.written * write) / 1e6;
    sums.uncached += (point.uncached * prices.input) / 1e6;
    sums.output += (point.output * prices.output) / 1e6;
  }
  const known = sums.read + sums.written + sums.uncached + sums.output;
  const rest = total.dollars - known;
  const parts: Part[] = [
    { label: `Read from cache, ${short(total.cacheReadTokens)} tokens`, value: sums.read },
    { label: `Written to cache, ${short(total.cacheWriteTokens)}`, value: sums.written },
    { label: `Uncached, ${short(total.inputTokens)}`, value: sums.uncached },
    { label: `Output, ${short(total.outputTokens)}`, value: sums.output },
  ];
  if (Math.abs(rest) >= 0.005) parts.push({ label: "Hidden rounds, and other prices", value: rest });
  return { parts, sum: total.dollars };
}

function savedOf({ total, model }: ConversationAbout, calls: readonly IndexedCall[]): ConversationAnswer["saved"] {
  const rewritten = calls.filter(({ rewrittenTokens }) => rewrittenTokens > 0);
  const recalled = calls.filter(({ recalls }) => recalls > 0);
  const rewriteDollars = rewritten.reduce((sum, { rewrittenTokens }) => sum + (rewrittenTokens * rewritePrice(model)) / 1e6, 0);
  const recallDollars = recalled.reduce((sum, { hiddenDollars }) => sum + hiddenDollars, 0);
  const fewer = total.dollars - total.fullDollars - rewriteDollars - recallDollars;
  return {
    parts: [
      { label: "Without Palimpsest", value: total.fullDollars },
      { label: fewer <= 0 ? "Fewer tokens sent" : "More tokens sent", value: fewer },
      { label: "Cache written again", value: rewriteDollars },
      { label: `Recalls, ${recalled.length} hidden ${recalled.length === 1 ? "round" : "rounds"}`, value: recallDollars },
    ],
    rewrites: rewritten.length,
    rewriteDollars,
    recalls: recalled.reduce((sum, { recalls }) => sum + recalls, 0),
    recallDollars,
  };
}

/** Returns what rewriting a token costs, beyond reading it. */
function rewritePrice(model: string | undefined): number {
  if (model === undefined || model.trim() === "") return 0;
  const { prices, cache } = modelInfo(model, { onWarning: () => undefined });
  return (cache.kind === "prefix" ? prices.input : (prices.cacheWrite[cache.defaultTtl] ?? prices.input)) - prices.cacheRead;
}

function leftOutOf(
  { fullTokens, sentTokens }: ConversationAbout,
  calls: readonly IndexedCall[],
  edits: readonly Edit[],
  length: number,
): ConversationAnswer["leftOut"] {
  const sum = fullTokens - sentTokens;
  const last = calls.findLast(({ point }) => point.kind === "conversation");
  const inForce = editsAt(edits, last?.upTo ?? length).filter(({ undoneAt }) => undoneAt === undefined);
  const byPass = new Map<string, { tokens: number; edits: number }>();
  for (const { pass, tokensBefore, tokensAfter } of inForce) {
    const group = byPass.get(pass) ?? { tokens: 0, edits: 0 };
    group.tokens += tokensBefore - tokensAfter;
    group.edits++;
    byPass.set(pass, group);
  }
  const groups = [...byPass].sort(([, a], [, b]) => b.tokens - a.tokens);
  // Edits inside a digest count twice, and estimates differ from the bill: the difference is a part of its own.
  const counted = groups.reduce((total, [, { tokens }]) => total + tokens, 0);
  const scale = counted > 0 && sum > 0 ? sum / counted : 0;
  const parts = groups.slice(0, 6).map(([pass, { tokens, edits: count }]): Part => ({
    label: `${titleOfPass(pass)}, ${count} ${count === 1 ? "edit" : "edits"}`,
    value: Math.round(tokens * scale),
  }));
  const rest = sum - parts.reduce((total, { value }) => total + value, 0);
  if (parts.length > 0 && Math.abs(rest) > 1) parts.push({ label: "Others", value: rest });
  return { parts, sum, mostly: groups.slice(0, 2).map(([pass]) => titleOfPass(pass).toLowerCase()) };
}

const PASS_TITLES: Readonly<Record<string, string>> = {
  "digest-rounds": "Digests of old rounds",
  "keep-telling-lines": "Results cut to their telling lines",
  "shorten-inputs": "Long inputs of calls",
  "drop-superseded": "Results that were read again later",
  "age-images": "Old pictures",
  compact: "Summaries by the agent",
  "cap-results": "Results over a limit",
  "truncate-old-results": "Old results, cut",
  "strip-volatile": "Reminders and old thinking",
  "stale-thinking": "Thinking that is no longer valid",
  "tidy-results": "Results written shorter, nothing lost",
  "stub-results": "Results cut to one line",
  "collapse-rounds": "Rounds cut to one line",
  "prune-turns": "Old turns",
  "drop-rounds": "Old rounds",
};

/** Returns the title of a pass for readers who do not know the passes. */
export function titleOfPass(pass: string): string {
  return PASS_TITLES[pass] ?? pass;
}

function short(tokens: number): string {
  if (tokens >= 1e6) return `${(tokens / 1e6).toFixed(1)}M`;
  if (tokens >= 99_950) return `${Math.round(tokens / 1e3)}k`;
  return tokens >= 1_000 ? `${(tokens / 1e3).toFixed(1)}k` : String(tokens);
}
