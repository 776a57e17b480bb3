/** Sources and outputs of an invented project, for the demo: the same in every run, and long enough to be worth shortening. */

/** Creates a random source that returns the same numbers in every run. */
export function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SUBJECTS = ["Attempt", "Endpoint", "Batch", "Lease", "Delivery", "Signature", "Payload", "Retry", "Queue", "Window", "Cursor", "Tenant"] as const;
const VERBS = ["load", "store", "check", "merge", "expire", "renew", "release", "count", "drain", "resolve", "encode", "observe"] as const;
const NOTES = [
  "A lease that is not renewed in time belongs to whoever asks next.",
  "Endpoints that answer with 410 are never tried again.",
  "The clock is the store's, so that two workers agree.",
  "Callers hold the lock of the shard.",
  "An empty result is not an error: there is nothing to do yet.",
  "The order is that of the queue, not that of the deliveries.",
] as const;

function pick<T>(dice: () => number, from: readonly T[]): T {
  return from[Math.floor(dice() * from.length)] as T;
}

/** Returns a Go file with N functions. `heart`, which the story is about, is in the middle. */
export function goFile(name: string, functions: number, heart: readonly string[] = []): string[] {
  const dice = createDice(Array.from(name).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  const lines = [`package ${name.split("/").at(-2) ?? "main"}`, "", "import (", '\t"context"', '\t"errors"', '\t"fmt"', '\t"sync"', '\t"time"', ")", ""];
  for (let number = 0; number < functions; number++) {
    if (number === Math.floor(functions / 2)) lines.push(...heart, ...(heart.length > 0 ? [""] : []));
    const subject = pick(dice, SUBJECTS);
    const verb = pick(dice, VERBS);
    const field = subject.toLowerCase();
    const receiver = pick(dice, ["w *Worker", "q *Queue", "s *Shard", "l *Lease"]);
    const of = receiver.charAt(0);
    lines.push(
      `// ${verb}${subject} ${pick(dice, ["reads", "changes", "returns", "settles"])} the ${field} of one tenant. ${pick(dice, NOTES)}`,
      `func (${receiver}) ${verb}${subject}(ctx context.Context, id string, limit int) (*${subject}, error) {`,
      `\t${of}.mu.Lock()`,
      `\tdefer ${of}.mu.Unlock()`,
      `\tfound, ok := ${of}.${field}s[id]`,
      "\tif !ok {",
      `\t\treturn nil, fmt.Errorf("${verb} ${field} %s: %w", id, ErrNot${subject})`,
      "\t}",
      `\tif age := ${of}.now().Sub(found.at); age > ${Math.floor(dice() * 90 + 10)}*time.Second {`,
      `\t\t${of}.log.Debug("${field} is old", "id", id, "age", age)`,
      `\t\tdelete(${of}.${field}s, id)`,
      "\t}",
      `\tfor n := range min(limit, ${Math.floor(dice() * 60 + 4)}) {`,
      `\t\tif err := found.${pick(dice, VERBS)}(ctx, n); err != nil && !errors.Is(err, context.Canceled) {`,
      "\t\t\treturn nil, err",
      "\t\t}",
      "\t}",
      "\treturn found, nil",
      "}",
      "",
    );
  }
  return lines;
}

/** Returns lines in the format of an agent's Read tool. */
export function numbered(lines: readonly string[], from = 1, to: number = lines.length): string {
  return lines
    .slice(from - 1, to)
    .map((line, number) => `${String(from + number).padStart(6)}→${line}`)
    .join("\n");
}

export interface TestRun {
  readonly seed: number;
  readonly tests: number;
  /** The failing test and its output. */
  readonly fails?: readonly [test: string, ...lines: string[]];
}

/** Returns output of `go test -race -v`. */
export function goTest({ seed, tests, fails }: TestRun): string {
  const dice = createDice(seed);
  const lines: string[] = [];
  const failAt = Math.floor(tests * 0.7);
  for (let number = 0; number < tests; number++) {
    if (number === failAt && fails !== undefined) {
      const [test, ...said] = fails;
      lines.push(`=== RUN   ${test}`, ...said.map((line) => `    ${line}`), `--- FAIL: ${test} (${(dice() * 3 + 0.4).toFixed(2)}s)`);
      continue;
    }
    const test = `Test${pick(dice, SUBJECTS)}${pick(dice, VERBS).replace(/^./, (letter) => letter.toUpperCase())}s${pick(dice, SUBJECTS)}`;
    lines.push(`=== RUN   ${test}`);
    for (let tries = Math.floor(dice() * 4); tries > 0; tries--)
      lines.push(
        `    ${test.slice(4).toLowerCase()}_test.go:${Math.floor(dice() * 180 + 20)}: seed ${tries}: waited ${Math.floor(dice() * 900)}ms of ${Math.floor(dice() * 9 + 1)}s`,
      );
    lines.push(`--- PASS: ${test} (${(dice() * 0.3).toFixed(2)}s)`);
  }
  lines.push(
    fails === undefined ? "PASS" : "FAIL",
    `${fails === undefined ? "ok  " : "FAIL"}\tgithub.com/hookline/hookline/internal/queue\t${(dice() * 4 + 1).toFixed(3)}s`,
  );
  return lines.join("\n");
}

/** Returns output of `grep -rn`. */
export function grepLines(pattern: string, files: readonly string[], matches: number, seed: number): string {
  const dice = createDice(seed);
  return Array.from({ length: matches }, () => {
    const subject = pick(dice, SUBJECTS);
    return `${pick(dice, files)}:${Math.floor(dice() * 380 + 12)}:\t${pick(dice, ["if err := ", "next := ", "return ", "w.log.Debug("])}${pattern}(ctx, ${subject.toLowerCase()}.ID)`;
  }).join("\n");
}
