import { createHash } from "node:crypto";
import { invalid } from "../../errors/palimpsest-error.ts";

const LINES = 300;

/** Returns the key of a page: random-looking, but always the same. */
export function readerKey(page: number): string {
  parsePage(page);
  return createHash("sha256").update(`key of page ${page}`).digest("hex").slice(0, 8);
}

/** Returns the tool's result for a page: about 300 lines of a log, with the page's key once, in the last third. */
export function readerPage(page: number): string {
  parsePage(page);
  const random = createRandom(page);
  const lines = Array.from({ length: LINES }, (_, line) => logLine(page, line, random));
  const place = Math.floor((LINES * 2) / 3 + random() * (LINES / 3));
  lines.splice(place, 0, `${readerQuestion(page)}: ${readerKey(page)}`);
  return lines.join("\n");
}

function parsePage(page: unknown): void {
  if (!Number.isSafeInteger(page)) throw invalid("INVALID_INPUT", "page", "the number of a page", page);
}

/** Returns the text before a key, by which the key is searched for. */
export function readerQuestion(page: number): string {
  return `vault key of page ${page}`;
}

const SERVICES = ["ingest", "billing", "search", "mailer", "scheduler", "gateway", "exports", "audit"];
const LEVELS = ["INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARN", "ERROR"];
const EVENTS = [
  "accepted a batch of {n} rows from shard {m}",
  "retrying upstream call after {n} ms (attempt {m})",
  "cache miss for tenant {n}, loaded {m} entries",
  "connection pool at {m} of 64, oldest idle {n} s",
  "finished job {n} in {m} ms",
  "slow query took {n} ms on replica {m}",
  "rotated the signing certificate of tenant {n}",
  "dropped {m} duplicate events for order {n}",
];

function logLine(page: number, line: number, random: () => number): string {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
  const seconds = page * 3600 + line * 11;
  const time = new Date(Date.UTC(2026, 9, 1) + seconds * 1000).toISOString();
  const event = pick(EVENTS)
    .replace("{n}", String(Math.floor(random() * 90_000) + 1000))
    .replace("{m}", String(Math.floor(random() * 60) + 1));
  return `${time} ${pick(LEVELS)} ${pick(SERVICES)}[${Math.floor(random() * 9000) + 1000}]: ${event}`;
}

/** Mulberry32: returns the same numbers for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
