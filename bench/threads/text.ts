import type { Random } from "./random.ts";

const LINES: readonly string[] = [
  "import { readFile } from 'node:fs/promises';",
  "  const result = await client.query(sql, [id, limit]);",
  "src/server/routes/session.ts:214:17 - error TS2345: Argument of type 'string | undefined' is not assignable",
  "2026-03-14T09:26:53.589Z INFO  http request completed method=GET path=/v1/items status=200 ms=12",
  "drwxr-xr-x  5 build build     4096 Mar 14 09:26 packages",
  "    at Object.<anonymous> (/repo/test/session.test.ts:88:5)",
  "ok 112 - keeps the order of parallel results",
  '  "dependencies": { "hono": "4.6.3", "zod": "3.24.1" },',
  "@@ -41,7 +41,9 @@ export function createSession(options) {",
  "+    if (token === undefined) return unauthorized(request);",
];

const WIDE_LINES: readonly string[] = ["  title: 'Größe ändern – «prüfen»',", "  label: '会話を続ける',", "✓ 12 passed ✗ 0 failed"];

/** Returns about `chars` characters of tool output: code, listings, logs, test output. One in twenty has characters beyond Latin-1. */
export function toolText(random: Random, chars: number): string {
  const lines = random.chance(0.05) ? [...LINES, ...WIDE_LINES] : LINES;
  const parts: string[] = [];
  for (let length = 0; length < chars;) {
    const line = random.pick(lines);
    parts.push(line);
    length += line.length + 1;
  }
  return parts.join("\n").slice(0, chars);
}

/** Lengths as in recorded sessions: half of the results under 500 characters, one in ten over 5,000, the longest 40,000. */
export function resultLength(random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return Math.round(Math.min(40_000, Math.max(20, 500 * Math.exp(1.8 * normal))));
}
