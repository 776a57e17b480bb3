import assert from "node:assert/strict";
import type { ProviderDouble } from "../../../src/testing/index.ts";

/** What was sent, as texts. To compare those of two doubles, both need `ids: "by-request"`. */
export function sentBodies({ requests }: ProviderDouble): string[] {
  return requests.map(({ body }) => JSON.stringify(body));
}

/** Names the first difference, instead of showing megabytes. */
export function assertSameBodies(found: readonly string[], expected: readonly string[]): void {
  const call = expected.findIndex((body, number) => body !== found[number]);
  if (call === -1) return assert.equal(found.length, expected.length);
  const [a = "", b = ""] = [found[call], expected[call]];
  let at = 0;
  while (a[at] === b[at]) at++;
  assert.fail(
    `call ${call} of ${expected.length}, character ${at}:\n  found    …${a.slice(Math.max(0, at - 150), at + 150)}\n  expected …${b.slice(Math.max(0, at - 150), at + 150)}`,
  );
}

/** What a double refused, as its rules and texts. */
export function refusals({ rejected }: ProviderDouble): unknown[] {
  return rejected.map(({ rule, error }) => [rule, error]);
}
