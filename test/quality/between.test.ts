import assert from "node:assert/strict";
import { test } from "node:test";
import { between } from "../../bench/quality/policies/between.ts";
import { parsePolicy, PRESETS } from "../../src/policy/policy-options.ts";

test("at the end of the way is the preset", () => assert.deepEqual(between("gentle", "tight", 1), PRESETS.tight));

test("half way, sizes are half way, whole, and taken by the policy", () => {
  const half = between("balanced", "tight", 1 / 2);
  assert.equal(half.tailTokens, (PRESETS.balanced.tailTokens + PRESETS.tight.tailTokens) / 2);
  assert.ok(Object.values(half).every((value) => typeof value === "boolean" || Number.isInteger(value)));
  assert.equal(parsePolicy(half).tailTokens, half.tailTokens);
});

test("there is no half of off", () => assert.equal(between("gentle", "balanced", 1 / 2).batches, PRESETS.balanced.batches));
