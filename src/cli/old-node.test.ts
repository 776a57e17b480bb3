import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { complainOfOldNode } from "./old-node.ts";

for (const [running, range, isTooOld] of [
  ["20.20.2", ">=22.18", true],
  ["22.17.1", ">=22.18", true],
  ["22.18.0", ">=22.18", false],
  ["22.9.0", ">=22.18", true],
  ["24.0.0", ">=22.18", false],
  ["22.18.0", ">=22.18.1", true],
  ["25.0.0-nightly20260101", ">=22.18", false],
] as const) {
  test(`Node ${running} ${isTooOld ? "is too old" : "will do"} where ${range} is needed`, () => {
    assert.equal(complainOfOldNode(running, "node", range) !== undefined, isTooOld);
  });
}

test("the complaint says which Node is needed, by the manifest, and which one runs", () => {
  const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { readonly engines: { readonly node: string } };
  const needed = engines.node.replace(">=", "");
  assert.equal(
    complainOfOldNode("18.0.0", "/usr/bin/node"),
    `Node ${needed} or newer is needed, but this is Node 18.0.0 (/usr/bin/node). See https://nodejs.org/download.`,
  );
});
