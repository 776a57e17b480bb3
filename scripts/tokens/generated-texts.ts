/** Texts that no file after `npm ci` contains: API responses and program logs. */
import type { Random } from "../../bench/threads/random.ts";
import { apiId, BASE62, HEX, randomBase64, randomString, uuid } from "./random-strings.ts";

const NAMES = ["ada.byron", "chidi", "lin-wei", "maria_silva", "noah", "olga.p", "sofia", "yuki"];
const PATHS = ["/", "/login", "/api/v1/orders", "/api/v1/users/me", "/static/app.js", "/search?q=lamp&page=2", "/healthz", "/images/logo@2x.png"];
const AGENTS = ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "curl/8.11.1", "kube-probe/1.33", "python-requests/2.32.3"];
const EVENTS = [
  "request completed",
  "cache miss, loading from database",
  "connection reset by peer",
  "retrying in 500 ms (attempt 2 of 5)",
  "user signed in",
  "slow query detected",
  "payment authorized",
  "worker started",
];
const MODULES = ["http.server", "db.pool", "auth", "billing.worker", "scheduler"];

/** Records as an API returns them: ids, numbers, times and few words. */
export function apiRecords(random: Random, count: number): unknown[] {
  return Array.from({ length: count }, () => ({
    id: apiId(random),
    object: random.pick(["order", "invoice", "event"]),
    account: uuid(random),
    amount: random.integer(100, 999_999),
    rate: Number((random.next() * 2).toFixed(4)),
    position: [random.next() * 180 - 90, random.next() * 360 - 180].map((degrees) => Number(degrees.toFixed(6))),
    created: timestamp(random),
    updated_ms: 1_760_000_000_000 + random.integer(0, 9_999_999_999),
    checksum: randomString(random, HEX, 40),
    live: random.chance(0.5),
    next: null,
    cursor: randomString(random, BASE62, 22),
  }));
}

export function logLines(random: Random, count: number): string {
  const makers: readonly (() => string)[] = [
    () =>
      `${address(random)} - - [14/Mar/2026:${clock(random)} +0000] "GET ${random.pick(PATHS)} HTTP/1.1" ${status(random)} ${random.integer(0, 90_000)} "-" "${random.pick(AGENTS)}"`,
    () =>
      `${timestamp(random)} ${random.pick(["INFO ", "WARN ", "DEBUG", "ERROR"])} [${random.pick(MODULES)}] ${random.pick(EVENTS)} request_id=${uuid(random)} ms=${random.integer(1, 3_000)}`,
    () =>
      `Mar 14 ${clock(random)} node-${random.integer(1, 40)} sshd[${random.integer(800, 32_000)}]: Accepted publickey for ${random.pick(NAMES)} from ${address(random)} port ${random.integer(1_024, 65_535)} ssh2: ED25519 SHA256:${randomBase64(random, 32).slice(0, 43)}`,
    () =>
      JSON.stringify({
        level: random.integer(10, 50),
        time: 1_773_000_000_000 + random.integer(0, 99_999_999),
        pid: random.integer(1, 9_999),
        trace: randomString(random, HEX, 32),
        msg: random.pick(EVENTS),
      }),
    () =>
      `[${clock(random)}.${random.integer(100, 999)}] tx 0x${randomString(random, HEX, 64)} gas=${random.integer(21_000, 900_000)} nonce=${random.integer(0, 500)}`,
  ];
  return Array.from({ length: count }, () => random.pick(makers)()).join("\n");
}

function timestamp(random: Random): string {
  return `2026-${pad(random.integer(1, 12))}-${pad(random.integer(1, 28))}T${clock(random)}.${random.integer(100, 999)}Z`;
}

function clock(random: Random): string {
  return [random.integer(0, 23), random.integer(0, 59), random.integer(0, 59)].map(pad).join(":");
}

function pad(value: number): string {
  return `${value}`.padStart(2, "0");
}

function address(random: Random): string {
  return Array.from({ length: 4 }, () => random.integer(1, 254)).join(".");
}

function status(random: Random): number {
  return random.pick([200, 200, 200, 204, 301, 304, 404, 500, 503]);
}
