import assert from "node:assert/strict";
import { test } from "node:test";
import type { Edit } from "../edits/edit.ts";
import { isOfPolicy } from "./is-of-policy.ts";

test("edits of the policy are told from others", () => {
  const made = ["digest-rounds", "compress"].map((pass) => ({ pass }) as Edit);
  assert.deepEqual(made.map(isOfPolicy), [true, false]);
});
